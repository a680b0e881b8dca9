// The display, the connection to the server, and the X server while there is one.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// Serves one X display until a signal or the end of the server.
final class Program {
    /// How long a display waits after an X server that could not start, in microseconds; waiting programs are refused first.
    private static let rest: UInt64 = 1_000_000

    private let options: Options
    private let xwayland: String
    private let loop: EventLoop
    private let link: ServerLink
    private let display: XDisplay
    /// Nil without --ends-fd.
    private let ends: ProgramEnds?
    private var waiting: [IOSource] = []
    private var session: Session?
    /// X servers that were given up and have not ended yet.
    private var ending: [XwaylandProcess] = []
    private var signals: [Signal] = []
    private var pause: Timer?
    private var failure: Failure?

    init(_ options: Options) throws {
        self.options = options
        signal(SIGPIPE, SIG_IGN)
        let display = try XDisplay.make(options.display)
        do {
            xwayland = try XwaylandProcess.find(options.xwayland)
            let loop = try EventLoop()
            ends = try options.endsDescriptor.map { try ProgramEnds(loop, descriptor: $0) }
            self.loop = loop
            link = try ServerLink(loop, socket: options.socket)
        } catch {
            display.refuseWaiting()
            display.remove()
            throw error
        }
        self.display = display
    }

    func run() throws {
        link.onEnd = { [unowned self] reason in
            failure = Failure(description: reason)
            loop.stop()
        }
        signals = try [SIGTERM, SIGINT, SIGHUP].map { number in
            try Signal(loop, number) { [unowned self] in loop.stop() }
        }
        signals.append(
            try Signal(loop, SIGCHLD) { [unowned self] in
                ending.removeAll { $0.ended() != nil }
                session?.childEnded()
            })
        pause = Timer(loop) { [unowned self] _, _ in listen() }
        loop.afterTurn = { [unowned self] in
            session?.turnEnded()
            link.flush()
        }
        listen()
        link.manager.send(.setDisplay(name: ":\(display.number)"))
        link.flush()
        try announce()
        try loop.run()
        waiting = []
        ends?.finish()
        session?.stop()
        link.close()
        // A service manager would start the program for them again.
        if failure != nil { display.refuseWaiting() }
        display.remove()
        if let failure { throw failure }
    }

    private func announce() throws(Failure) {
        guard let descriptor = options.readyDescriptor else { return }
        do throws(SystemError) {
            try DescriptorIO.write(Array(":\(display.number)\n".utf8), to: descriptor)
        } catch {
            throw Failure(description: "--ready-fd \(descriptor): \(error)")
        }
        // A reader may wait for the end of the file.
        if descriptor > 2, descriptor != options.endsDescriptor { close(descriptor) }
    }

    // MARK: X servers

    /// Waits for the first X11 program.
    private func listen() {
        do throws(EventLoopError) {
            waiting = try display.sockets.map { socket throws(EventLoopError) in
                try IOSource(loop, descriptor: socket.rawValue) { [unowned self] in start() }
            }
        } catch {
            failure = Failure(description: "\(error)")
            loop.stop()
        }
    }

    private func start() {
        guard session == nil else { return }
        waiting = []
        do {
            let session = try Session(loop, link, display: display, xwayland: xwayland, ends)
            session.onEnd = { [unowned self] reason in ended(reason) }
            self.session = session
        } catch {
            ended("\(error)")
        }
    }

    /// - Parameter reason: why it failed; nil when it ended because nobody used it.
    private func ended(_ reason: String?) {
        let hasServed = session?.hasServed ?? false
        if let process = session?.process, process.ended() == nil { ending.append(process) }
        session = nil
        if let reason { Log.write(reason) }
        guard reason != nil, !hasServed else { return listen() }
        // Otherwise programs that wait in the backlog would start it again at once.
        display.refuseWaiting()
        pause?.arm(at: loop.now + Self.rest)
    }
}
