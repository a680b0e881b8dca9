// The running server: sockets, screens, signals.

import ControlAPI
import DisplayServer
import Displays
import EventLoop
import Glibc
import WindowModel

/// Everything that `mulliond` sets up, in the order in which a client could notice.
final class Daemon {
    private let options: Options
    /// What counts of command line and configuration; a reload changes it.
    private var start: Start
    private let loop: EventLoop
    private let server: DisplayServer
    private let manager: ServiceManager
    private let logLevel: LogLevel
    private let inheritance: ServiceManager.Inheritance
    /// Whether another server's screens and clients are there already.
    private let hasTakenOver: Bool
    /// Whether a server that follows is to go on with the clients.
    private var isHandingOver = false
    private var control: ControlServer?
    private var clientPath = ""
    private var controlPath = ""
    private var memory: ScreenMemoryKeeper?
    /// Where the token of those who come over TCP is.
    private var tokenFile: TokenFile?
    /// Why nobody is served over TCP, although that is asked for.
    private var webMistake: String?
    private var signals: [Signal] = []
    /// Runs while answers are still being given; then the server ends.
    private var drain: Timer?
    /// How long that may take, in microseconds: shorter than a service manager's patience.
    private static let drainLimit: UInt64 = 5_000_000

    /// Why the server cannot run.
    struct Failure: Error, CustomStringConvertible { let description: String }

    init(_ start: Start, _ inheritance: ServiceManager.Inheritance, _ manager: ServiceManager) throws {
        let (options, configuration) = (start.options, start.configuration)
        self.options = options
        self.start = start
        self.inheritance = inheritance
        self.manager = manager
        logLevel = LogLevel(configuration.logLevel)
        // Before the server sees how many it may open.
        Self.raiseDescriptorLimit()
        loop = try EventLoop()
        let (loop, logLevel) = (loop, logLevel)
        func make(_ state: HandOverState?) throws -> DisplayServer {
            let (policy, limits) = (configuration.policy, configuration.limits.limits)
            let server =
                state.map { DisplayServer(loop: loop, policy: policy, limits: limits, takingOver: $0) }
                ?? DisplayServer(loop: loop, policy: policy, limits: limits, clock: options.clock)
            server.isHandOverPossible = options.handsOver && manager.mayHaveStore
            server.onLogEntry = { entry in
                if entry.level.rawValue >= logLevel.lowest.rawValue { Log.write(entry) }
            }
            try Self.configure(server, configuration)
            return server
        }
        if let server = try inheritance.takeOver(clock: options.clock, make) {
            self.server = server
            hasTakenOver = true
        } else {
            server = try make(nil)
            hasTakenOver = false
        }
        try addSeats()
    }

    private static func configure(_ server: DisplayServer, _ configuration: Configuration) throws {
        server.displays.own = configuration.displays
        server.displays.onWarning = { Log.write(.warning, $0) }
        do {
            try server.setKeyboard(configuration.keyboard)
        } catch {
            throw Failure(description: "keyboard: \(error)")
        }
        server.screenControl = configuration.screenControl
        server.fixedRotation = configuration.fixedRotation
        server.peerPolicy = configuration.peerPolicy
    }

    /// K1: those that another server had are there already, with whoever is at them.
    private func addSeats() throws {
        let seats = start.configuration.seats.enumerated().filter { server.model.seat(named: $1.name) == nil }
        for (index, seat) in seats {
            do {
                try server.addSeat(name: seat.name, screens: seat.screens, keyboard: seat.keyboard)
            } catch {
                let failure = Failure(description: "seats[\(index)]: \(error)")
                guard hasTakenOver else { throw failure }
                Log.write(.warning, "\(failure); it is left out")
            }
        }
    }

