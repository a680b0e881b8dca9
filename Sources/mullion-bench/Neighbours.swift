// How long a client waits for the server beside one that does its worst.

import CLinux
import Glibc
import System
import Wayland

/// One hostile client of every kind, while somebody takes screenshots all the time; and one that asks the server something.
enum Neighbours {
    /// Seconds of quiet, and of noise.
    private static let windows = (quiet: 0.5, noisy: 3.0)
    /// Between two questions; no multiple of a frame, so that they come at every moment of one.
    private static let pause = 0.0013

    static func measure() throws -> [Row] { try Hostility.allCases.flatMap(measure) }

    private static func measure(_ kind: Hostility) throws -> [Row] {
        let server = try PrivateServer()
        // Those that make the noise end before the server does.
        return try withExtendedLifetime(server) { try measure(kind, server) }
    }

    private static func measure(_ kind: Hostility, _ server: PrivateServer) throws -> [Row] {
        let question = try Exchange(server, batch: 1)
        let quiet = try question.waits(for: windows.quiet, pause: pause)
        let neighbour = try Nuisance([Hostility.argument, server.socket, kind.rawValue])
        let photographer = try Nuisance([Photographer.argument, server.control])
        let noisy = try withExtendedLifetime((neighbour, photographer)) {
            try question.waits(for: windows.noisy, pause: pause)
        }
        guard !neighbour.hasEnded, !photographer.hasEnded else {
            throw Failure("\(kind): who makes the noise has ended")
        }
        let figures: [(String, ([Double]) -> Double)] = [
            ("median", { Statistics.median($0) }), ("p99", { Statistics.percentile(0.99, $0) }),
            ("slowest", { $0.max() ?? 0 }),
        ]
        return figures.map { name, figure in
            Row(
                "beside \(kind.description), and screenshots: an answer (\(name))", figure(noisy) * 1e3, "ms",
                per: "a quiet server", figure(quiet) * 1e3)
        }
    }
}

/// This program again, taking one screenshot after the other.
enum Photographer {
    /// Starts this program as that; the path of the control socket follows.
    static let argument = "--photographer"

    static func serve(descriptor: Int32, control: String) throws {
        let connection = try ControlConnection(control)
        try connection.send("GET", "/v1/screenshot.png")
        var ready: UInt8 = 1
        send(descriptor, &ready, 1, Int32(MSG_NOSIGNAL))
        while true { try connection.send("GET", "/v1/screenshot.png") }
    }
}

/// This program again, making noise until its owner lets go of it.
private final class Nuisance {
    private let process: Child

    /// Waits until it is at it.
    init(_ words: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure.system("socketpair")
        }
        let socket = OwnedDescriptor(ends[0])
        do {
            defer { close(ends[1]) }
            process = try Child([try Child.ownProgram()] + words, descriptors: [ends[1]])
        }
        var ready: UInt8 = 0
        guard recv(socket.rawValue, &ready, 1, 0) == 1 else { throw Failure("\(words[0]) could not begin") }
    }

    var hasEnded: Bool { process.hasEnded }
}
