// Helpers for tests with truncated memory: the memory, and a server with a witness that must be unaffected.

import Dispatch
import Glibc
import MullionSystem
import MullionWayland
import Synchronization
import TestSupport
import Testing

/// A file in memory that can be emptied and restored. All its pages exist, so that the server maps those of its own user.
final class TruncatedMemory {
    let file: OwnedDescriptor
    private let bytes: Int
    private let isStopped = Box()
    private let changing = DispatchGroup()

    private final class Box: Sendable { let value = Atomic(false) }

    init(bytes: Int) throws {
        file = try memoryFile(bytes: bytes)
        self.bytes = bytes
        grow()
    }

    deinit { isStopped.value.store(true, ordering: .relaxed) }

    func shrink() { ftruncate(file.rawValue, 0) }
    func grow() { Self.fill(file.rawValue, bytes) }

    private static func fill(_ file: Int32, _ bytes: Int) {
        let pixels = [UInt8](repeating: 0xff, count: bytes)
        pwrite(file, pixels, bytes, 0)
    }

    /// Starts a thread that does both as fast as it can.
    func startChanging() {
        let (copy, bytes, isStopped) = (dup(file.rawValue), bytes, isStopped)
        DispatchQueue.global().async(group: changing) {
            while !isStopped.value.load(ordering: .relaxed) {
                ftruncate(copy, 0)
                Self.fill(copy, bytes)
            }
            close(copy)
        }
    }

    func stopChanging() throws {
        isStopped.value.store(true, ordering: .relaxed)
        guard changing.wait(timeout: .now() + 20) == .success else { throw FixtureError("a thread does not end") }
    }
}

/// Requests pictures of the first screen, one after the other.
final class ScreenCopier {
    private let client: WireClient
    private let output: Proxy<WlOutput>
    private let manager: Proxy<ZwlrScreencopyManagerV1>

    init(_ client: WireClient) throws {
        self.client = client
        output = try client.bind(WlOutput.self)
        manager = try client.bind(ZwlrScreencopyManagerV1.self)
    }

    /// - Parameter change: called just before the copy is requested.
    /// - Returns: "ready" or "failed".
    func copy(to buffer: Proxy<WlBuffer>, _ change: () -> Void = {}) throws -> String {
        let frame = Proxy<ZwlrScreencopyFrameV1>(client.connection, version: manager.version)
        var outcome: String?
        frame.onEvent = { event in
            switch event {
            case .ready: outcome = "ready"
            case .failed: outcome = "failed"
            default: break
            }
        }
        manager.send(.captureOutput(frame: frame.id, overlayCursor: 0, output: output.id))
        try client.roundTrip()
        change()
        frame.send(.copy(buffer: buffer.id))
        try client.wait(for: "a picture") { outcome != nil }
        frame.send(.destroy)
        return outcome ?? ""
    }
}

/// A server with the window of a witness that must be unaffected.
final class TruncationFixture {
    static let (width, height): (Int32, Int32) = (320, 240)
    static var bytes: Int { Int(width * height) * 4 }

    let server: ServerProcess
    let witness: WireClient
    /// Whether another window of the witness's program takes key.
    var losesKey = false
    private let memory: TruncatedMemory
    private let copier: ScreenCopier
    private let target: Proxy<WlBuffer>
    private var received: [String] = []

    init(hardship: String = "") throws {
        server = try ServerProcess(hardship, options: ["--screen", "\(Self.width)x\(Self.height)"])
        witness = try WireClient(server)
        copier = try ScreenCopier(witness)
        memory = try TruncatedMemory(bytes: Self.bytes)
        let pool = try witness.pool(memory.file, bytes: Int32(Self.bytes))
        target = Self.buffer(of: pool)
        let window = try witness.toplevel(showing: witness.buffer(of: pool, width: 8, height: 8))
        try witness.roundTrip()
        window.toplevel.onEvent = { [unowned self] event in
            if case .configure = event, losesKey { return }
            received.append("\(event)")
        }
        window.surface.onEvent = { [unowned self] in received.append("\($0)") }
        window.buffer.onEvent = { [unowned self] in received.append("\($0)") }
    }

    /// A client of a user without rights, if the tests may become one.
    func stranger() throws -> WireClient {
        guard geteuid() == 0 else { return try WireClient(server) }
        let folder = try server.fixture.runtimeDirectory()
        guard chmod(folder, 0o711) == 0, chmod(server.folder, 0o711) == 0, chmod(server.folder + "/socket", 0o777) == 0
        else { throw FixtureError("chmod in \(folder)") }
        return try WireClient(path: server.folder + "/socket", as: Strangers.user)
    }

    /// A buffer as large as the screen in its own pool.
    func buffer(in file: OwnedDescriptor, of client: WireClient) throws -> Proxy<WlBuffer> {
        let pool = try client.pool(file, bytes: Int32(Self.bytes))
        let buffer = Self.buffer(of: pool)
        pool.send(.destroy)
        // The number of descriptors in transit is limited.
        try client.roundTrip()
        return buffer
    }

    private static func buffer(of pool: Proxy<WlShmPool>) -> Proxy<WlBuffer> {
        let buffer = Proxy<WlBuffer>(pool.connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: 0, width: width, height: height, stride: width * 4, format: .xrgb8888))
        return buffer
    }

    func witnessCopies() throws -> String { try copier.copy(to: target) }

    /// Checks that the witness was unaffected, and that the server ends properly.
    func end() throws {
        try witness.roundTrip()
        #expect(received == [])
        #expect(try server.request("GET", "/v1/windows").body.contains("\"visible\":true"))
        try server.stop()
    }
}
