// X11 programs: mullion-x11 as a child process.

import EventLoop
import Glibc
import JSON5
import MullionSystem

/// The configuration's section: `x11: true`, or `x11: { display: 5 }`.
struct X11Configuration: Decodable, Equatable {
    var isEnabled = false
    /// The number of the display; nil: the first free one.
    var display: Int?

    init() {}

    enum CodingKeys: String, CodingKey, CaseIterable { case display }

    init(from decoder: any Decoder) throws {
        if let isEnabled = try? decoder.singleValueContainer().decode(Bool.self) {
            self.isEnabled = isEnabled
            return
        }
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isEnabled = true
        display = try container.decodeIfPresent(Int.self, forKey: .display)
        guard let display, !(0...999).contains(display) else { return }
        throw DecodingError.dataCorruptedError(
            forKey: .display, in: container,
            debugDescription: "\(display) is not the number of a display; use a number from 0 to 999")
    }
}

/// Runs mullion-x11 as long as the server runs, and starts it again when it ends.
final class X11Program {
    /// The longest time before it is started again, in microseconds.
    private static let longestPause: UInt64 = 300_000_000

    private let loop: EventLoop
    private let configuration: X11Configuration
    /// The path of the clients' socket.
    private let socket: String
    private var id: pid_t?
    private var signal: Signal?
    private var timer: Timer?
    private var pause: UInt64 = 1_000_000
    private var begun: UInt64 = 0

    init(_ loop: EventLoop, _ configuration: X11Configuration, socket: String) throws {
        self.loop = loop
        self.configuration = configuration
        self.socket = socket
        signal = try Signal(loop, SIGCHLD) { [unowned self] in childEnded() }
        timer = Timer(loop) { [unowned self] _, _ in start() }
        start()
    }

    /// Ends it, and with it X11 programs.
    func stop() {
        signal?.cancel()
        timer = nil
        if let id { kill(id, SIGTERM) }
        id = nil
    }

    private func start() {
        var words = ["mullion-x11", "--socket", socket]
        if let display = configuration.display { words += ["--display", "\(display)"] }
        begun = loop.now
        do throws(SystemError) {
            id = try ChildProcess(words, program: ChildProcess.path(of: words[0]), closesOthers: true, group: 0).start()
        } catch {
            retry("mullion-x11 cannot be started: \(error)")
        }
    }

    private func childEnded() {
        var status: Int32 = 0
        // As process 1, the server may have reaped it already.
        guard let id, unsafe waitpid(id, &status, WNOHANG) != 0 else { return }
        self.id = nil
        if loop.now - begun > Self.longestPause { pause = 1_000_000 }
        retry("mullion-x11 has ended")
    }

    private func retry(_ reason: String) {
        Log.write(.warning, "x11: \(reason); starting it again in \(pause / 1_000_000) s")
        timer?.arm(at: loop.now + pause)
        pause = min(pause * 2, Self.longestPause)
    }
}
