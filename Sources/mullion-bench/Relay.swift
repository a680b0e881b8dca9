// The baseline for routing: a process between a writer and its readers, and a reader.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// This program run as a bare relay on libevent: for every 36 bytes from the writer, 28 go to one of the readers, in
/// the form of a virtual pointer's requests and of a client's events. A real server, too, must at least look at each
/// message and write another.
final class RelayProcess {
    /// The argument that starts this program as a relay; the number of readers follows.
    static let argument = "--relay"
    private static let input = InjectedMotion.words * 4
    private static let output = 28

    let process: Child
    /// The writer's end.
    let writer: OwnedDescriptor
    /// The readers' ends.
    let readers: [OwnedDescriptor]

    init(readers count: Int) throws {
        let pairs = try (0...count).map { _ in try SocketPair() }
        writer = pairs[0].near
        readers = pairs.dropFirst().map(\.near)
        process = try withExtendedLifetime(pairs) {
            try Child([try Child.ownProgram(), Self.argument, "\(count)"], descriptors: pairs.map(\.far.rawValue))
        }
    }

    /// Serves until the writer closes; the readers' descriptors follow the writer's.
    static func serve(from writer: Int32, targets: Int) throws {
        let loop = try EventLoop()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: InputBuffer.size, alignment: 8)
        var outputs = (0..<targets).map { RelayOutput(writer + 1 + Int32($0), buffer.count / input * output) }
        defer {
            unsafe buffer.deallocate()
            for output in outputs { unsafe output.buffer.deallocate() }
        }
        var kept = 0
        var dirty: [Int] = []
        let source = try IOSource(loop, descriptor: writer) {
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
            let got = unsafe recv(writer, free.baseAddress, free.count, 0)
            guard got > 0 else { return loop.stop() }
            let messages = (kept + got) / input
            for index in 0..<messages {
                let target = unsafe InjectedMotion.cell(
                    x: buffer.load(fromByteOffset: index * input + 12, as: UInt32.self),
                    y: buffer.load(fromByteOffset: index * input + 16, as: UInt32.self))
                guard outputs.indices.contains(target) else { return loop.stop() }
                if outputs[target].count == 0 { dirty.append(target) }
                unsafe outputs[target].append(
                    UnsafeRawBufferPointer(rebasing: buffer[(index * input)...].prefix(output)))
            }
            for target in dirty { outputs[target].send() }
            dirty.removeAll(keepingCapacity: true)
            kept = kept + got - messages * input
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[(messages * input)...].prefix(kept)))
        }
        try loop.run()
        source.cancel()
    }
}

/// The pending output for one reader.
@safe private struct RelayOutput {
    let descriptor: Int32
    let buffer: UnsafeMutableRawBufferPointer
    var count = 0

    init(_ descriptor: Int32, _ size: Int) {
        self.descriptor = descriptor
        unsafe buffer = .allocate(byteCount: size, alignment: 8)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    mutating func send() {
        _ = unsafe Glibc.send(descriptor, buffer.baseAddress, count, Int32(MSG_NOSIGNAL))
        count = 0
    }
}

/// This program run as a client that reads and reports its progress.
final class ReaderProcess {
    /// The argument that starts this program as a reader.
    static let argument = "--reader"

    private struct Report {
        var time = 0.0
        var bytes = 0
    }

    private let process: Child
    private let reports: OwnedDescriptor

    /// Reads from the socket from now on.
    init(_ socket: Int32) throws {
        let pair = try SocketPair()
        reports = pair.near
        process = try withExtendedLifetime(pair) {
            try Child([try Child.ownProgram(), Self.argument], descriptors: [socket, pair.far.rawValue])
        }
    }

    /// Waits until this many bytes were read.
    /// - Returns: when the last of them were read, in seconds of the monotonic clock.
    func wait(for bytes: Int) throws -> Double {
        var read = 0
        while true {
            var report = Report()
            let got = unsafe recv(reports.rawValue, &report, MemoryLayout<Report>.size, Int32(MSG_WAITALL))
            guard got == MemoryLayout<Report>.size else {
                try Interruption.check()
                throw MeasurementError("the reading process has exited")
            }
            read += report.bytes
            if read == bytes { return report.time }
            guard read < bytes else { throw MeasurementError("\(read) bytes were read, not \(bytes)") }
        }
    }

    /// Reads until the other end closes.
    static func read(_ socket: Int32, report: Int32) throws {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL, 0) & ~O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let got = unsafe recv(socket, &buffer, buffer.count, 0)
            guard got > 0 else { return }
            var read = Report(time: Clock.now, bytes: got)
            guard unsafe send(report, &read, MemoryLayout<Report>.size, Int32(MSG_NOSIGNAL)) > 0 else { return }
        }
    }
}

/// A pair of connected sockets.
struct SocketPair {
    let near: OwnedDescriptor
    let far: OwnedDescriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw MeasurementError.system("socketpair")
        }
        near = OwnedDescriptor(ends[0])
        far = OwnedDescriptor(ends[1])
    }
}
