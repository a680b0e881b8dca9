// A minimal service manager with a descriptor store, for restarts.

import Glibc
import MullionSystem
import MullionWayland

/// Runs servers one after the other with the same client socket; the next one receives what the previous one stored.
final class ServiceManagerRole {
    /// The longest time for a start or an end, in seconds.
    private static let patience = 30.0
    private let folder: Folder
    private let notifications: OwnedDescriptor
    private let listener: OwnedDescriptor
    private var stored: [(name: String, descriptor: OwnedDescriptor)] = []
    private var server: Child?

    /// The path of the clients' socket.
    var socket: String { folder.path + "/client" }

    /// Starts the first server.
    init() throws {
        let folder = try Folder()
        self.folder = folder
        notifications = try Self.socket(SOCK_DGRAM, at: folder.path + "/notify")
        listener = try Self.socket(SOCK_STREAM, at: folder.path + "/client")
        guard listen(listener.rawValue, 128) == 0 else { throw MeasurementError.system("listen") }
        try start()
    }

    private static func socket(_ type: __socket_type, at path: String) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(Glibc.socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafeBytes(of: &address) {
            unsafe bind(descriptor.rawValue, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard result == 0 else { throw MeasurementError.system(path) }
        return descriptor
    }

    /// Starts a server, and waits until it is ready.
    func start() throws {
        let inherited = [(name: "client", descriptor: listener)] + stored
        // LISTEN_PID must be the server's process id, known only after the fork: a shell sets it.
        server = try Child(
            ["/bin/sh", "-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\"", try PrivateServer.program()]
                + ["--config", try folder.configuration(), "--state", "none"],
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "NOTIFY_SOCKET": folder.path + "/notify",
                "LISTEN_FDS": "\(inherited.count)", "LISTEN_FDNAMES": inherited.map(\.name).joined(separator: ":"),
            ], descriptors: inherited.map(\.descriptor.rawValue))
        while true {
            guard let lines = try hear(timeout: Int32(Self.patience * 1000)) else {
                throw MeasurementError("the server did not become ready in time")
            }
            if lines.contains("READY=1") { return }
        }
    }

    /// Stops the server, which stores its state.
    func stop() throws {
        guard let server else { return }
        kill(server.id, SIGTERM)
        let deadline = Clock.now + Self.patience
        while !server.hasEnded {
            guard Clock.now < deadline else { throw MeasurementError("the server did not exit in time") }
            _ = try hear(timeout: 1)
        }
        while try hear(timeout: 0) != nil {}
        self.server = nil
    }

    /// The lines of the next notification; nil when none arrives in this many milliseconds.
    private func hear(timeout: Int32) throws -> [Substring]? {
        var waiting = pollfd(fd: notifications.rawValue, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&waiting, 1, timeout)
        try Interruption.check()
        guard ready > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: UnixSocket.kernelMaximumDescriptors)
        defer { unsafe numbers.deallocate() }
        let received = unsafe bytes.withUnsafeMutableBytes {
            unsafe UnixSocket.receive(from: notifications.rawValue, into: $0, descriptors: numbers)
        }
        guard received.bytes >= 0 else { throw MeasurementError.system("recvmsg") }
        // Not stored for a barrier: closing the descriptor is the answer to it.
        let descriptors = (0..<received.descriptors).map { unsafe OwnedDescriptor(numbers[$0]) }
        let lines = String(decoding: bytes[..<received.bytes], as: UTF8.self).split(separator: "\n")
        let name = lines.first { $0.hasPrefix("FDNAME=") }.map { String($0.dropFirst(7)) } ?? "stored"
        if lines.contains("FDSTORE=1") { stored += descriptors.map { (name, $0) } }
        if lines.contains("FDSTOREREMOVE=1") { stored.removeAll { $0.name == name } }
        return lines
    }
}
