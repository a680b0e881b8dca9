// Listening sockets and accepting.

import Glibc
import Testing

@testable import EventLoop

@Suite struct ListenerTests {
    @Test("Clients are accepted, non-blocking and close-on-exec; closing removes the path and the lock")
    func accepts() throws {
        let (loop, folder) = (try EventLoop(), try Folder())
        var accepted: [Int32] = []
        let socket = try ListeningSocket.unix(path: folder.path + "/s", mode: 0o620)
        let listener = try Listener(loop, socket) { accepted.append($0) }
        var status = stat()
        #expect(stat(folder.path + "/s", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o620)
        let clients = (0..<100).map { _ in connectUnix(folder.path + "/s") }
        defer { (clients + accepted).forEach { close($0) } }
        #expect(clients.allSatisfy { $0 >= 0 })
        try loop.runOnce()
        #expect(accepted.count == Listener.acceptsPerTurn)
        try turn(loop) { accepted.count == clients.count }
        #expect(fcntl(accepted[0], F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(accepted[0], F_GETFD) & FD_CLOEXEC != 0)
        listener.close()
        #expect(!folder.exists("s") && !folder.exists("s.lock"))
    }

    @Test("Connections that were not accepted yet, more than the usual backlog of 128, do not make the next one fail")
    func burst() throws {
        let folder = try Folder()
        let socket = try ListeningSocket.unix(path: folder.path + "/s", mode: 0o600)
        defer { socket.close() }
        let clients = (0..<160).map { _ in connectUnix(folder.path + "/s") }
        defer { clients.filter { $0 >= 0 }.forEach { close($0) } }
        #expect(clients.count { $0 < 0 } == 0)
    }

    @Test("A stale socket is replaced; while the lock is held a second server is refused, and the first is unaffected")
    func stale() throws {
        let folder = try Folder()
        let path = folder.path + "/s"
        let old = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(withUnixAddress(path) { bind(old, $0, $1) } == 0)
        close(old)
        #expect(connectUnix(path) < 0)
        let first = try ListeningSocket.unix(path: path, mode: 0o600)
        let error = #expect(throws: EventLoopError.self) { _ = try ListeningSocket.unix(path: path, mode: 0o600) }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.description == "bind \(path): another server holds \(path).lock")
        let client = connectUnix(path)
        #expect(client >= 0)
        close(client)
        first.close()
        try ListeningSocket.unix(path: path, mode: 0o600).close()
    }

    @Test("A file that is not a socket is never removed")
    func occupied() throws {
        let folder = try Folder()
        close(open(folder.path + "/s", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        let error = #expect(throws: EventLoopError.self) {
            _ = try ListeningSocket.unix(path: folder.path + "/s", mode: 0o600)
        }
        #expect(error?.code == EEXIST)
        #expect(folder.exists("s") && !folder.exists("s.lock"))
    }

    @Test("Overlong paths and missing folders throw clear errors")
    func paths() {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(
            throws: EventLoopError(
                "bind", long, code: ENAMETOOLONG, reason: "the path has 108 bytes; the limit for Unix sockets is 107"
            )
        ) { _ = try ListeningSocket.unix(path: long, mode: 0o600) }
        #expect(throws: EventLoopError("open", "/nowhere/s.lock", code: ENOENT)) {
            _ = try ListeningSocket.unix(path: "/nowhere/s", mode: 0o600)
        }
    }

    @Test("A listening descriptor is adopted and its path is kept; other descriptors are refused")
    func adopt() throws {
        let (loop, folder) = (try EventLoop(), try Folder())
        let path = folder.path + "/s"
        let given = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(withUnixAddress(path) { bind(given, $0, $1) } == 0)
        #expect(throws: EventLoopError.self) { _ = try ListeningSocket.adopt(given) }
        listen(given, 8)
        var accepted = 0
        let adopted = try ListeningSocket.adopt(given)
        #expect(adopted.path == path)
        let listener = try Listener(loop, adopted) {
            close($0); accepted += 1
        }
        let client = connectUnix(path)
        try turn(loop) { accepted == 1 }
        close(client)
        listener.close()
        #expect(folder.exists("s"))
    }

    @Test("Out of descriptors: the listener backs off without spinning, then continues")
    func exhausted() throws {
        let (loop, folder) = (try EventLoop(), try Folder())
        var failures = 2
        var accepted = 0
        var errors: [Int32] = []
        let socket = try ListeningSocket.unix(path: folder.path + "/s", mode: 0o600)
        let listener = try Listener(
            loop, socket,
            accept: { descriptor in
                guard failures == 0 else {
                    failures -= 1
                    errno = EMFILE
                    return -1
                }
                return Glibc.accept(descriptor, nil, nil)
            }
        ) {
            close($0); accepted += 1
        }
        listener.onError = { errors.append($0.code) }
        let client = connectUnix(folder.path + "/s")
        defer { close(client) }
        let before = loop.wakeUps
        try turn(loop) { accepted == 1 }
        #expect(errors == [EMFILE, EMFILE])
        #expect(loop.wakeUps - before <= 6)
    }

    @Test("A listener may be closed in its own handler")
    func closeInside() throws {
        let (loop, folder) = (try EventLoop(), try Folder())
        let listener = try Listener(loop, .unix(path: folder.path + "/s", mode: 0o600))
        var accepted = 0
        listener.onAccept = { [unowned listener] in
            close($0)
            accepted += 1
            listener.close()
        }
        let clients = (0..<3).map { _ in connectUnix(folder.path + "/s") }
        defer { clients.forEach { close($0) } }
        try turn(loop) { accepted == 1 }
        #expect(try !loop.runOnce(nonblocking: true))
        #expect(accepted == 1)
    }
}
