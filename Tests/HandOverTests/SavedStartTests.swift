// How a server was started, for its successor of another version.

import DisplayServer
import FoundationEssentials
import MullionSystem
import TestSupport
import Testing

@Suite struct SavedStartTests {
    /// As servers with Foundation read and wrote it.
    private struct Older: Codable, Equatable {
        var arguments: [String]
        var path: String
        var configuration: Data?
        var screens: [String]
    }

    @Test("the start of a server is read by older and newer ones", arguments: ["{ screens: [\"é\"] }", nil])
    func versions(configuration: String?) throws {
        let bytes = configuration.map { Array($0.utf8) }
        let start = SavedStart(
            arguments: ["--config", "/etc/\"x\""], path: "/etc/x", configuration: bytes, screens: ["640x480,name=A"])
        let older = Older(
            arguments: start.arguments, path: start.path, configuration: bytes.map { Data($0) }, screens: start.screens)
        let file = try #require(start.memoryFile())
        #expect(try JSONDecoder().decode(Older.self, from: Data(HandOver.bytes(in: file))) == older)
        #expect(try SavedStart(keptIn: try #require(start.memoryFile()).release()) == start)
        let written = try AnonymousFile.make("older", holding: JSONEncoder().encode(older))
        #expect(try SavedStart(keptIn: written.release()) == start)
    }
}
