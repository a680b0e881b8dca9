// The baseline: a process that answers like a server but does nothing else, and the client for both.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// This program run as a bare echo on libevent: for every 12 bytes received it sends 24, in the form of the answer to
/// wl_display.sync. A real server, too, must at least look at each message and write an answer.
enum EchoServer {
    /// The argument that starts this program as the echo.
    static let argument = "--echo"

    /// Serves until the other end closes.
    static func serve(descriptor: Int32) throws {
        let loop = try EventLoop()
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 8)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count * 2, alignment: 8)
        defer {
            unsafe input.deallocate()
            unsafe output.deallocate()
        }
        var kept = 0
        let source = try IOSource(loop, descriptor: descriptor) {
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: input[kept...])
            let got = unsafe recv(descriptor, free.baseAddress, free.count, 0)
            guard got > 0 else { return loop.stop() }
            let messages = (kept + got) / 12
            for index in 0..<messages { unsafe answer(input, index, output) }
            unsafe send(descriptor, output.baseAddress, messages * 24, Int32(MSG_NOSIGNAL))
            kept = kept + got - messages * 12
            unsafe input.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[(messages * 12)...].prefix(kept)))
        }
        try loop.run()
        source.cancel()
    }

    private static func answer(
        _ input: UnsafeMutableRawBufferPointer, _ index: Int, _ output: UnsafeMutableRawBufferPointer
    ) {
        let id = unsafe input.load(fromByteOffset: index * 12 + 8, as: UInt32.self)
        // wl_callback.done and wl_display.delete_id.
        unsafe output.storeBytes(of: id, toByteOffset: index * 24, as: UInt32.self)
        unsafe output.storeBytes(of: 12 << 16, toByteOffset: index * 24 + 4, as: UInt32.self)
        unsafe output.storeBytes(of: 0, toByteOffset: index * 24 + 8, as: UInt32.self)
        unsafe output.storeBytes(of: 1, toByteOffset: index * 24 + 12, as: UInt32.self)
        unsafe output.storeBytes(of: 12 << 16 | 1, toByteOffset: index * 24 + 16, as: UInt32.self)
        unsafe output.storeBytes(of: id, toByteOffset: index * 24 + 20, as: UInt32.self)
    }
}

/// The started echo process.
final class EchoProcess {
    let process: Child
    /// Our end of the connection.
    let socket: OwnedDescriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw MeasurementError.system("socketpair")
        }
        socket = OwnedDescriptor(ends[0])
        defer { close(ends[1]) }
        process = try Child([try Child.ownProgram(), EchoServer.argument], descriptors: [ends[1]])
    }
}

/// Sends a batch of wl_display.sync and reads all answers; the same bytes for the server and the echo process.
final class Exchange {
    private let socket: OwnedDescriptor
    private let request: [UInt32]
    private var reply: [UInt32]

    /// - Parameter batch: the number of requests per write.
    init(_ socket: OwnedDescriptor, batch: Int) {
        self.socket = socket
        // The answer frees the ids, so that every batch uses the same ones.
        request = (0..<batch).flatMap { [1, 12 << 16, UInt32($0 + 2)] }
        reply = [UInt32](repeating: 0, count: batch * 6)
    }

    /// Connects to the server.
    convenience init(_ server: PrivateServer, batch: Int) throws {
        self.init(try UnixSocket.connect(to: server.socket), batch: batch)
    }

    /// Sends requests repeatedly for this many seconds.
    /// - Parameter pause: the time between two requests, if the first has been answered.
    /// - Returns: how long each answer took, in seconds.
    func waits(for seconds: Double, pause: Double) throws -> [Double] {
        var times: [Double] = []
        let end = Clock.now + seconds
        while Clock.now < end {
            let start = Clock.now
            try run()
            times.append(Clock.now - start)
            try Clock.sleep(until: start + pause)
        }
        return times
    }

    /// One round trip.
    func run() throws {
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count * 4 else { throw MeasurementError.system("send") }
        let got = unsafe reply.withUnsafeMutableBytes {
            unsafe recv(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_WAITALL))
        }
        guard got == reply.count * 4, reply[0] == 2 else {
            try Interruption.check()
            throw got < 0
                ? MeasurementError.system("recv") : MeasurementError("the answer is not one to wl_display.sync")
        }
    }
}
