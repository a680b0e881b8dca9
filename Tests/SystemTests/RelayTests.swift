// Pipes and sockets of other programs: no call of this process waits for them.

import CMullionLinux
import Dispatch
import FoundationEssentials
import Glibc
import MullionSystem
import Synchronization
import Testing

@Suite struct RelayTests {
    /// What another program may pass on to be written to, or hold while it is read from.
    enum Stranger: String, CaseIterable {
        /// Everybody shares O_NONBLOCK, so that a reader can clear it.
        case pipe, nonblockingPipe, socket, nonblockingSocket
    }

    private struct Ends {
        let reader: OwnedDescriptor
        let writer: OwnedDescriptor
        /// The writer's open file, as the other program keeps it.
        let kept: OwnedDescriptor

        init(_ kind: Stranger) throws {
            var ends: [Int32] = [-1, -1]
            switch kind {
            case .pipe, .nonblockingPipe: try #require(linux_pipe(&ends) == 0)
            case .socket, .nonblockingSocket:
                try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0)
            }
            (reader, writer) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
            kept = try #require(writer.duplicate())
            if kind == .nonblockingPipe || kind == .nonblockingSocket { writer.makeNonBlocking() }
        }
    }

    /// Bytes without a period of a power of two.
    private static let content = (0..<1_000_003).map { UInt8($0 % 251) }

    /// Writes as an event loop does: as much as is possible at once. Then closes the socket.
    private static func write(_ bytes: [UInt8], to socket: Int32) {
        let socket = OwnedDescriptor(socket)
        var rest = bytes[...]
        while !rest.isEmpty, DescriptorIO.wait(for: POLLOUT, on: socket.rawValue, milliseconds: 60_000) {
            let count = rest.withUnsafeBytes { send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count >= 0 || errno == EAGAIN else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Whether the relay's process has ended.
    private func ends(_ relay: Relay) -> Bool {
        var request = pollfd(fd: relay.socket.rawValue, events: 0, revents: 0)
        return poll(&request, 1, 60_000) == 1 && request.revents & Int16(POLLHUP) != 0
    }

    @Test("everything that is written arrives, in order, whatever kind the other end is", arguments: Stranger.allCases)
    func writing(kind: Stranger) throws {
        let ends = try Ends(kind)
        let relay = try #require(Relay.writing(to: ends.writer, patience: 600))
        #expect(ends.writer.rawValue < 0)
        ends.kept.close()
        let socket = relay.socket.release()
        try #require(DetachedThread.start { Self.write(Self.content, to: socket) })
        #expect(try DescriptorIO.read(ends.reader.rawValue) == Self.content)
    }

    @Test("everything that another program writes arrives")
    func reading() throws {
        let (relay, end) = try #require(Relay.reading())
        let writer = end.release()
        try #require(
            DetachedThread.start {
                try? DescriptorIO.write(Self.content, to: writer)
                close(writer)
            })
        var received: [UInt8] = []
        while DescriptorIO.wait(for: POLLIN, on: relay.socket.rawValue, milliseconds: 60_000) {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(relay.socket.rawValue, &chunk, chunk.count)
            guard count > 0 else { break }
            received += chunk[..<count]
        }
        #expect(received == Self.content)
        #expect(ends(relay))
    }

    @Test(
        "a reader that takes nothing, and clears O_NONBLOCK, delays nothing; its relay ends after its patience",
        arguments: Stranger.allCases)
    func silentReader(kind: Stranger) throws {
        let ends = try Ends(kind)
        let relay = try #require(Relay.writing(to: ends.writer, patience: 1))
        let start = ContinuousClock.now
        var count = 0
        while count >= 0 {
            _ = linux_fcntl(ends.kept.rawValue, F_SETFL, linux_fcntl(ends.kept.rawValue, F_GETFL, 0) & ~O_NONBLOCK)
            count = send(relay.socket.rawValue, Self.content, Self.content.count, Int32(MSG_NOSIGNAL))
        }
        #expect(errno == EAGAIN || errno == EPIPE)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(self.ends(relay))
    }

    @Test("a relay ends when it is told to, and when the other program has gone", arguments: Stranger.allCases)
    func ended(kind: Stranger) throws {
        let ends = try Ends(kind)
        let told = try #require(Relay.writing(to: ends.writer, patience: 600))
        told.process.end()
        #expect(self.ends(told))
        let other = try Ends(kind)
        let left = try #require(Relay.writing(to: other.writer, patience: 600))
        other.kept.close()
        other.reader.close()
        #expect(self.ends(left))
    }

    @Test("only pipes and sockets are written to", arguments: ["file", "folder", "device", "memory"])
    func otherKinds(kind: String) throws {
        let descriptor =
            switch kind {
            case "file": open("/etc/passwd", O_RDONLY | O_CLOEXEC)
            case "folder": open("/", O_RDONLY | O_CLOEXEC)
            case "device": open("/dev/null", O_RDWR | O_CLOEXEC)
            default: linux_memfd_create("test", UInt32(MFD_CLOEXEC))
            }
        let file = OwnedDescriptor(descriptor)
        try #require(file.rawValue >= 0)
        #expect(Relay.writing(to: file, patience: 1) == nil)
        // It is still its owner's.
        #expect(file.rawValue >= 0 && linux_fcntl(file.rawValue, F_GETFD, 0) >= 0)
    }

    @Test("when the relays that read and write are used up, some are left that close; those that end make room")
    func room() throws {
        let room = Relay.Room(3, reserve: 1)
        let used = try (0..<2).map { _ in try Ends(.pipe) }
        let relays = try used.map { try #require(Relay.writing(to: $0.writer, patience: 600, in: room)) }
        #expect(Relay.reading(in: room) == nil)
        let ends = try Ends(.pipe)
        ends.kept.close()
        #expect(Relay.writing(to: ends.writer, patience: 600, in: room) == nil && ends.writer.rawValue >= 0)
        #expect(Relay.discard(ends.writer.release(), in: room))
        var request = pollfd(fd: ends.reader.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 60_000) == 1 && request.revents & Int16(POLLHUP) != 0)
        for relay in relays { relay.process.end() }
        let end = MonotonicClock.seconds + 60
        var next: Relay?
        while next == nil, MonotonicClock.seconds < end { next = Relay.reading(in: room)?.relay }
        #expect(next != nil)
    }

    @Test("closing apart closes, and leaves no process")
    func closing() throws {
        let closer = DescriptorCloser(isApart: true)
        for kind in Stranger.allCases {
            let ends = try Ends(kind)
            ends.writer.closer = closer
            ends.writer.close()
            ends.kept.close()
            // The other end notices once it is closed there, too.
            var request = pollfd(fd: ends.reader.rawValue, events: Int16(POLLIN), revents: 0)
            #expect(poll(&request, 1, 60_000) == 1 && request.revents & Int16(POLLHUP) != 0)
        }
        #expect(closer.waiting == 0)
    }

    @Test("relays start whatever locks of the C library other threads hold")
    func otherThreads() throws {
        // posix_spawn(3) holds one most of the time; sigaction(3) waits for it since glibc 2.41, which a new process must not.
        let isOver = Atomic(false)
        let group = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) {
                while !isOver.load(ordering: .relaxed) {
                    guard let process = try? ChildProcess(["/bin/true"]).start() else { continue }
                    waitpid(process, nil, 0)
                }
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            group.wait()
        }
        for _ in 0..<300 {
            let ends = try Ends(.pipe)
            let relay = try #require(Relay.writing(to: ends.writer, patience: 600))
            relay.socket.close()
            ends.kept.close()
            var request = pollfd(fd: ends.reader.rawValue, events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 60_000) == 1 && request.revents & Int16(POLLHUP) != 0)
        }
    }

    // MARK: Locked pipes

    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Programs/silent_files.py").path

    private static func start(_ arguments: [String], _ pipe: OwnedDescriptor?) throws -> (pid_t, OwnedDescriptor) {
        let output = try ChildProcess.pipe()
        var descriptors: [Int32: Int32] = [1: output.write.rawValue]
        descriptors[3] = pipe?.rawValue
        let child = ChildProcess(["/usr/bin/python3", program] + arguments, descriptors: descriptors)
        return (try withExtendedLifetime(output) { try child.start() }, output.read)
    }

    /// Whether a file system can be made here.
    static let canMount: Bool = {
        guard geteuid() == 0, let (process, _) = try? start([], nil) else { return false }
        var status: Int32 = 0
        return waitpid(process, &status, 0) == process && status == 0
    }()

    @Test(
        "a pipe whose lock another program holds for ever delays neither writing nor reading nor closing",
        .enabled(if: canMount))
    func locked() throws {
        let ends = try Ends(.pipe)
        let (relay, end) = try #require(Relay.reading())
        let lockers = try [ends.kept, end].map { try Self.start(["lock"], $0) }
        defer {
            for (process, _) in lockers {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
        }
        for (_, output) in lockers {
            try #require(DescriptorIO.wait(for: POLLIN, on: output.rawValue, milliseconds: 60_000))
        }
        let apart = try #require(ends.kept.duplicate())
        apart.closer = DescriptorCloser(isApart: true)
        let start = ContinuousClock.now
        let writer = try #require(Relay.writing(to: ends.writer, patience: 1))
        while send(writer.socket.rawValue, Self.content, Self.content.count, Int32(MSG_NOSIGNAL)) >= 0 {}
        var byte: UInt8 = 0
        #expect(read(relay.socket.rawValue, &byte, 1) < 0 && errno == EAGAIN)
        writer.process.end()
        relay.process.end()
        for descriptor in [apart, writer.socket, relay.socket] { descriptor.close() }
        #expect(ContinuousClock.now - start < .seconds(30))
        // The locks go with their holders, without which this process could not end.
        for (process, _) in lockers { kill(process, SIGKILL) }
    }
}
