// Turns what a server shows into a video.

import CCurl
import Glibc
import Synchronization
import System

/// Records pictures on a thread of its own, whenever they have changed.
final class VideoRecorder: Sendable {
    /// What is recorded, and how.
    struct Plan: Sendable {
        var file: String
        var kind: VideoKind
        /// The path of the picture, with a query.
        var path: String
        /// What it shows, for sentences.
        var title: String
        /// The shortest time between two pictures, in nanoseconds.
        var interval: UInt64
    }

    private struct State {
        var encoder: VideoEncoder?
        /// The size of the video, in pixels.
        var size = PictureSize(width: 0, height: 0)
        /// The server's time of the first picture, in microseconds.
        var start = 0.0
        /// The latest picture, which is written when it is known how long it was shown.
        var picture: [UInt8] = []
        /// When that appeared, in milliseconds.
        var time = 0
        /// How many pictures the video has, the latest one too.
        var count = 0
        var hasOtherSizes = false
        var failure: CommandError?
        /// Why there are no more pictures.
        var end: String?
    }

    private let plan: Plan
    private let client: ControlClient
    private let program: String
    private let partial: String
    /// Whether times are those of the monotonic clock.
    private let isReal: Bool
    private let state = Mutex(State())
    private let isStopped = Atomic(false)

    /// - Throws: why nothing can be recorded.
    init(_ plan: Plan, _ client: ControlClient) throws(CommandError) {
        (self.plan, self.client) = (plan, client)
        program = try VideoEncoder.program()
        isReal = try JSON(parsing: client.send("GET", "/clock").text)["mode"].text == "real"
        partial = try VideoEncoder.prepare(plan.file)
    }

    /// Records the first picture; the others follow on the thread.
    /// - Parameter onEnd: called on the thread when there are no more pictures.
    func begin(onEnd: @escaping @Sendable () -> Void) throws(CommandError) {
        // Not safe on two threads at a time.
        _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        do throws(CommandError) {
            let first = try JSON(parsing: client.send("GET", plan.path).text)
            add(first)
            if let failure = state.withLock({ $0.failure }) { throw failure }
            let frame = first["frame"].text
            let isRunning = DetachedThread.start { [self] in
                follow(after: frame)
                onEnd()
            }
            guard isRunning else { throw .refused("no thread can be started") }
        } catch {
            remove()
            throw error
        }
    }

    /// Whether there are no more pictures.
    var hasEnded: Bool { state.withLock { $0.end != nil || $0.failure != nil } }

    /// Takes the last picture, and completes the file.
    /// - Returns: a sentence about the video.
    func finish() throws(CommandError) -> String {
        isStopped.store(true, ordering: .relaxed)
        var last: JSON?
        if !hasEnded { last = try? JSON(parsing: client.send("GET", plan.path).text) }
        if let last { add(last) }
        let end = last?["time"].number ?? (isReal ? Double(MonotonicClock.nanoseconds / 1000) : 0)
        do throws(CommandError) {
            return try state.withLock { (state) throws(CommandError) in
                if let failure = state.failure { throw failure }
                return try complete(&state, at: end)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the incomplete file.
    func remove() {
        state.withLock { $0.encoder?.cancel() }
        _ = unsafe unlink(partial)
    }

    // MARK: Pictures

    private func follow(after first: String) {
        var frame = first
        while !isStopped.load(ordering: .relaxed), !hasEnded {
            let began = MonotonicClock.nanoseconds
            do throws(CommandError) {
                let path = "\(plan.path)&after=\(frame)"
                let answer = try client.exchange("GET", path, accepting: [404, 409], seconds: 0)
                let json = try JSON(parsing: answer.text)
                guard !isStopped.load(ordering: .relaxed) else { return }
                if answer.status < 400 {
                    add(json)
                    frame = json["frame"].text
                } else {
                    return state.withLock { $0.end = json["detail"].text }
                }
            } catch {
                let reason = error.message ?? "the server has ended"
                return state.withLock { $0.end = reason }
            }
            MonotonicClock.sleep(untilNanoseconds: began + plan.interval)
        }
    }

    /// - Parameter capture: the answer to `GET /v1/capture`.
    private func add(_ capture: JSON) {
        let pngs = [capture["png"]] + capture["screens"].elements.map { $0["png"] }
        guard let png = pngs.lazy.compactMap(\.bytes).first, let size = PictureSize(png) else {
            return state.withLock { $0.failure = .refused("the server's answer contains no picture") }
        }
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(CommandError) {
                try add(png, size, at: capture["time"].number ?? 0, to: &state)
            } catch {
                state.failure = error
            }
        }
    }

    private func add(
        _ png: [UInt8], _ size: PictureSize, at microseconds: Double, to state: inout State
    ) throws(CommandError) {
        guard state.encoder != nil else {
            state.encoder = try VideoEncoder(
                program, plan.kind, plan.file, partial: partial, width: size.width, height: size.height)
            (state.size, state.start, state.picture, state.count) = (size, microseconds, png, 1)
            return
        }
        guard png != state.picture else { return }
        if size != state.size { state.hasOtherSizes = true }
        let time = Int((microseconds - state.start) / 1000)
        if time > state.time {
            try state.encoder?.write(PictureStream.picture(state.picture, at: state.time, for: time - state.time))
            state.time = time
            state.count += 1
        }
        // With a manual clock, only the last picture of a moment counts.
        state.picture = png
    }

    /// Writes the last picture, and once more at the end: that is what gives it its duration.
    private func complete(_ state: inout State, at microseconds: Double) throws(CommandError) -> String {
        let end = max(Int((microseconds - state.start) / 1000), state.time + 1)
        let repeated = max(end - plan.kind.tail, state.time + 1)
        let encoder = state.encoder
        try encoder?.write(PictureStream.picture(state.picture, at: state.time, for: repeated - state.time))
        if end > state.time + plan.kind.tail {
            try encoder?.write(PictureStream.picture(state.picture, at: repeated, for: plan.kind.tail))
        }
        try encoder?.finish()
        let pictures = "\(state.count) \(state.count == 1 ? "picture" : "pictures")"
        var text = "\(plan.file): \(pictures) of \(plan.title) in \(JSON.text(Double(end) / 1000)) s"
        if let reason = state.end { text += "; it ended early: \(reason)" }
        if state.hasOtherSizes {
            text += "; pictures of another size were fitted into \(state.size.width)×\(state.size.height)"
        }
        return text
    }
}

/// The size of a PNG, in pixels.
private struct PictureSize: Equatable {
    var width: Int
    var height: Int
}

extension PictureSize {
    /// Nil for other bytes.
    init?(_ png: [UInt8]) {
        guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return nil }
        func number(_ range: Range<Int>) -> Int { png[range].reduce(0) { $0 << 8 | Int($1) } }
        self.init(width: number(16..<20), height: number(20..<24))
        guard width > 0, height > 0 else { return nil }
    }
}
