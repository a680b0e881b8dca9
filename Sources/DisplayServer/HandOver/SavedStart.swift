// How a server was started, for its successor.

import FoundationEssentials
import MullionWayland
import StateCoding
import System

/// The command line and the configuration of a running server. The next server uses them if the current ones contain a
/// mistake, so that a restart loses no client.
///
/// It is JSON and not part of the hand-over's payload, so that another version can read it whatever the payload's
/// format is.
public struct SavedStart: Codable, Equatable, Sendable {
    /// The command line without the program.
    public var arguments: [String]
    /// The path of the configuration file.
    public var path: String
    /// The contents of the file; nil when there was none.
    public var configuration: Data?
    /// The requested screens; a server that takes them over does not plug them in again.
    public var screens: [String]

    public init(arguments: [String], path: String, configuration: Data?, screens: [String]) {
        self.arguments = arguments
        self.path = path
        self.configuration = configuration
        self.screens = screens
    }

    /// Sealed memory with it; nil when there is no more memory.
    public func memoryFile() -> OwnedDescriptor? {
        guard let bytes = try? JSONEncoder().encode(self) else { return nil }
        return HandOver.memoryFile(holding: Array(bytes), name: "mullion-start")
    }

    /// Reads it from such memory.
    /// - Throws: why it cannot be read.
    public init(keptIn file: Int32) throws(HandOverError) {
        let bytes = try HandOver.bytes(in: OwnedDescriptor(file))
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw HandOverError((error as? DecodingError)?.explanation ?? "\(error)")
        }
    }
}
