// A mulliond started for a measurement.

import FoundationEssentials
import Glibc

/// A server in a temporary folder, ended when its owner is released.
final class PrivateServer {
    /// The longest time for a start, in milliseconds.
    private static let startLimit: Int32 = 30_000

    let process: Child
    /// The path of the clients' socket.
    let socket: String
    /// The path of the control socket.
    var control: String { folder.path + "/mullion/control.sock" }
    private let folder: Folder

    /// Starts the `mulliond` next to this program and waits until it is ready.
    /// - Parameter options: the command line; by default one built-in screen of 1920×1080.
    init(_ options: [String] = []) throws {
        folder = try Folder()
        let program = try Self.program()
        let configuration = try folder.configuration()
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw MeasurementError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        do {
            defer { close(ends[1]) }
            process = try Child(
                [program, "--config", configuration, "--ready-fd", "3"] + options,
                environment: ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path], descriptors: [ends[1]])
        }
        var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        var line = [UInt8](repeating: 0, count: 256)
        let isReady = unsafe poll(&waiting, 1, Self.startLimit) == 1
        try Interruption.check()
        guard isReady else { throw MeasurementError("the server did not become ready in time") }
        let count = unsafe read(ends[0], &line, line.count)
        guard count > 1 else { throw MeasurementError("the server did not start") }
        socket = folder.path + "/" + String(decoding: line[..<(count - 1)], as: UTF8.self)
    }
}

extension PrivateServer {
    /// The `mulliond` next to this program.
    static func program() throws -> String {
        let own = try Child.ownProgram()
        let program = own.dropLast(own.reversed().prefix { $0 != "/" }.count) + "mulliond"
        guard unsafe access(String(program), X_OK) == 0 else {
            throw MeasurementError("\(program) is missing; build mulliond next to this program")
        }
        return String(program)
    }
}

/// A temporary folder, removed with its contents.
final class Folder {
    let path: String

    init() throws {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/mullion-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw MeasurementError.system(base) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A configuration that logs little; the system's configuration must not affect the measurement.
    func configuration() throws -> String {
        let file = path + "/mullion.json5"
        guard FileManager.default.createFile(atPath: file, contents: Data("{log: {level: 'error'}}".utf8)) else {
            throw MeasurementError.system(file)
        }
        return file
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