    /// Serves until it is told to stop.
    /// - Parameter ready: is called once clients are served.
    func run(ready: () -> Void) throws {
        let state = options.state ?? options.places.state
        memory = state.flatMap { $0 == "none" ? nil : ScreenMemoryKeeper(server, folder: $0) }
        if !hasTakenOver, !inheritance.plugScreens(of: server) { try plugScreens() }
        if options.composesAlways {
            for screen in server.model.screens { server.watch(screen) }
        }
        keepScreens()
        let client = try clientSocket(inheritance.sockets["client"])
        server.socketName = client.name
        clientPath = client.socket.path ?? client.name
        try server.listen(on: client.socket)
        let controlSocket = try controlSocket(inheritance.sockets["control"])
        controlPath = controlSocket.path ?? "an inherited socket"
        control = try ControlServer(server, socket: controlSocket)
        defer { tokenFile?.remove() }
        try serveWeb()
        signals = try [SIGTERM, SIGINT].map { number in
            try Signal(loop, number) { [unowned self] in
                isHandingOver = number == SIGTERM && server.isHandOverPossible
                stop()
            }
        }
        signals.append(try Signal(loop, SIGHUP) { [unowned self] in reload() })
        Termination.release()
        signal(SIGPIPE, SIG_IGN)
        // A file that would become too large is a write that fails.
        signal(SIGXFSZ, SIG_IGN)
        // Whoever started this may have ignored it; a process of one's own could not be waited for then.
        signal(SIGCHLD, SIG_DFL)
        if ProcessOne.isThis { signals.append(try ProcessOne.reap(on: loop)) }
        keepStart()
        tellReady(client.name)
        ready()
        manager.startWatchdog(on: loop)
        server.watchStalls { Log.write(.warning, $0) }
        try loop.run()
        manager.notify("STOPPING=1")
        drain = nil
        if isHandingOver { manager.keep(server.handOver()) } else { server.stop() }
        control?.stop()
        memory?.flush()
    }

    /// SIGTERM: nobody new is let in, requests of the control API get their answers, and the server ends. Clients that
    /// come to a socket of the service manager's wait in it for the next server. A second signal ends at once.
    private func stop() {
        guard drain == nil, let control else { return loop.stop() }
        Log.write(.info, "stopping")
        manager.notify("STOPPING=1\nSTATUS=Finishing answers")
        server.stopListening()
        drain = Timer(loop) { [unowned self] _, _ in
            Log.write(.warning, "some clients of the control API have not taken their answers: they are cut off")
            loop.stop()
        }
        drain?.arm(at: loop.now + Self.drainLimit)
        control.stop { [unowned self] in loop.stop() }
    }

    /// A server that starts after this one has crashed plugs them in again.
    private func keepScreens() {
        guard server.isHandOverPossible else { return manager.forget(.screens) }
        let keep = { [unowned self] in
            guard let memory = server.pluggedScreensMemory() else { return }
            manager.replace(.screens, by: memory.rawValue)
        }
        server.onScreensChange = keep
        keep()
    }

    /// A server that follows goes on with it when what is there by then has a mistake.
    private func keepStart() {
        guard server.isHandOverPossible, let memory = start.record.memory() else { return manager.forget(.start) }
        manager.replace(.start, by: memory.rawValue)
    }

    /// SIGHUP: policy, keyboard, models and the log's level are read again; a mistake keeps what there was. Seats
    /// and listening sockets stay as they are.
    private func reload() {
        guard drain == nil else { return }
        manager.notifyReloading()
        do {
            let new = try start.reloaded()
            // It can be refused: nothing has changed then.
            try server.setKeyboard(new.configuration.keyboard)
            server.model.policy = new.configuration.policy
            server.screenControl = new.configuration.screenControl
            server.fixedRotation = new.configuration.fixedRotation
            server.peerPolicy = new.configuration.peerPolicy
            server.displays.own = new.configuration.displays
            logLevel.lowest = new.configuration.logLevel
            start = new
            keepStart()
            // What could not be had before is tried again.
            if webMistake != nil { try serveWeb() }
            Log.write(.info, "configuration reloaded")
            sayScreens()
            manager.tell(status: status, "READY=1\n")
        } catch {
            Log.write(.error, "configuration not reloaded: \(error)")
            let mistake = "the configuration from before counts, as the new one has a mistake: \(error)"
            manager.tell(status: "\(serving); \(mistake)", "READY=1\n")
        }
    }

    private func plugScreens() throws {
        var specifications = try start.configuration.specifications(options)
        if specifications.isEmpty { specifications = [ScreenSpecification(model: "1920x1080@60")] }
        for specification in specifications {
            try server.plug(specification, isConfigured: true)
        }
    }

    /// Those that are plugged in go on, whatever the command line or the configuration says by now.
    private func sayScreens() {
        guard start.asksForOtherScreens else { return }
        Log.write(
            .warning,
            "the screens asked for have changed: they count once the server is stopped and started; until then those "
                + "that there are stay")
    }

