// record

import ControlProtocol
import Glibc
import MullionControl
import MullionSystem

extension Command {
    static var recordCommand: Command {
        Command(
            name: "record",
            arguments: "-o FILE [--screen SCREEN | --window ID] [--duration DURATION] [--fps-limit N] [--upright] "
                + "[--cursor] [--popups] [-- COMMAND…]",
            summary: "save a video of a screen, of all screens, or of a window",
            details: """
                FILE ends in .webm, .mp4 or .gif. The program ffmpeg writes it. Records until
                COMMAND ends, whose exit status is passed on, otherwise until Ctrl-C or
                SIGTERM, and at most until the screen is unplugged or the window closed.
                Without --screen, the video shows all screens at their positions in the
                global layout. If the server sends no more pictures for another reason, the
                video is complete up to there, and the exit status is 1 unless COMMAND's is
                another one than 0.

                Only changes are recorded, each at its time on the server's clock, and the
                last picture once more at the end. A screen on which nothing changes costs
                nothing. Pictures of another size than the first one, after a rotation or
                another mode, are fitted into the first one's.

                  --screen SCREEN        only this screen
                  --window ID            a window by itself, without what covers it; also
                                         its title
                  --duration DURATION    end after that time, such as 10s or 500ms
                  --fps-limit N          at most N pictures a second (default: 30)
                  --upright              rotate a rotated screen to upright
                  --cursor               include the cursor
                  --popups               with --window: include pop-ups outside the window

                Examples:
                  $ mullionctl record -o menu.webm --screen TV -- ./my-test
                  $ mullionctl run -- mullionctl record -o test.mp4 -- ./my-test
                """,
            run: { (call) throws(CommandError) in try RecordCommand(call).run() })
    }
}

/// One invocation of `mullionctl record`.
private struct RecordCommand {
    private let client: ControlClient
    private let plan: VideoRecorder.Plan
    private let command: [String]
    private let isJSON: Bool
    /// Nil: without a limit.
    private let duration: Duration?

    init(_ call: Invocation) throws(CommandError) {
        (client, isJSON) = (call.client, call.json)
        let files = call.option("-o", "--output")
        let screen = try call.single("--screen")
        let window = try call.single("--window")
        let (upright, cursor, popups) = (call.flag("--upright"), call.flag("--cursor"), call.flag("--popups"))
        duration = try call.single("--duration").map { (word) throws(CommandError) in
            let microseconds = try Values.duration(word)
            guard microseconds >= 1000 else { throw .usage("--duration: \(word) is not a millisecond or longer") }
            return .microseconds(Int64(microseconds))
        }
        let limit = try call.single("--fps-limit") ?? "30"
        guard let rate = DecimalText.number(limit), (0.1...120).contains(rate) else {
            throw .usage("--fps-limit: \"\(limit)\" is not a number of pictures a second; use 0.1 to 120")
        }
        command = call.line.rest ?? []
        if call.line.rest?.isEmpty == true { throw .usage("the command after -- is missing") }
        try call.endOptions()
        guard let file = files.last, files.count == 1 else { throw .usage("use -o FILE once") }
        guard window == nil || screen == nil && !upright else {
            throw .usage("--window records a picture of its own; use it without --screen and --upright")
        }
        guard window != nil || !popups else { throw .usage("--popups is an option of --window ID") }
        let request: @Sendable (Int?) -> ControlRequest<API.Capture>
        var title = "all screens"
        if let window {
            let id = try client.windowID(window, "--window")
            request = { .getCapture(window: id, cursor: cursor, popups: popups, after: $0) }
            title = "window \(window)"
        } else if let screen {
            request = { .getCapture(screen: screen, upright: upright, cursor: cursor, after: $0) }
            title = screen
        } else {
            request = { .getCapture(joined: true, cursor: cursor, after: $0) }
        }
        plan = VideoRecorder.Plan(
            file: file, kind: try VideoKind(of: file), request: request, title: title, interval: UInt64(1e9 / rate))
    }

    func run() throws(CommandError) {
        let recording = try VideoRecording(plan, client)
        var process: Process?
        if !command.isEmpty {
            do throws(SystemError) {
                process = try Process(ChildProcess(command))
            } catch {
                Terminal.error("mullionctl: \(command[0]): \(error)")
                recording.cancel()
                throw .status(Process.status(of: error))
            }
            recording.signals.command = process?.id ?? 0
        }
        var end = duration.map { ContinuousClock.now + $0 }
        // Of the command, once it has ended.
        var status: Int32?
        while true {
            if status == nil, let process {
                status = process.ended()
                if status != nil { (recording.signals.command, end) = (0, .now) }
            }
            if let time = end, ContinuousClock.now >= time {
                end = nil
                recording.stop()
            }
            recording.advance()
            // The command runs on when the recording has ended.
            if let result = recording.result, process == nil || status != nil { return try report(result, status ?? 0) }
            let next = [end, recording.deadline].compactMap(\.self).min()
            guard let signal = recording.signals.next(until: next) else { continue }
            if let process, status == nil { process.send(signal) } else { recording.interrupt(by: signal) }
        }
    }

    /// - Parameter status: the command's exit status, which is passed on unless it is 0.
    private func report(_ result: Result<VideoSummary, CommandError>, _ status: Int32) throws(CommandError) {
        let own: Int32
        switch result {
        case .success(let summary):
            own = summary.end?.isFailure == true ? 1 : 0
            // Standard output is the command's.
            if isJSON {
                let line = summary.json.encoded + "\n"
                if command.isEmpty { Terminal.out(line) } else { Terminal.error(line) }
            } else if command.isEmpty, own == 0 {
                Terminal.out(summary.text + "\n")
            } else {
                Terminal.error("mullionctl: \(summary.text)")
            }
        case .failure(let error):
            own = error.status
            if let message = error.message { Terminal.error("mullionctl: \(message)") }
        }
        if status != 0 || own != 0 { throw .status(status != 0 ? status : own) }
    }
}
