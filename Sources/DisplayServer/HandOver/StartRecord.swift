// What a server was started with, for the one that comes after it.

import FoundationEssentials
import JSON5
import System
import Wayland

/// The command line and the configuration with which a server runs. The next one goes on with them when what is there by
/// then has a mistake: a restart loses nobody.
///
/// It is JSON and no part of the hand-over's payload, so that another version reads it whatever the payload's format is.
public struct StartRecord: Codable, Equatable, Sendable {
    /// Those of the command line, without the program.
    public var arguments: [String]
    /// Where the configuration was read from.
    public var path: String
    /// What the file had in it; nil when there was none.
    public var configuration: Data?
    /// What was asked for when the screens were plugged in; a server that takes them over does not ask again.
    public var screens: [String]

    public init(arguments: [String], path: String, configuration: Data?, screens: [String]) {
        self.arguments = arguments
        self.path = path
        self.configuration = configuration
        self.screens = screens
    }

    /// Memory with the record that nobody can change; nil when there is no more memory.
    public func memory() -> OwnedDescriptor? {
        guard let bytes = try? JSONEncoder().encode(self) else { return nil }
        return HandOver.memory(holding: Array(bytes), name: "mullion-start")
    }

    /// What such memory holds.
    /// - Throws: why that cannot be known.
    public init(keptIn memory: Int32) throws(HandOver.Refusal) {
        let bytes = try HandOver.bytes(in: OwnedDescriptor(memory))
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw HandOver.Refusal((error as? DecodingError).map(JSON5.explain) ?? "\(error)")
        }
    }
}
