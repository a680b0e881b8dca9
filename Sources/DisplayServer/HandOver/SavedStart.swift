// How a server was started, for its successor.

import JSON5
import MullionSystem
import MullionWayland

/// The command line and the configuration of a running server. The next server uses them if the current ones contain a
/// mistake, so that a restart loses no client.
///
/// It is JSON and not part of the hand-over's payload, so that another version can read it whatever the payload's
/// format is.
public struct SavedStart: Equatable, Sendable {
    /// The command line without the program.
    public var arguments: [String]
    /// The path of the configuration file.
    public var path: String
    /// The contents of the file; nil when there was none.
    public var configuration: [UInt8]?
    /// The requested screens; a server that takes them over does not plug them in again.
    public var screens: [String]

    public init(arguments: [String], path: String, configuration: [UInt8]?, screens: [String]) {
        self.arguments = arguments
        self.path = path
        self.configuration = configuration
        self.screens = screens
    }

    /// Sealed memory with it; nil when there is no more memory.
    public func memoryFile() -> OwnedDescriptor? {
        guard let bytes = try? JSONWriter.encode(self) else { return nil }
        return HandOver.memoryFile(holding: bytes, name: "mullion-start")
    }

    /// Reads it from such memory.
    /// - Throws: why it cannot be read.
    public init(keptIn file: Int32) throws(HandOverError) {
        let bytes = try HandOver.bytes(in: OwnedDescriptor(file))
        do throws(JSON5Mistake) {
            self = try JSON5Document(bytes, .json).decode(Self.self)
        } catch {
            throw HandOverError(error.text)
        }
    }
}

extension SavedStart: Codable {
    private enum CodingKeys: String, CodingKey { case arguments, path, configuration, screens }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        arguments = try container.decode([String].self, forKey: .arguments)
        path = try container.decode(String.self, forKey: .path)
        configuration = try container.decodeIfPresent(Base64.self, forKey: .configuration)?.bytes
        screens = try container.decode([String].self, forKey: .screens)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(arguments, forKey: .arguments)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(configuration.map { Base64($0) }, forKey: .configuration)
        try container.encode(screens, forKey: .screens)
    }
}
