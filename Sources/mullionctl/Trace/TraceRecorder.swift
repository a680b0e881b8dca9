// Follows a private server while a command runs.

import JSON5
import MullionControl
import MullionSystem
import Synchronization

/// Records events and pictures of a server, on two threads that end with the server.
final class TraceRecorder: Sendable {
    /// The longest wait for the event stream to begin, and to bring what has happened, in milliseconds.
    private static let patience: Int32 = 5000

    private let client: ControlClient
    private let hasPictures: Bool
    /// Whether times are those of the server, which are more precise than those at which its answers arrive.
    private let hasServersTime: Bool
    /// Microseconds of the monotonic clock.
    private let start: UInt64
    private let state = Mutex(Recorded())
    private let isStopped = Atomic(false)
    private let begun: Signal
    private let ended: [Signal]

    struct Recorded {
        var events = TraceEvents()
        var pictures = TracePictures()
    }

    /// - Parameters:
    ///   - hasPictures: whether to record pictures too.
    ///   - isManual: whether the server's clock is stepped, and its times mean something else.
    init(_ client: ControlClient, hasPictures: Bool, isManual: Bool) throws(CommandError) {
        self.client = client
        self.hasPictures = hasPictures
        hasServersTime = !isManual
        start = MonotonicClock.nanoseconds / 1000
        begun = try Signal()
        ended = [try Signal(), try Signal()]
    }

    /// Begins; returns when nothing is missed any more.
    func begin() {
        let isFollowing = DetachedThread.start { [self] in
            followEvents()
            begun.raise()
            ended[0].raise()
        }
        if isFollowing { _ = begun.wait(milliseconds: Self.patience) } else { ended[0].raise() }
        let isDrawing =
            hasPictures
            && DetachedThread.start { [self] in
                followPictures()
                ended[1].raise()
            }
        if !isDrawing { ended[1].raise() }
    }

    /// Seconds since the beginning.
    var now: Double { seconds(MonotonicClock.nanoseconds / 1000) }

    /// When something happened that the server reports now.
    /// - Parameter time: the server's, in microseconds.
    private func time(of time: UInt64) -> Double { hasServersTime && time > 0 ? seconds(time) : now }

    /// The time of a moment of the monotonic clock.
    func seconds(_ microseconds: UInt64) -> Double { (Double(microseconds) - Double(start)) / 1e6 }

    /// Takes a picture now.
    func takePicture() {
        if hasPictures { takePicture(after: nil) }
    }

    /// Takes a last picture, and returns everything once the events so far have arrived.
    func finish(_ inquiries: ServerInquiries) -> Recorded {
        _ = inquiries.ask { [self] _ in takePicture() }
        isStopped.store(true, ordering: .relaxed)
        _ = inquiries.ask { [ended] client in
            // Also an event, which ends the stream.
            _ = try? client.send(.getClients())
            _ = ended[0].wait(milliseconds: Self.patience / 2)
        }
        return state.withLock { $0 }
    }

    /// The events in order, with `at` in seconds since the beginning.
    func json(of events: TraceEvents) -> [JSON] {
        events.all.map { event in
            let data = (try? JSON(parsing: event.data)) ?? .object([:])
            let servers = hasServersTime ? data["time"].number.flatMap { UInt64(exactly: $0) }.map(time) : nil
            return data.with("event", .string(event.name)).with("at", .number((servers ?? event.time).toMicroseconds))
        }
    }

    /// Call it when the server has ended: the threads end then.
    func join() { for signal in ended { _ = signal.wait(milliseconds: 1000) } }

    private func followEvents() {
        var name = ""
        try? client.stream(.getEvents, [("requests", "true")]) { [self] line in
            if line.hasPrefix("event: ") {
                name = String(line.dropFirst(7))
            } else if line.hasPrefix("data: ") {
                let data = String(line.dropFirst(6))
                state.withLock { $0.events.add(name, data, at: now) }
            }
            begun.raise()
            return !isStopped.load(ordering: .relaxed)
        }
    }

    private func followPictures() {
        var frame: Int?
        var failures = 0
        while !isStopped.load(ordering: .relaxed), failures < 5 {
            if let new = takePicture(after: frame) { (frame, failures) = (new, 0) } else { failures += 1 }
            // It may have been awaited for long.
            let arrival = MonotonicClock.nanoseconds
            let interval = state.withLock { $0.pictures.interval }
            MonotonicClock.sleep(untilNanoseconds: arrival + UInt64(interval * 1e9))
        }
    }

    /// Waits until the picture is another one.
    /// - Returns: the number of the frame; nil when there was no answer.
    @discardableResult
    private func takePicture(after frame: Int?) -> Int? {
        let request = ControlRequest.getCapture(upright: true, cursor: true, after: frame)
        guard let capture = try? client.send(request) else { return nil }
        state.withLock { $0.pictures.add(capture, at: time(of: capture.time)) }
        return Int(exactly: capture.frame)
    }

    /// Something that another thread can wait for.
    private final class Signal: Sendable {
        private let pipe: Pipe
        private let isRaised = Atomic(false)

        init() throws(CommandError) { pipe = try Pipe() }

        func raise() { if !isRaised.exchange(true, ordering: .relaxed) { pipe.closeWriteEnd() } }

        func wait(milliseconds: Int32) -> Bool { pipe.waitForEnd(milliseconds: milliseconds) }
    }
}
