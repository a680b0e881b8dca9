// The course of a recording.

import Glibc

/// A recording, as the thread that receives signals sees it: it waits neither for the server nor for ffmpeg.
final class VideoRecording {
    private enum Step {
        case recording
        /// Waits for the server, for a limited time.
        case takingLast(Inquiry<Bool>, until: ContinuousClock.Instant)
        /// Waits until ffmpeg has read everything, and has ended.
        case completing(Inquiry<VideoSummary>)
        case done(Result<VideoSummary, CommandError>)
    }

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
        if case .takingLast(_, let deadline) = step { deadline } else { nil }
    }

    /// Ends the recording, with a last picture.
    func stop() {
        guard case .recording = step, !recorder.hasEnded, !encoder.hasEnded else { return }
        recorder.stop()
        let inquiry = Inquiry { [recorder] in
            recorder.takeLast()
            return true
        }
        step = .takingLast(inquiry, until: .now + .milliseconds(ServerInquiries.patience))
    }

    /// Call it after each signal, SIGCHLD too.
    func advance() {
        if case .recording = step, recorder.hasEnded || encoder.hasEnded { complete() }
        if case .takingLast(let inquiry, let deadline) = step {
            if inquiry.answer != nil {
                complete()
            } else if ContinuousClock.now >= deadline {
                recorder.giveUp(ServerInquiries.silence)
                complete()
            }
        }
        guard case .completing(let inquiry) = step, let summary = inquiry.answer, encoder.hasEnded else { return }
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
            complete()
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

    private func complete() {
        step = .completing(Inquiry { [recorder] in recorder.complete() })
    }
}
