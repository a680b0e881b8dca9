// Invalid shared memory: refused with an explanation, or read without affecting other clients.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct FaultMemoryTests {
    /// A descriptor that is not readable memory, and the error that it causes.
    enum Kind: String, CaseIterable {
        case pipe, socket, directory, zeros, terminal, writeOnly, path

        func open() throws -> OwnedDescriptor {
            switch self {
            case .pipe:
                var ends: [Int32] = [-1, -1]
                try #require(Glibc.pipe(&ends) == 0)
                _ = OwnedDescriptor(ends[1])
                return OwnedDescriptor(ends[0])
            case .socket: return try descriptorPair().0
            case .directory: return OwnedDescriptor(Glibc.open("/tmp", O_RDONLY | O_CLOEXEC))
            case .zeros: return OwnedDescriptor(Glibc.open("/dev/zero", O_RDWR | O_CLOEXEC))
            case .terminal: return OwnedDescriptor(Glibc.open("/dev/ptmx", O_RDWR | O_CLOEXEC | O_NOCTTY))
            case .writeOnly, .path:
                let file = OwnedDescriptor(mullionMemory())
                try #require(ftruncate(file.rawValue, 8192) == 0)
                // O_PATH, which Swift's Glibc does not import.
                let flags = self == .path ? 0o10000000 : O_WRONLY
                return OwnedDescriptor(Glibc.open("/proc/self/fd/\(file.rawValue)", flags | O_CLOEXEC))
            }
        }

        private func refusal(_ what: String) -> String {
            "the descriptor is \(what); use a memfd or a file on tmpfs"
        }

        /// The beginning of the error's message.
        var reason: String {
            switch self {
            case .pipe: refusal("a pipe")
            case .socket: refusal("a socket")
            case .directory: "the descriptor is "
            case .zeros, .terminal: "the descriptor is a file on "
            case .writeOnly: "the descriptor cannot be read"
            case .path: refusal("a file on a file system that the server cannot see")
            }
        }
    }

    @Test("a descriptor that is not memory is refused with an error that names its kind", arguments: Kind.allCases)
    func refused(kind: Kind) throws {
        let fixture = try ServerFixture()
        let (liar, witness) = try (fixture.connect("liar"), fixture.connect("witness"))
        let descriptor = try kind.open()
        try #require(descriptor.rawValue >= 0)
        let pool = Proxy<WlShmPool>(liar.connection, version: 1)
        liar.shm.send(.createPool(id: pool.id, fd: descriptor, size: 4096))
        try fixture.pump()
        #expect(liar.protocolError?.code == WlShm.Error.invalidFd.rawValue)
        #expect(liar.protocolError?.message.hasPrefix(kind.reason) == true, "\(liar.protocolError?.message ?? "")")
        #expect(witness.isOpen && fixture.server.clientCount == 1)
    }

    @Test("a file on a local disk is memory only for programs with the right to capture", arguments: [true, false])
    func localFile(mayCapture: Bool) throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: mayCapture ? [.capture] : [.view])])
        let client = try fixture.connect()
        let path = try fixture.runtimeDirectory() + "/pool"
        let file = OwnedDescriptor(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        try #require(ftruncate(file.rawValue, 4096) == 0)
        let isOnDisk = DescriptorKind(file).isLocalFile
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: file, size: 4096))
        try fixture.pump()
        #expect(client.isOpen == (mayCapture || !isOnDisk))
    }

    /// Shows a whole pool as a window of 64×64.
    private func show(_ client: TestClient, _ memory: OwnedDescriptor, grownTo size: Int32? = nil) throws -> TestWindow
    {
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        let length = Int32(lseek(memory.rawValue, 0, Int32(SEEK_END)))
        client.shm.send(.createPool(id: pool.id, fd: memory, size: length))
        if let size { pool.send(.resize(size: size)) }
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(.createBuffer(id: buffer.id, offset: 0, width: 64, height: 64, stride: 256, format: .xrgb8888))
        let window = client.window("w").frame(0, 0, 64, 64)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.surface.send(.damageBuffer(x: 0, y: 0, width: 64, height: 64))
        window.show()
        return window
    }

    @Test("sealed memory and read-only memory are displayed like any other", arguments: [false, true])
    func sealed(isReadOnly: Bool) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        var memory = try sealedMemory(bytes: [UInt8](repeating: 0x7f, count: 64 * 64 * 4))
        if isReadOnly {
            memory = OwnedDescriptor(open("/proc/self/fd/\(memory.rawValue)", O_RDONLY | O_CLOEXEC))
        }
        _ = try show(client, memory)
        #expect(try fixture.color(x: 60, y: 60) == 0x7f7f7f)
        #expect(client.isOpen)
    }

    @Test("a pool larger than its file is drawn black, and other clients are unaffected")
    func claimed() throws {
        let fixture = try ServerFixture()
        let (liar, honest) = try (fixture.connect("liar"), fixture.connect("honest"))
        honest.window("honest").color(0xff00_ff00).frame(100, 0, 50, 50).show()
        _ = try show(liar, try liar.memoryFile(words: 1024, filledWith: 0xffff_ffff), grownTo: 1 << 24)
        #expect(try fixture.color(x: 60, y: 60) == 0)
        #expect(try fixture.color(x: 120, y: 20) == 0x00ff00)
        #expect(liar.isOpen && honest.isOpen)
    }

    @Test("memory that keeps shrinking and growing while it is drawn affects only its own window")
    func restless() throws {
        let fixture = try ServerFixture(screens: ["320x200"])
        let (liar, honest) = try (fixture.connect("liar"), fixture.connect("honest"))
        honest.window("honest").color(0xff00_ff00).frame(100, 0, 50, 50).show()
        let file = Shrinking(try #require(try liar.memoryFile(words: 64 * 64, filledWith: 0xffff_0000).duplicate()))
        defer { file.stop() }
        for _ in 0..<100 {
            // A pool that was once found truncated stays black, so each round creates a new one.
            try file.pause {
                _ = try show(liar, try #require(file.descriptor.duplicate()))
                try fixture.pump()
            }
            #expect(try fixture.color(x: 120, y: 20) == 0x00ff00)
        }
        #expect(liar.isOpen && honest.isOpen && fixture.server.clientCount == 2)
    }

    /// A file that another thread shrinks and grows.
    private final class Shrinking: @unchecked Sendable {
        let descriptor: OwnedDescriptor
        private var lock = pthread_mutex_t()
        private var isStopped = false
        private var thread = pthread_t()

        init(_ descriptor: OwnedDescriptor) {
            self.descriptor = descriptor
            pthread_mutex_init(&lock, nil)
            let context = Unmanaged.passRetained(self).toOpaque()
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let file = Unmanaged<Shrinking>.fromOpaque(context).takeRetainedValue()
                    while file.turn() {}
                    return nil
                }, context)
        }

        private func turn() -> Bool {
            pthread_mutex_lock(&lock)
            defer { pthread_mutex_unlock(&lock) }
            ftruncate(descriptor.rawValue, 4096)
            ftruncate(descriptor.rawValue, 64 * 64 * 4)
            return !isStopped
        }

        /// Runs `body` while the file has its full size.
        func pause(_ body: () throws -> Void) rethrows {
            pthread_mutex_lock(&lock)
            defer { pthread_mutex_unlock(&lock) }
            try body()
        }

        func stop() {
            pause { isStopped = true }
            pthread_join(thread, nil)
        }
    }
}
