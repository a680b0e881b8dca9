// What a server starts with, and what it goes on with when that has a mistake.

import DisplayServer
import FoundationEssentials
import JSON5

/// The command line and the configuration that count.
///
/// A server that comes after another one keeps that one's clients. So it uses what that one had instead of a command line
/// or a file that has a mistake, says so, and can be reloaded once the file is right.
struct Start {
    private(set) var options: Options
    private(set) var configuration: Configuration
    /// What the next server is to know.
    private(set) var record: StartRecord
    /// Why the command line that there is now is not used; nil: it is.
    let commandLineMistake: String?
    /// The same of the configuration.
    private(set) var fileMistake: String?

    /// - Parameter previous: what the server before was started with; nil for one that comes after none.
    /// - Throws: what is wrong, when there is nothing to go on with.
    init(_ arguments: [String], after previous: StartRecord?) throws {
        var arguments = arguments
        var mistake: String?
        do throws(Options.Failure) {
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
            // What it asks for is tried before clients depend on it.
            if previous != nil { try configuration.check(options) }
        } catch {
            guard let previous else { throw error }
            file = ConfigurationFile(path: previous.path, text: previous.configuration)
            configuration = try file.decode()
            fileMistake = "\(error)"
        }
        // Screens that are plugged in are taken over, whatever is asked for now.
        let screens = previous?.screens ?? Self.screens(options, configuration)
        record = StartRecord(arguments: arguments, path: file.path, configuration: file.text, screens: screens)
    }

    private static func screens(_ options: Options, _ configuration: Configuration) -> [String] {
        options.screens.isEmpty ? configuration.screens : options.screens
    }

    /// Whether other screens are asked for than those that the server has had since it was started first.
    var asksForOtherScreens: Bool { Self.screens(options, configuration) != record.screens }

    /// The same with the configuration as it is now.
    /// - Throws: what is wrong with it, also what only the next start would come upon.
    func reloaded() throws -> Start {
        var new = self
        let file = try ConfigurationFile(options)
        new.configuration = try file.decode()
        try Self.check(options, new.configuration)
        new.fileMistake = nil
        (new.record.path, new.record.configuration) = (file.path, file.text)
        return new
    }

    /// Tries what is asked for, without doing it. What a service's sandbox forbids is found only inside of it.
    /// - Returns: the configuration's path.
    static func check(_ options: Options) throws -> String {
        let file = try ConfigurationFile(options)
        try check(options, try file.decode())
        return file.path
    }

    private static func check(_ options: Options, _ configuration: Configuration) throws {
        try configuration.check(options)
        guard let address = options.http ?? configuration.http.listen else { return }
        try WebAddress.check(address)
        try TokenFile.check(configuration.http.tokenFile, group: configuration.http.tokenGroup)
    }

    /// Why this is not what is asked for now; nil when it is.
    var mistake: String? {
        let mistakes = [commandLineMistake.map { "the command line: \($0)" }, fileMistake].compactMap { $0 }
        return mistakes.isEmpty ? nil : mistakes.joined(separator: "; ")
    }
}

/// The configuration file, as it was read.
struct ConfigurationFile {
    let path: String
    /// Nil when there is none, and none was asked for.
    let text: Data?

    init(path: String, text: Data?) { (self.path, self.text) = (path, text) }

    /// Reads the file that the command line names, or the one at the usual place if it is there.
    init(_ options: Options) throws(Daemon.Failure) {
        path = options.config ?? options.places.configuration
        guard let data = FileManager.default.contents(atPath: path) else {
            guard options.config == nil, !FileManager.default.fileExists(atPath: path) else {
                throw Daemon.Failure(description: "\(path): cannot be read")
            }
            text = nil
            return
        }
        text = data
    }

    func decode() throws(JSON5.Failure) -> Configuration {
        guard let text else { return Configuration() }
        return try JSON5.decode(Configuration.self, from: text, file: path)
    }
}
