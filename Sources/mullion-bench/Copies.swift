// Measures a full-size animation of which another client copies each frame.

import Glibc
import MullionWayland

enum Copies {
    /// Rounds of one window per party; together they last four seconds per party.
    private static let rounds = 8
    private static let window = 0.5

    static func measure() throws -> [Row] {
        let parties = try [
            ("zwlr_screencopy_v1 with damage", Recorder.screencopy), ("ext_image_copy_capture_v1", Recorder.imageCopy),
        ].map { name, record in
            let server = try PrivateServer()
            let animation = try Animation(server)
            let recorder = try Recorder(server)
            try record(recorder)()
            return (name, server, animation, recorder)
        }
        let copy = MemoryCopy()
        var cpu = [[Double]](repeating: [], count: parties.count)
        var copies: [Double] = []
        for round in 0...rounds {
            for (index, (name, server, animation, recorder)) in parties.enumerated() {
                let (before, framesBefore) = (try server.process.cpuTime(), recorder.copies)
                let frames = try animation.run(beside: recorder, seconds: window)
                let used = try server.process.cpuTime() - before
                let copied = recorder.copies - framesBefore
                guard copied * 10 >= frames * 9 else {
                    throw MeasurementError("\(name): only \(copied) of \(frames) frames were copied")
                }
                if round > 0 { cpu[index].append(used / Double(copied)) }
            }
            let used = try Frames.paced(copy)
            if round > 0 { copies.append(used) }
        }
        return zip(parties, cpu).map { party, used in
            Row(
                "server CPU per full-size frame, copied by \(party.0)", used, "µs", scale: 1e6,
                per: "memcpy of the same bytes at 60 Hz", copies)
        }
    }
}

/// A client that shows two buffers in turn, one per frame callback.
private final class Animation {
    private let client: BenchClient
    private let surface: Proxy<WlSurface>
    private let buffers: [Proxy<WlBuffer>]
    private var frames = 0

    init(_ server: PrivateServer) throws {
        let client = try BenchClient(server)
        self.client = client
        buffers = try [0xff20_4060, 0xff60_4020].map {
            try client.buffer($0, width: BenchClient.screen.width, height: BenchClient.screen.height)
        }
        surface = try client.window(buffers[0])
        show()
    }

    private func show() {
        client.show(buffers[frames % 2], on: surface) { [unowned self] in
            frames += 1
            show()
        }
    }

    /// Serves both clients.
    /// - Returns: the number of frames shown.
    func run(beside recorder: Recorder, seconds: Double) throws -> Int {
        let (before, end) = (frames, Clock.now + seconds)
        let connections = [client.connection, recorder.client.connection]
        while Clock.now < end {
            var waiting = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            for connection in connections { try connection.flush() }
            guard unsafe poll(&waiting, 2, 10_000) > 0 else { throw MeasurementError("no frame callback arrived") }
            for connection in connections { while try connection.dispatchAvailable() {} }
            try Interruption.check()
        }
        return frames - before
    }
}

/// A client that copies each frame of the screen to one buffer.
private final class Recorder {
    let client: BenchClient
    private(set) var copies = 0
    private let output: Proxy<WlOutput>
    private let buffer: Proxy<WlBuffer>

    init(_ server: PrivateServer) throws {
        client = try BenchClient(server)
        output = try client.bind(WlOutput.self)
        buffer = try client.buffer(0, width: BenchClient.screen.width, height: BenchClient.screen.height)
    }

    func screencopy() throws {
        let manager = try client.bind(ZwlrScreencopyManagerV1.self)
        func copy() {
            let frame = Proxy<ZwlrScreencopyFrameV1>(client.connection, version: manager.version)
            manager.send(.captureOutput(frame: frame.id, overlayCursor: 0, output: output.id))
            frame.onEvent = { [unowned self] event in
                switch event {
                case .bufferDone: frame.send(.copyWithDamage(buffer: buffer.id))
                case .ready:
                    copies += 1
                    frame.send(.destroy)
                    copy()
                default: break
                }
            }
        }
        copy()
    }

    func imageCopy() throws {
        let connection = client.connection
        let sources = try client.bind(ExtOutputImageCaptureSourceManagerV1.self)
        let manager = try client.bind(ExtImageCopyCaptureManagerV1.self)
        let source = Proxy<ExtImageCaptureSourceV1>(connection, version: 1)
        sources.send(.createSource(source: source.id, output: output.id))
        let session = Proxy<ExtImageCopyCaptureSessionV1>(connection, version: 1)
        manager.send(.createSession(session: session.id, source: source.id, options: []))
        func copy() {
            let frame = Proxy<ExtImageCopyCaptureFrameV1>(connection, version: 1)
            session.send(.createFrame(frame: frame.id))
            frame.send(.attachBuffer(buffer: buffer.id))
            frame.send(.capture)
            frame.onEvent = { [unowned self] event in
                guard case .ready = event else { return }
                copies += 1
                frame.send(.destroy)
                copy()
            }
        }
        session.onEvent = { event in
            if case .done = event { copy() }
        }
    }
}
