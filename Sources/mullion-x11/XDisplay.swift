// An X display: its lock file and its sockets.

import Glibc
import MullionSystem
import X11

/// Holds a display number: `/tmp/.Xn-lock`, `/tmp/.X11-unix/Xn` and the abstract name of the same text.
///
/// Programs can connect from the first moment; they wait until an X server accepts them.
final class XDisplay {
    static let numbers = 0...999
    private static let folder = "/tmp/.X11-unix"

    let number: Int
    /// Listening sockets.
    let sockets: [OwnedDescriptor]
    /// Holds the abstract name without listening. Anybody can connect to an abstract socket, and connections of other
    /// users, which the X server refuses only after they have spoken, would use up its places.
    private let holder: OwnedDescriptor?
    private let lock: String
    /// The path of a socket to remove; nil: a service manager's.
    private let path: String?

    /// The one whose sockets a service manager has passed on, otherwise one of its own.
    static func make(_ number: Int?) throws(Failure) -> XDisplay {
        let inherited = InheritedSockets.take()
        return inherited.isEmpty ? try XDisplay(number) : try XDisplay(inherited, number)
    }

    /// Takes over the sockets of a service manager.
    private init(_ sockets: [OwnedDescriptor], _ wanted: Int?) throws(Failure) {
        do throws(Failure) {
            number = try InheritedSockets.display(sockets)
            guard wanted == nil || wanted == number else {
                throw Failure(description: "the sockets in LISTEN_FDS are those of :\(number); omit --display")
            }
            lock = "/tmp/.X\(number)-lock"
            guard try Self.takeLock(lock) else {
                throw Failure(description: "display :\(number) is in use; use a socket of another one")
            }
        } catch {
            // Otherwise those who wait would start this program again and again.
            Self.refuseWaiting(sockets)
            throw error
        }
        (self.sockets, path, holder) = (sockets, nil, nil)
    }

    /// - Parameter number: nil: the first free one.
    private init(_ number: Int?) throws(Failure) {
        try Self.checkFolder()
        for candidate in number.map({ $0...$0 }) ?? Self.numbers {
            let lock = "/tmp/.X\(candidate)-lock"
            guard try Self.takeLock(lock) else { continue }
            let path = "\(Self.folder)/X\(candidate)"
            guard let (socket, holder) = try Self.listen(path) else {
                unsafe unlink(lock)
                continue
            }
            (self.number, sockets, self.holder, self.lock, self.path) = (candidate, [socket], holder, lock, path)
            return
        }
        throw Failure(
            description: number.map { "display :\($0) is in use; use another one, or no --display" }
                ?? "every display from :0 to :\(Self.numbers.upperBound) is in use")
    }

    /// Gives the display up.
    func remove() {
        for socket in sockets { socket.close() }
        holder?.close()
        if let path { unsafe unlink(path) }
        unsafe unlink(lock)
    }

    /// Ends the connections that wait to be accepted.
    func refuseWaiting() { Self.refuseWaiting(sockets) }

    private static func refuseWaiting(_ sockets: [OwnedDescriptor]) {
        for socket in sockets {
            while let peer = try? UnixSocket.accept(from: socket.rawValue) { peer.close() }
        }
    }

    // MARK: The folder of the sockets

    /// Other users must not be able to replace sockets in it.
    private static func checkFolder() throws(Failure) {
        if unsafe mkdir(folder, 0o1777) == 0 {
            // Regardless of the umask.
            unsafe chmod(folder, 0o1777)
        }
        var file = stat()
        guard unsafe lstat(folder, &file) == 0 else { throw Failure(description: "\(folder): \(SystemError.last)") }
        let isShared = file.st_mode & 0o022 != 0 && file.st_mode & 0o1000 == 0
        guard file.st_mode & S_IFMT == S_IFDIR, [0, getuid()].contains(file.st_uid), !isShared else {
            throw Failure(
                description: "\(folder) is not a folder that only its owner can change; "
                    + "use chmod 1777 and chown root")
        }
    }

    // MARK: The lock

    /// - Returns: false when another X server holds it.
    private static func takeLock(_ path: String) throws(Failure) -> Bool {
        // Written elsewhere first, so that nobody sees a lock without its holder.
        let draft = "\(path).\(getpid())"
        unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o444)
        guard descriptor >= 0 else { throw Failure(description: "\(draft): \(SystemError.last)") }
        defer { unsafe unlink(draft) }
        let file = OwnedDescriptor(descriptor)
        do throws(SystemError) {
            try DescriptorIO.write(DisplayLock.contents(getpid()), to: file.rawValue)
        } catch {
            throw Failure(description: "\(draft): \(error)")
        }
        _ = fchmod(file.rawValue, 0o444)
        for _ in 0..<3 {
            if unsafe link(draft, path) == 0 { return true }
            guard errno == EEXIST else { throw Failure(description: "\(path): \(SystemError.last)") }
            guard removeStale(path) else { return false }
        }
        return false
    }

    /// Removes the lock of a process that has ended. `flock` is held on it meanwhile, so that of two programs that find
    /// the same file, the second does not remove the lock of the first.
    private static func removeStale(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT }
        let file = OwnedDescriptor(descriptor)
        // Closing it would end `flock`.
        defer { withExtendedLifetime(file) {} }
        let contents = DescriptorIO.read(file.rawValue, count: 32)
        guard let holder = DisplayLock.holder(contents), kill(holder, 0) != 0, errno == ESRCH,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return false }
        var (own, present) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &present) == 0 else { return errno == ENOENT }
        guard own.st_ino == present.st_ino, own.st_dev == present.st_dev else { return true }
        return unsafe unlink(path) == 0
    }

    // MARK: The sockets

    /// - Returns: nil when another X server listens, for example one of another container with the same folder.
    private static func listen(_ path: String) throws(Failure) -> (socket: OwnedDescriptor, holder: OwnedDescriptor)? {
        // Programs try the abstract name first, and then the path: another user must not have it.
        guard let abstract = try bound([0] + path.utf8) else { return nil }
        if let other = try? UnixSocket.connect(to: path) {
            other.close()
            return nil
        }
        if unsafe unlink(path) != 0, errno != ENOENT { return nil }
        guard let named = try bound(Array(path.utf8)) else { return nil }
        // For programs of this user and root only, before any can connect.
        guard unsafe chmod(path, 0o700) == 0, Glibc.listen(named.rawValue, 128) == 0 else {
            throw Failure(description: "\(path): \(SystemError.last)")
        }
        return (named, abstract)
    }

    /// - Returns: nil when the name is in use.
    private static func bound(_ name: [UInt8]) throws(Failure) -> OwnedDescriptor? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = OwnedDescriptor(Glibc.socket(AF_UNIX, kind, 0))
        guard socket.rawValue >= 0 else { throw Failure(description: "socket: \(SystemError.last)") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // An abstract name has no zero at its end.
        let length = 2 + name.count + (name.first == 0 ? 0 : 1)
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.baseAddress.map { base in
                unsafe bind(socket.rawValue, base.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
            }
        }
        if result == 0 { return socket }
        guard errno == EADDRINUSE else {
            throw Failure(description: "\(String(decoding: name, as: UTF8.self)): \(SystemError.last)")
        }
        return nil
    }
}
