// Memory that a client never touched, in pictures of the server that ships.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import Synchronization
import TestSupport
import Testing

@Suite struct SparseMemoryTests {
    /// In bytes; a tenth of what the pictures would cost.
    private static let limit = 256 << 20

    /// Puts the server into a memory cgroup with that limit, where one can be made.
    private static let confined = """
        for root in /sys/fs/cgroup/memory /sys/fs/cgroup/unified /sys/fs/cgroup; do
            group=$root/mullion-test-$$
            mkdir $group 2>/dev/null || continue
            for file in memory.limit_in_bytes memory.max; do
                if [ -e $group/$file ] && echo \(limit) > $group/$file && echo $$ > $group/cgroup.procs; then break 2; fi
            done
            rmdir $group
        done 2>/dev/null
        """

    private func server() throws -> ServerProcess {
        // A sanitizer needs more by itself.
        let hardship = Programs.isServerShipped ? Self.confined : ""
        return try Strangers.server("", hardship, options: ["--screen", "1920x1080"])
    }

    /// The groups that this server made, empty after its end.
    private func removeGroups(of server: ServerProcess) {
        for root in ["/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"] {
            rmdir("\(root)/mullion-test-\(server.server.pid)")
        }
    }

    /// KiB of shared memory that the server has mapped and touched.
    private func sharedMemory(_ server: ServerProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.server.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssShmem:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    private func bytes(of file: OwnedDescriptor) throws -> Int {
        var status = stat()
        try #require(fstat(file.rawValue, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    /// Buffers that are larger than what is in them.
    enum Shape: CaseIterable {
        /// A pixel of each page, in a window and a thousand sub-surfaces.
        case thin
        /// As large as the screen, and transparent.
        case whole

        var size: (width: Int32, height: Int32, stride: Int32) {
            self == .thin ? (1, 1080, 4096) : (1920, 1080, 7680)
        }
        // A sanitizer looks at each of their pixels.
        var count: Int { (self == .thin ? 1000 : 60) / (Programs.isServerShipped ? 1 : 5) }
        var bytes: Int { Int(size.stride * size.height) }
    }

    /// Shows as many buffers as the shape says, in files of which nothing exists.
    private func show(_ shape: Shape, by client: WireClient) throws -> [OwnedDescriptor] {
        let subcompositor = try client.bind(WlSubcompositor.self)
        let (size, perFile) = (shape.size, 100)
        var (files, buffers) = ([OwnedDescriptor](), [Proxy<WlBuffer>]())
        for first in stride(from: 0, to: shape.count, by: perFile) {
            let count = min(perFile, shape.count - first)
            let file = try memoryFile(bytes: shape.bytes * count)
            let pool = try client.pool(file, bytes: Int32(shape.bytes * count))
            for index in 0..<count {
                let buffer = Proxy<WlBuffer>(client.connection, version: 1)
                pool.send(
                    .createBuffer(
                        id: buffer.id, offset: Int32(index * shape.bytes), width: size.width, height: size.height,
                        stride: size.stride, format: .argb8888))
                buffers.append(buffer)
            }
            files.append(file)
            try client.roundTrip()
        }
        let window = try client.toplevel(showing: buffers[0])
        for (index, buffer) in buffers.enumerated().dropFirst() {
            let surface = try client.surface()
            let child = Proxy<WlSubsurface>(client.connection, version: 1)
            subcompositor.send(.getSubsurface(id: child.id, surface: surface.id, parent: window.surface.id))
            child.send(.setPosition(x: Int32(index % 1900), y: 0))
            surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            surface.send(.commit)
        }
        window.surface.send(.commit)
        try client.roundTrip()
        return files
    }

    @Test(
        "holes of a stranger's memory cost the server nothing, however many a picture shows",
        .enabled(if: geteuid() == 0), arguments: Shape.allCases)
    func holes(shape: Shape) throws {
        let server = try server()
        defer { removeGroups(of: server) }
        let client = try WireClient(path: server.folder + "/socket", as: Strangers.user)
        let files = try show(shape, by: client)
        let before = try sharedMemory(server)
        for _ in 0..<2 { #expect(try server.request("GET", "/v1/screenshot.png").status == 200) }
        #expect(try sharedMemory(server) - before < 1024)
        for file in files { #expect(try bytes(of: file) == 0) }
        try client.roundTrip()
        try server.stop()
    }

    /// Pages that come and go on another thread.
    private final class Restless: Sendable {
        private let isStopped = Atomic(false)
        private let isDone = Atomic(false)

        func start(_ file: OwnedDescriptor, bytes: Int) throws {
            let mapping = try #require(MappedMemory.map(file, size: bytes, PROT_READ | PROT_WRITE))
            let address = UInt(bitPattern: mapping)
            // MADV_REMOVE, which Swift's Glibc does not import.
            let remove: Int32 = 9
            let isStarted = DetachedThread.start {
                while !self.isStopped.load(ordering: .relaxed), let pages = UnsafeMutableRawPointer(bitPattern: address)
                {
                    memset(pages, 1, bytes)
                    madvise(pages, bytes, remove)
                }
                self.isDone.store(true, ordering: .releasing)
            }
            try #require(isStarted)
        }

        func stop() {
            isStopped.store(true, ordering: .relaxed)
            while !isDone.load(ordering: .acquiring) { sched_yield() }
        }
    }

    @Test("pages that vanish while they are drawn cost the server nothing either", .enabled(if: geteuid() == 0))
    func vanishing() throws {
        let server = try server()
        defer { removeGroups(of: server) }
        let client = try WireClient(path: server.folder + "/socket", as: Strangers.user)
        let bytes = 1920 * 1080 * 4
        let file = try memoryFile(bytes: bytes)
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        try client.pool(file, bytes: Int32(bytes)).send(
            .createBuffer(id: buffer.id, offset: 0, width: 1920, height: 1080, stride: 7680, format: .argb8888))
        let window = try client.toplevel(showing: buffer)
        let restless = Restless()
        try restless.start(file, bytes: bytes)
        defer { restless.stop() }
        let before = try sharedMemory(server)
        for _ in 0..<20 {
            window.surface.send(.damage(x: 0, y: 0, width: .max, height: .max))
            window.surface.send(.commit)
            try client.roundTrip()
            #expect(try server.request("GET", "/v1/screenshot.png").status == 200)
        }
        #expect(try sharedMemory(server) - before < 1024)
        try server.stop()
    }
}
