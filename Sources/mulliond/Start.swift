// The settings of a server, with the previous server's as a fallback.

import DisplayServer
import Glibc
import JSON5
import MullionSystem

/// The effective command line and configuration.
///
/// A server that takes over clients must not fail because of an invalid setting. It then uses the previous command line
/// or file, reports the error, and can be reloaded once the file is corrected.
struct Start {
    private(set) var options: Options
    private(set) var configuration: Configuration
    /// The record for the next server.
    private(set) var saved: SavedStart
    /// Why the current command line is not used; nil if it is.
    let commandLineMistake: String?
    /// Why the current configuration is not used; nil if it is.
    private(set) var fileMistake: String?

    /// - Parameter previous: the previous server's record; nil when there is no previous server.
    /// - Throws: the mistake, when there is no record to fall back to.
    init(_ arguments: [String], after previous: SavedStart?) throws {
        var arguments = arguments
        var mistake: String?
        do throws(CommandLineError) {
            options = try Options(arguments)
        } catch {
            guard let previous else { throw error }
            (options, arguments, mistake) = (try Options(previous.arguments), previous.arguments, error.message)
        }
        commandLineMistake = mistake
        var file: ConfigurationFile
        do {
            file = try ConfigurationFile(options)
            configuration = try file.decode()
            // Check the configuration before clients depend on it.
            if previous != nil { try configuration.check(options) }
        } catch {
            guard let previous else { throw error }
            file = ConfigurationFile(path: previous.path, text: previous.configuration)
            configuration = try file.decode()
            fileMistake = "\(error)"
        }
        // Connected screens are taken over, whatever is now configured.
        let screens = previous?.screens ?? Self.screens(options, configuration)
        saved = SavedStart(arguments: arguments, path: file.path, configuration: file.text, screens: screens)
    }

    /// As on the command line; empty: the default.
    private static func screens(_ options: Options, _ configuration: Configuration) -> [String] {
        guard options.screens.isEmpty, let screens = configuration.screens else { return options.screens }
        return screens.isEmpty ? [Options.noScreen] : screens
    }

    /// Whether the configured screens differ from those of the first start.
    var asksForOtherScreens: Bool { Self.screens(options, configuration) != saved.screens }

    /// The same command line with the current configuration.
    /// - Throws: mistakes in it.
    func reloaded() throws -> Start {
        var new = self
        let file = try ConfigurationFile(options)
        new.configuration = try file.decode()
        new.fileMistake = nil
        (new.saved.path, new.saved.configuration) = (file.path, file.text)
        return new
    }

    /// Checks a reloaded configuration.
    /// - Parameter compiled: its layouts.
    /// - Throws: mistakes in it, including those that only the next start would find.
    func check(_ compiled: CompiledLayouts) throws { try Self.check(options, configuration, compiled) }

    /// Checks the settings without applying them. Restrictions of a service's sandbox are found only inside it.
    /// - Returns: the configuration's path.
    static func check(_ options: Options) throws -> String {
        let file = try ConfigurationFile(options)
        try check(options, try file.decode())
        return file.path
    }

    private static func check(
        _ options: Options, _ configuration: Configuration, _ compiled: CompiledLayouts = CompiledLayouts()
    ) throws {
        try configuration.check(options, compiled)
        guard let address = options.http ?? configuration.http.listen else { return }
        try WebAddress.check(address)
        try TokenFile.check(configuration.http.tokenFile, group: configuration.http.tokenGroup)
    }

    /// Why the current settings are not used; nil if they are.
    var mistake: String? {
        let mistakes = [commandLineMistake.map { "the command line: \($0)" }, fileMistake].compactMap { $0 }
        return mistakes.isEmpty ? nil : mistakes.joined(separator: "; ")
    }
}

/// The configuration file as it was read.
struct ConfigurationFile {
    let path: String
    /// Nil when there is no file, and none was requested.
    let text: [UInt8]?

    init(path: String, text: [UInt8]?) { (self.path, self.text) = (path, text) }

    /// Reads the file named on the command line, or the default one if it exists.
    init(_ options: Options) throws(DaemonError) {
        path = options.config ?? options.places.configuration
        do {
            text = try NamedFile.contents(of: path, atMost: JSON5.mostBytes)
        } catch {
            guard options.config == nil, error.isMissing else {
                throw DaemonError(description: "\(path): cannot be read: \(error)")
            }
            text = nil
        }
    }

    func decode() throws(JSON5Error) -> Configuration {
        guard let text else { return Configuration() }
        return try JSON5.decode(Configuration.self, from: text, file: path)
    }
}
