// mulliond with sockets from a service manager.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct SocketActivationTests {
    private static let daemon = Programs.shipped + "/mulliond"

    /// Whether sockets can be handed over at all.
    private static let canHandOver = dlopen("libsystemd.so.0", RTLD_LAZY) != nil && Program.isInstalled("bash")

    /// A listening socket that child processes inherit.
    private func listen(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(descriptor, 8) == 0 else { throw FixtureError("cannot listen at \(path)") }
        return descriptor
    }

    private func inode(_ descriptor: Int32) -> UInt {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : 0
    }

    @Test(
        "an inherited client socket has a name; those with an unknown or repeated name are closed and logged",
        .enabled(if: canHandOver))
    func inherited() throws {
        let fixture = try ServerFixture()
        let folder = try fixture.runtimeDirectory()
        let paths = ["client", "stray", "again"].map { "\(folder)/\($0)" }
        let sockets = try paths.map { try listen($0) }
        defer { for path in paths { unlink(path) } }
        let inodes = sockets.map { inode($0) }
        // Moved out of the way first, so that none is overwritten; the shell itself uses the first from 10 on.
        let base = (sockets.max() ?? 0) + 20
        let copies = zip(base..., sockets).map { "\($0)<&\($1) \($1)<&-" }.joined(separator: " ")
        let moves = zip(3..., base..<base + 3).map { "\($0)<&\($1) \($1)<&-" }.joined(separator: " ")
        let program = try fixture.spawn(
            "bash",
            [
                "-c",
                "exec \(copies); exec \(moves); LISTEN_PID=$$ LISTEN_FDS=3 LISTEN_FDNAMES=client:stray:client exec "
                    + "\(Self.daemon) --control \(folder)/control --ready-fd 1",
            ])
        for socket in sockets { close(socket) }
        try fixture.wait(for: "readiness, it said: \(program.readOutput())") {
            program.readOutput().contains(paths[0] + "\n") || !program.isRunning
        }
        let output = program.readOutput()
        #expect(program.isRunning, "\(output)")
        #expect(output.contains("socket \"stray\" is closed") && output.contains("socket \"client\" is closed"))
        let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(program.pid)/fd/\($0)")
        }
        let own = inodes.map { inode in held.filter { $0 == "socket:[\(inode)]" }.count }
        #expect(own == [1, 0, 0])
        program.kill(SIGTERM)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 0)
        #expect(access(paths[0], F_OK) == 0, "the path is the service manager's")
    }
}
