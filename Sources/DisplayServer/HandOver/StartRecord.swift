// What a server was started with, for the one that comes after it.

import FoundationEssentials
import JSON5
import System
import Wayland

/// The command line and the configuration with which a server runs. The next one uses them if the present ones have a
/// mistake, so that a restart loses no client.
///
/// It is JSON and no part of the hand-over's payload, so that another version reads it whatever the payload's format is.
public struct StartRecord: Codable, Equatable, Sendable {
    /// The command line without the program.
    public var arguments: [String]
    /// Where the configuration was read from.
    public var path: String
    /// What the file contained; nil when there was none.
    public var configuration: Data?
    /// The screens that were asked for; a server that takes them over does not plug them in again.
    public var screens: [String]

    public init(arguments: [String], path: String, configuration: Data?, screens: [String]) {
        self.arguments = arguments
        self.path = path
        self.configuration = configuration
        self.screens = screens
    }

    /// Sealed memory with the record; nil when there is no more memory.
    public func memory() -> OwnedDescriptor? {
        guard let bytes = try? JSONEncoder().encode(self) else { return nil }
        return HandOver.memory(holding: Array(bytes), name: "mullion-start")
    }

    /// Reads such memory.
    /// - Throws: why it cannot be read.
    public init(keptIn memory: Int32) throws(HandOver.Refusal) {
        let bytes = try HandOver.bytes(in: OwnedDescriptor(memory))
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw HandOver.Refusal((error as? DecodingError).map(JSON5.explain) ?? "\(error)")
        }
    }
}
