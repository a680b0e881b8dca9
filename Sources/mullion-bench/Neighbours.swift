// Measures how long a client waits for the server next to a hostile one.

import Glibc
import MullionSystem
import MullionWayland

/// One hostile client of every kind, while screenshots are taken continuously, and a client that measures round trips.
enum Neighbours {
    /// The lengths of quiet and noisy windows, in seconds.
    private static let windows = (quiet: 0.5, noisy: 3.0)
    /// Seconds between two requests; not a multiple of a frame, so that they hit every moment of one.
    private static let pause = 0.0013

    static func measure() throws -> [Row] { try Hostility.allCases.flatMap(measure) }

    private static func measure(_ kind: Hostility) throws -> [Row] {
        let server = try PrivateServer()
        // The noisy processes end before the server does.
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
            throw MeasurementError("\(kind): the noisy process has exited")
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

/// This program run to take one screenshot after the other.
enum Photographer {
    /// The argument that starts this program in that role; the path of the control socket follows.
    static let argument = "--photographer"

    static func serve(descriptor: Int32, control: String) throws {
        let connection = try ControlConnection(control)
        try connection.send("GET", "/v1/screenshot.png")
        var ready: UInt8 = 1
        unsafe send(descriptor, &ready, 1, Int32(MSG_NOSIGNAL))
        while true { try connection.send("GET", "/v1/screenshot.png") }
    }
}

/// This program run to make noise until its owner is released.
private final class Nuisance {
    private let process: Child

    /// Waits until it has begun.
    init(_ words: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw MeasurementError.system("socketpair")
        }
        let socket = OwnedDescriptor(ends[0])
        do {
            defer { close(ends[1]) }
            process = try Child([try Child.ownProgram()] + words, descriptors: [ends[1]])
        }
        var ready: UInt8 = 0
        guard unsafe recv(socket.rawValue, &ready, 1, 0) == 1 else {
            throw MeasurementError("\(words[0]) could not begin")
        }
    }

    var hasEnded: Bool { process.hasEnded }
}
