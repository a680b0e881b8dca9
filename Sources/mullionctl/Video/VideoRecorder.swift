// Takes the pictures of a video.

import ControlProtocol
import Glibc
import MullionControl
import MullionSystem
import Synchronization

/// Takes pictures on threads of its own, whenever they have changed.
final class VideoRecorder: Sendable {
    /// What is recorded, and how.
    struct Plan: Sendable {
        var file: String
        var kind: VideoKind
        /// Asks for the picture, or for one that is later than a frame.
        var request: @Sendable (_ frame: Int?) -> ControlRequest<API.Capture>
        /// What it shows, for sentences.
        var title: String
        /// The shortest time between two pictures, in nanoseconds.
        var interval: UInt64
    }

    /// What the server answers to a request for a picture.
    enum Taken: Sendable {
        case picture(VideoPicture)
        /// There are no more.
        case end(VideoEnd)
    }

    private struct Video {
        var stream: VideoStream
        /// The server's time when the last picture was taken, in microseconds.
        var end: Double?
    }

    private let plan: Plan
    private let client: ControlClient
    /// Whether times are those of the monotonic clock.
    private let isReal: Bool
    private let first: VideoPicture
    /// Locked while ffmpeg reads: not for the thread that receives signals.
    private let video: Mutex<Video>
    private let end = Mutex<VideoEnd?>(nil)
    private let isStopped = Atomic(false)

    /// Takes the first picture.
    /// - Throws: why nothing can be recorded.
    static func begin(_ plan: Plan, _ client: ControlClient) throws(CommandError) -> (VideoPicture, isReal: Bool) {
        let isReal = try client.send(.getClock()).mode == .real
        return (try VideoPicture(client.send(plan.request(nil))), isReal)
    }

    /// - Parameters:
    ///   - first: from `begin`.
    ///   - input: a pipe to ffmpeg, which `complete` closes.
    init(_ plan: Plan, _ client: ControlClient, _ first: (VideoPicture, isReal: Bool), input: Int32) {
        (self.plan, self.client) = (plan, client)
        (self.first, isReal) = first
        video = Mutex(Video(stream: VideoStream(to: input, plan.kind, first.0)))
    }

    /// Records until `stop`, or until there are no more pictures. SIGCHLD announces that.
    /// - Returns: false if no thread can be started.
    func follow() -> Bool {
        DetachedThread.start { [self] in
            var (frame, arrival): (UInt64?, UInt64) = (first.frame, MonotonicClock.nanoseconds)
            while let last = frame {
                // A picture may have been awaited for long: its request says nothing about the next one.
                MonotonicClock.sleep(untilNanoseconds: arrival + plan.interval)
                guard !isStopped.load(ordering: .acquiring) else { break }
                frame = use(fetch(after: last), isLast: false)
                arrival = MonotonicClock.nanoseconds
            }
            kill(getpid(), SIGCHLD)
        }
    }

    /// Whether there are no more pictures.
    var hasEnded: Bool { end.withLock { $0 != nil } }

    /// Ends it, except for the last picture.
    func stop() { isStopped.store(true, ordering: .releasing) }

    /// Takes the last picture. Waits for the server, but not for ffmpeg, which may be slow.
    func fetchLast() -> Taken { fetch(after: nil) }

    /// Ends it without a last picture.
    func giveUp(_ reason: String) { end(VideoEnd(reason: reason, isFailure: true, time: ownTime)) }

    /// Completes the stream, with the last picture. Waits for ffmpeg.
    func complete(with last: Taken?) -> VideoSummary {
        stop()
        if let last { _ = use(last, isLast: true) }
        return video.withLock { video in
            let end = end.withLock { $0 }
            let length = video.stream.complete(at: video.end ?? end?.time)
            return VideoSummary(
                file: plan.file, title: plan.title, pictures: video.stream.count, milliseconds: length,
                size: first.size, hasOtherSizes: video.stream.hasOtherSizes, end: end,
                isWhole: !video.stream.isBroken)
        }
    }

    /// Takes a picture.
    /// - Parameter frame: waits for a later one; nil: takes the last one now.
    private func fetch(after frame: UInt64?) -> Taken {
        do throws(CommandError) {
            let request = plan.request(frame.flatMap { Int(exactly: $0) })
            let answer = try client.answer(to: request, accepting: [404, 409], seconds: 0)
            guard let problem = answer.problem else { return .picture(try VideoPicture(request.value(of: answer))) }
            // What was recorded is gone.
            let time = try? Double(client.send(.getClock()).now)
            return .end(VideoEnd(reason: problem.detail.printable(), isFailure: false, time: time ?? ownTime))
        } catch {
            return .end(VideoEnd(reason: error.message ?? "the server has ended", isFailure: true, time: ownTime))
        }
    }

    /// Writes a picture, or notes why there are no more.
    /// - Returns: the number of its frame; nil when it is the last one.
    private func use(_ taken: Taken, isLast: Bool) -> UInt64? {
        switch taken {
        case .picture(let picture): return add(picture, isLast: isLast)
        case .end(let reason):
            end(reason, isLast: isLast)
            return nil
        }
    }

    private func add(_ picture: VideoPicture, isLast: Bool) -> UInt64? {
        video.withLock { video in
            // The last picture may have overtaken this one.
            guard isLast || !isStopped.load(ordering: .acquiring) else { return nil }
            video.stream.add(picture)
            if isLast { video.end = picture.time }
            guard video.stream.isBroken else { return isLast ? nil : picture.frame }
            end(VideoEnd(reason: "ffmpeg reads no more pictures", isFailure: true), isLast: isLast)
            return nil
        }
    }

    private func end(_ new: VideoEnd, isLast: Bool = true) {
        end.withLock { end in
            if end == nil, isLast || !isStopped.load(ordering: .acquiring) { end = new }
        }
    }

    /// The server's time if this program can know it, in microseconds.
    private var ownTime: Double? { isReal ? Double(MonotonicClock.nanoseconds / 1000) : nil }
}
