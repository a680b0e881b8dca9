// A simulated service manager with a store of descriptors.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland

/// Starts a program with listening sockets, keeps the descriptors that it stores, and passes them to the next one.
public final class TestServiceManager {
    /// In order of arrival, until the program takes them out.
    public private(set) var stored: [(name: String, descriptor: OwnedDescriptor)] = []
    /// Descriptors that are kept when their other end closes.
    private var unwatched: Set<Int32> = []
    /// Every notification, a line each.
    public private(set) var notifications: [String] = []
    public let folder: String
    private let socket: OwnedDescriptor
    private var listeners: [(name: String, descriptor: OwnedDescriptor)] = []

    /// - Parameter folder: an existing folder for the sockets.
    public init(folder: String) throws {
        self.folder = folder
        socket = OwnedDescriptor(try Self.bound(folder + "/notify", Int32(SOCK_DGRAM.rawValue)))
        var one: Int32 = 1
        _ = setsockopt(socket.rawValue, SOL_SOCKET, SO_PASSCRED, &one, socklen_t(MemoryLayout<Int32>.size))
        for name in ["client", "control"] {
            let listener = OwnedDescriptor(try Self.bound(folder + "/" + name, Int32(SOCK_STREAM.rawValue)))
            guard listen(listener.rawValue, 64) == 0 else { throw FixtureError("listen: \(errorText())") }
            listeners.append((name, listener))
        }
    }

    deinit {
        for name in ["notify", "client", "control"] { unlink(folder + "/" + name) }
    }

    private static func bound(_ path: String, _ type: Int32) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, type | O_CLOEXEC | O_NONBLOCK, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in path.utf8.enumerated() where index < place.count - 1 { place[index] = byte }
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw FixtureError("\(path): \(errorText())") }
        return descriptor
    }

    /// Starts the program, with all sockets and everything that is stored.
    public func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        let inherited = listeners + stored
        var variables = environment
        variables["NOTIFY_SOCKET"] = folder + "/notify"
        variables["LISTEN_FDS"] = "\(inherited.count)"
        variables["LISTEN_FDNAMES"] = inherited.map(\.name).joined(separator: ":")
        // The process id is that of the program only after the fork: a shell sets it.
        return try Program(
            "/bin/sh", ["-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\"", program] + arguments, environment: variables,
            descriptors: inherited.map(\.descriptor.rawValue))
    }

    /// Stores a descriptor for the next program, as if an earlier one had stored it.
    public func put(_ descriptor: OwnedDescriptor, as name: String) { stored.append((name, descriptor)) }

    /// Empties the store, as when the service is stopped.
    public func clear() { stored = [] }

    /// Reads the notifications since the last call. A program that waits for this gets its descriptors closed.
    public func hear() {
        while let (text, descriptors) = receive() {
            let lines = text.split(separator: "\n").map(String.init)
            notifications += lines
            let name = lines.first { $0.hasPrefix("FDNAME=") }.map { String($0.dropFirst(7)) } ?? "stored"
            if lines.contains("FDSTORE=1") { stored += descriptors.map { (name, $0) } }
            if lines.contains("FDPOLL=0") { unwatched.formUnion(descriptors.map(\.rawValue)) }
            if lines.contains("FDSTOREREMOVE=1") { stored.removeAll { $0.name == name } }
        }
        unwatched.formIntersection(stored.map(\.descriptor.rawValue))
        // As systemd does: a socket whose other end has closed is not kept, unless it was stored with FDPOLL=0.
        stored.removeAll { entry in
            guard !unwatched.contains(entry.descriptor.rawValue) else { return false }
            var request = pollfd(fd: entry.descriptor.rawValue, events: 0, revents: 0)
            return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP | POLLERR) != 0
        }
    }

    private func receive() -> (String, [OwnedDescriptor])? {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var numbers = [Int32](repeating: -1, count: Int(LINUX_MANY_DESCRIPTORS))
        var (count, truncated): (Int32, Int32) = (0, 0)
        let got = linux_receive(
            socket.rawValue, &bytes, bytes.count, &numbers, Int32(numbers.count), &count, &truncated)
        guard got >= 0 else { return nil }
        return (String(decoding: bytes[..<got], as: UTF8.self), numbers.prefix(Int(count)).map { OwnedDescriptor($0) })
    }
}
