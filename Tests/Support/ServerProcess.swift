// The real mulliond, as a process of its own, seen from outside: sockets, files, signals and exit statuses.

import CTestSupport
import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland

/// A mulliond with its two sockets in a folder of its own.
public final class ServerProcess {
    /// Starts programs and waits; its own server is not part of the test.
    public let fixture: ServerFixture
    public let folder: String
    public let server: Program

    /// - Parameters:
    ///   - hardship: what a shell does before it becomes the server; `$folder` is the folder.
    ///   - prepare: creates files in the folder first.
    ///   - state: as in `--state`, within the folder.
    ///   - program: the server's program.
    public init(
        _ hardship: String = "", prepare: (String) throws -> Void = { _ in }, state: String? = nil,
        options: [String] = [], environment: [String: String] = [:], program: String = Programs.server
    ) throws {
        fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory() + "/daemon"
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try prepare(folder)
        var variables = environment
        variables["folder"] = folder
        variables["XDG_RUNTIME_DIR"] = try fixture.runtimeDirectory()
        server = try Program(
            "/bin/sh",
            [
                "-c", "\(hardship)\nexec \"$0\" \"$@\"", program, "--socket", "\(folder)/socket",
                "--control", "\(folder)/control", "--state", state.map { "\(folder)/\($0)" } ?? "none",
                "--ready-fd", "1",
            ] + options, environment: variables)
        try wait("the server") { $0.contains("\(folder)/socket\n") }
    }

    deinit {
        server.kill(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Waits for output of the server.
    public func wait(_ what: String, for words: (String) -> Bool) throws {
        do {
            try fixture.wait(for: what) {
                let said = server.readOutput()
                if words(said) { return true }
                guard server.isRunning else { throw FixtureError("the server ended") }
                return false
            }
        } catch {
            throw FixtureError("\(error); it said: \(server.readOutput())")
        }
    }

    /// Ends the server as a service manager would.
    public func stop() throws {
        server.kill(SIGTERM)
        try fixture.wait(for: "the server's end") { !server.isRunning }
        guard server.exitStatus == 0 else {
            throw FixtureError("the server ended with \(server.exitStatus ?? -1): \(server.readOutput())")
        }
    }

    // MARK: Clients

    /// A connected client that has completed a round trip.
    public func connect() throws -> ClientConnection {
        let connection = try ClientConnection(connectingTo: folder + "/socket")
        try roundTrip(connection)
        return connection
    }

    /// Waits until the server has answered all requests.
    /// - Throws: the error that ended the connection.
    public func roundTrip(_ connection: ClientConnection) throws {
        var isDone = false
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in isDone = true }
        connection.display.send(.sync(callback: callback.id))
        // A refused client can read the reason, though it can no longer write.
        _ = try? connection.flush()
        while !isDone {
            var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 60_000) == 1 else { throw FixtureError("no response") }
            try connection.dispatchAvailable()
        }
    }

    // MARK: Control

    /// A connection to the control socket.
    public func openControl() throws -> OwnedDescriptor { try open("control") }

    /// The same as another user; needs root.
    public func openControl(as user: uid_t) throws -> OwnedDescriptor {
        let socket = OwnedDescriptor(test_connect_as(folder + "/control", user, user))
        guard socket.rawValue >= 0 else { throw FixtureError("control as \(user): \(errorText())") }
        return socket
    }

    /// A connection to the clients' socket that sends nothing by itself.
    public func openClient() throws -> OwnedDescriptor { try open("socket") }

    private func open(_ name: String) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/" + name).utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw FixtureError("\(name): \(errorText())") }
        return descriptor
    }

    /// Sends a request and waits for the complete response.
    public func request(_ method: String, _ target: String, _ body: String = "") throws -> (status: Int, body: String) {
        let descriptor = try openControl()
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor.rawValue, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let text =
            "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count else {
            throw FixtureError("short write")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor.rawValue, &chunk, chunk.count)
            guard count >= 0 else { throw FixtureError("no response to \(method) \(target)") }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        let answer = String(decoding: bytes, as: UTF8.self)
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        return (
            Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : ""
        )
    }

    // MARK: Resources

    public func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.pid)/fd").count
    }

    /// The /proc status of the process.
    public func status() throws -> String { try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8) }

    /// Anonymous memory in KiB.
    public func memory() throws -> Int {
        let status = try status()
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        guard let kib = line.split(separator: " ").compactMap({ Int($0) }).first else {
            throw FixtureError("/proc/\(server.pid)/status: \(status)")
        }
        return kib
    }

    /// Processor time in hundredths of a second.
    public func processorTime() throws -> Int {
        let stat = try String(contentsOfFile: "/proc/\(server.pid)/stat", encoding: .utf8)
        // The second field is a name in brackets, which may contain anything.
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw FixtureError("/proc/\(server.pid)/stat: \(stat)")
        }
        return user + system
    }
}

/// Both ends of a non-blocking connection; programs that other tests start do not inherit them.
public func descriptorPair() throws -> (OwnedDescriptor, OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw FixtureError("socketpair") }
    return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
}
