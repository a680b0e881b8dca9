// A program that uses the library, as a process of its own.

import FoundationEssentials
import Glibc
import MullionSystem
import TestSupport

/// A LibraryClient, which performs requests line by line and answers each with what the library believes.
final class LibraryProcess {
    /// The name of its application.
    let name: String
    private let program: Program
    private let connection: OwnedDescriptor
    private var unread: [UInt8] = []

    init(_ name: String, _ server: ServerProcess) throws {
        self.name = name
        let (own, other) = try descriptorPair()
        connection = own
        program = try Program(
            "/bin/sh",
            [
                "-c", "exec \"$0\" \"$@\" <&3 >&3 3>&-", Programs.built + "/LibraryClient", name,
                server.folder + "/socket",
            ], descriptors: [other.rawValue])
    }

    /// Ends the program as a crash would.
    func crash() { program.kill(SIGKILL) }

    /// Performs requests, which are committed together, and returns what the library believes right afterwards.
    func perform(_ line: String) throws -> Picture {
        try send(line)
        return try receive()
    }

    /// Sends requests without waiting.
    func send(_ line: String) throws {
        let text = line + "\n"
        guard write(connection.rawValue, text, text.utf8.count) == text.utf8.count else {
            throw FixtureError("\(name) does not read: \(program.readOutput())")
        }
    }

    /// The answer to the requests that were sent first.
    func receive() throws -> Picture {
        let answer = try readLine()
        do {
            return try JSONDecoder().decode(Picture.self, from: Data(answer.utf8))
        } catch {
            throw FixtureError("\(name) answers \(answer)")
        }
    }

    private func readLine() throws -> String {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var descriptor = pollfd(fd: connection.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 60_000) == 1 else { throw FixtureError("\(name) does not answer") }
            let count = read(connection.rawValue, &chunk, chunk.count)
            guard count > 0 else { throw FixtureError("\(name) has ended: \(program.readOutput())") }
            unread += chunk[..<count]
        }
    }
}
