// A server that was suspended, as when a machine sleeps: time jumps, and missed ticks are not made up for.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct FaultPauseTests {
    /// A datagram socket that receives the notifications for a service manager.
    private final class Manager {
        private let folder: TemporaryFolder
        private let socket: OwnedDescriptor
        var path: String { folder.path + "/n" }

        init() throws {
            folder = try TemporaryFolder()
            socket = OwnedDescriptor(
                Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = folder.path + "/n"
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        /// The notifications since the last call.
        func take() -> [String] {
            var messages: [String] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(socket.rawValue, &chunk, chunk.count, 0)
                guard count > 0 else { return messages }
                messages.append(String(decoding: chunk[..<count], as: UTF8.self))
            }
        }
    }

    @Test("a server stopped for seconds continues at its rate, without a burst of frames or watchdog notifications")
    func stopped() throws {
        let manager = try Manager()
        let setup = try ServerProcess(
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"])
        defer { setup.server.kill(SIGCONT) }
        let animation = try FaultAnimation(setup)
        let loop = setup.fixture.loop
        func run(seconds: Double) throws {
            let end = loop.now + UInt64(seconds * 1e6)
            try setup.fixture.wait(for: "the time to pass", seconds: 60) {
                try animation.run()
                return loop.now >= end
            }
        }
        try setup.fixture.wait(for: "frames") {
            try animation.run()
            return animation.frames > 5
        }
        try setup.fixture.wait(for: "the watchdog") { manager.take().contains("WATCHDOG=1") }
        setup.server.kill(SIGSTOP)
        try run(seconds: 3)
        _ = manager.take()
        let frames = animation.frames
        let before = loop.now
        setup.server.kill(SIGCONT)
        var received = 0
        // The limits below grow with the time that passes, so a busy machine may take longer.
        try setup.fixture.wait(for: "frames and the watchdog") {
            try animation.run()
            received += manager.take().count { $0 == "WATCHDOG=1" }
            return loop.now - before > 500_000 && animation.frames > frames && received > 0
        }
        let passed = Double(loop.now - before) / 1e6
        let most = Int(passed * 60) + 3
        #expect(animation.frames - frames <= most, "3 s would be 180 frames")
        #expect(received <= Int(passed / 0.2) + 2, "3 s would be 15 times")
        #expect(try setup.request("GET", "/v1/status").status == 200)
        animation.connection.disconnect()
        try setup.stop()
    }
}
