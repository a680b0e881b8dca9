// The course of a recording.

import Glibc
import MullionControl

/// A recording, as the thread that receives signals sees it: it waits neither for the server nor for ffmpeg.
final class VideoRecording {
    private enum Step {
        case recording
        /// Waits for the server, for a limited time.
        case takingLast(Inquiry<VideoRecorder.Taken>, until: ContinuousClock.Instant)
        /// Waits until ffmpeg has read everything, and has ended, as long as it goes on.
        case completing(Inquiry<VideoSummary>, Progress)
        case done(Result<VideoSummary, CommandError>)
    }

    /// What ffmpeg has done.
    private struct Progress {
        /// Its processor time.
        var work: Int?
        /// Since when it has not changed.
        var since = ContinuousClock.now
        let start = ContinuousClock.now
    }

    /// How long ffmpeg may do nothing at the end, and how long it may take in all, in seconds: all pictures but the last
    /// ones have been encoded.
    private static let (idleMaximum, encodingMaximum) = (15, 600)

    let signals: BlockedSignals
    private let file: String
    private let encoder: VideoEncoder
    private let recorder: VideoRecorder
    private var step = Step.recording
    private var isHurried = false

    /// Begins.
    /// - Throws: why nothing can be recorded.
    init(_ plan: VideoRecorder.Plan, _ client: ControlClient) throws(CommandError) {
        file = plan.file
        let program = try VideoEncoder.program()
        // Signals still end this program: there is nothing to complete.
        let first = try VideoRecorder.begin(plan, client)
        // Block them before starting a thread, so that none are lost.
        signals = BlockedSignals()
        encoder = try VideoEncoder(program, plan.kind, plan.file, first.0.size)
        recorder = VideoRecorder(plan, client, first, input: encoder.input)
        guard recorder.follow() else {
            encoder.cancel()
            throw .refused("no thread can be started")
        }
    }

    /// Nil until the end.
    var result: Result<VideoSummary, CommandError>? {
        if case .done(let result) = step { result } else { nil }
    }

    /// When to call `advance`, if nothing else happens.
    var deadline: ContinuousClock.Instant? {
        switch step {
        case .takingLast(_, let deadline): deadline
        case .completing: ContinuousClock.now + .seconds(1)
        case .recording, .done: nil
        }
    }

    /// Ends the recording, with a last picture.
    func stop() {
        guard case .recording = step, !recorder.hasEnded, !encoder.hasEnded else { return }
        recorder.stop()
        let inquiry = Inquiry { [recorder] in recorder.fetchLast() }
        step = .takingLast(inquiry, until: .now + .seconds(ServerInquiries.patience))
    }

    /// Call it after each signal, SIGCHLD too.
    func advance() {
        if case .recording = step, recorder.hasEnded || encoder.hasEnded { complete() }
        if case .takingLast(let inquiry, let deadline) = step {
            if let last = inquiry.answer {
                complete(with: last)
            } else if ContinuousClock.now >= deadline {
                recorder.giveUp(ServerInquiries.silence)
                complete()
            }
        }
        guard case .completing(let inquiry, let progress) = step else { return }
        guard let summary = inquiry.answer, encoder.hasEnded else { return watch(inquiry, progress) }
        do throws(CommandError) {
            try encoder.save(isWhole: summary.isWhole)
            step = .done(.success(summary))
        } catch {
            step = .done(.failure(error))
        }
    }

    /// Ends the recording; then the wait for the server; then the wait for ffmpeg, after a warning.
    func interrupt(by signal: Int32) {
        switch step {
        case .recording: stop()
        case .takingLast(let inquiry, _):
            if inquiry.answer == nil { recorder.giveUp("a second signal arrived before the server's last picture") }
            complete(with: inquiry.answer)
        case .completing where !isHurried:
            isHurried = true
            Terminal.error("mullionctl: \(file) is being completed; another signal gives it up")
        case .completing:
            cancel()
            Terminal.error("mullionctl: \(file) was given up, because ffmpeg had not completed it")
            step = .done(.failure(.status(128 + signal)))
        case .done: break
        }
    }

    /// Gives the video up.
    func cancel() { encoder.cancel() }

    private func complete(with last: VideoRecorder.Taken? = nil) {
        step = .completing(Inquiry { [recorder] in recorder.complete(with: last) }, Progress())
    }

    /// Gives the video up when ffmpeg hangs: without an end, neither would the test that is recorded have one.
    private func watch(_ inquiry: Inquiry<VideoSummary>, _ old: Progress) {
        var progress = old
        let work = encoder.work
        if work != progress.work { (progress.work, progress.since) = (work, .now) }
        let reason: String
        if ContinuousClock.now - progress.since >= .seconds(Self.idleMaximum) {
            reason = "did nothing for \(Self.idleMaximum) seconds"
        } else if ContinuousClock.now - progress.start >= .seconds(Self.encodingMaximum) {
            reason = "had not completed it within \(Self.encodingMaximum) seconds"
        } else {
            step = .completing(inquiry, progress)
            return
        }
        cancel()
        step = .done(.failure(.refused("\(file) was given up, because ffmpeg \(reason)")))
    }
}