    // MARK: Sockets

    private func clientSocket(_ inherited: Int32?) throws -> (socket: ListeningSocket, name: String) {
        if let inherited {
            let socket = try ListeningSocket.adopt(inherited)
            // A path serves as WAYLAND_DISPLAY as well as a name does.
            return (socket, socket.path ?? "")
        }
        let places = options.places
        if let name = options.socket {
            let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
            guard name.hasPrefix("/") || folder != nil else {
                throw Failure(description: "--socket \(name): XDG_RUNTIME_DIR is not set; write an absolute path")
            }
            let path = name.hasPrefix("/") ? name : "\(folder ?? "")/\(name)"
            return (try ListeningSocket.unix(path: path, mode: 0o700), name)
        }
        if options.name != nil {
            let path = try places.makeRuntime() + "/wayland-0"
            return (try ListeningSocket.unix(path: path, mode: 0o700), places.display("wayland-0"))
        }
        let runtime = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
        let directory = try runtime ?? places.makeRuntime()
        var last: EventLoopError?
        for number in 0..<32 {
            do throws(EventLoopError) {
                let socket = try ListeningSocket.unix(path: "\(directory)/wayland-\(number)", mode: 0o700)
                return (socket, runtime == nil ? "\(directory)/wayland-\(number)" : "wayland-\(number)")
            } catch {
                guard error.code == EADDRINUSE else { throw error }
                last = error
            }
        }
        throw Failure(description: "wayland-0 to wayland-31 are all in use: \(last?.description ?? "")")
    }

    private func controlSocket(_ inherited: Int32?) throws -> ListeningSocket {
        if let inherited { return try ListeningSocket.adopt(inherited) }
        if let path = options.control { return try ListeningSocket.unix(path: path, mode: 0o600) }
        return try ListeningSocket.unix(path: options.places.makeRuntime() + "/control.sock", mode: 0o600)
    }

    /// The control API for programs of this machine that cannot reach its Unix socket, browsers among them. Clients of a
    /// server before do not depend on it: they are served without.
    private func serveWeb() throws {
        webMistake = nil
        guard let control, let address = options.http ?? start.configuration.http.listen else { return }
        do {
            try listen(at: address, control)
        } catch {
            guard inheritance.isSuccession else { throw error }
            webMistake = "\(error)"
            Log.write(.warning, "nobody is served over TCP: \(error)")
        }
    }

    private func listen(at address: LoopbackAddress, _ control: ControlServer) throws {
        try WebAddress.check(address)
        let http = start.configuration.http
        let token = ControlToken(rights: http.rights)
        let path = try http.tokenFile ?? options.places.token()
        let file = try TokenFile(path, token: token.text, group: http.tokenGroup)
        do throws(EventLoopError) {
            let bound = try control.listen(at: address, token: token)
            tokenFile = file
            Log.write(.info, "control API at http://\(bound)/v1, the token is in \(file.path)")
        } catch {
            file.remove()
            throw WebAddress.failure(error)
        }
    }

    // MARK: Process

    private var serving: String { "Serving on \(server.socketName)" }

    /// What the service manager shows.
    private var status: String {
        var parts = [serving]
        if let mistake = start.mistake {
            parts.append("the configuration from before counts, as the new one has a mistake: \(mistake)")
        }
        if let webMistake { parts.append("nobody is served over TCP: \(webMistake)") }
        return parts.joined(separator: "; ")
    }

    private func tellReady(_ name: String) {
        manager.tell(status: status, "READY=1\n")
        if let mistake = start.mistake {
            let cure = start.commandLineMistake == nil ? "reload" : "restart"
            Log.write(
                .error, "the server goes on with the configuration from before, until a \(cure): \(mistake)")
        }
        sayScreens()
        if logLevel.lowest.rawValue <= DisplayServer.LogLevel.info.rawValue {
            Log.write(.info, "serving clients on \(clientPath), the control API on \(controlPath)")
        }
        guard let descriptor = options.readyDescriptor else { return }
        let line = Array((name + "\n").utf8)
        _ = unsafe write(descriptor, line, line.count)
        close(descriptor)
    }

    /// Every client and every pool of memory costs a descriptor.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Which lines are written; a reload may change it.
private final class LogLevel {
    var lowest: DisplayServer.LogLevel

    init(_ lowest: DisplayServer.LogLevel) { self.lowest = lowest }
}
