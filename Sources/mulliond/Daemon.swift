// The running server: sockets, screens, signals.

import DisplayServer
import EventLoop
import Glibc
import WindowModel

/// Everything that `mulliond` sets up, in the order in which a client could notice.
final class Daemon {
    private let options: Options
    private let configuration: Configuration
    private let loop: EventLoop
    private let server: DisplayServer
    private let manager: ServiceManager
    private let logLevel: LogLevel
    private let inheritance = ServiceManager.inheritance()
    /// Whether another server's screens and clients are there already.
    private let hasTakenOver: Bool
    /// Whether a server that follows is to go on with the clients.
    private var isHandingOver = false
    private var control: ControlServer?
    private var memory: ScreenMemoryFile?
    /// Where the token of those who come over TCP is.
    private var tokenFile: TokenFile?
    private var signals: [Signal] = []
    private var status = ""
    /// Runs while answers are still being given; then the server ends.
    private var drain: Timer?
    /// How long that may take, in microseconds: shorter than a service manager's patience.
    private static let drainLimit: UInt64 = 5_000_000

    /// Why the server cannot run.
    struct Failure: Error, CustomStringConvertible { let description: String }

    init(_ options: Options, _ configuration: Configuration, _ manager: ServiceManager) throws {
        self.options = options
        self.manager = manager
        logLevel = LogLevel(configuration.logLevel)
        self.configuration = configuration
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
    }

    private static func configure(_ server: DisplayServer, _ configuration: Configuration) throws {
        server.displays.own = configuration.displays
        server.displays.onWarning = { Log.write(.warning, $0) }
        do {
            try server.setKeyboard(configuration.keyboard)
        } catch {
            throw Failure(description: "keyboard: \(error)")
        }
        // Those that another server had are there already.
        let seats = configuration.seats.enumerated().filter { server.model.seat(named: $1.name) == nil }
        for (index, seat) in seats {
            do {
                try server.addSeat(name: seat.name, screens: seat.screens, keyboard: seat.keyboard)
            } catch {
                throw Failure(description: "seats[\(index)]: \(error)")
            }
        }
        server.screenControl = configuration.screenControl
        server.fixedRotation = configuration.fixedRotation
        server.peerPolicy = configuration.peerPolicy
    }

    /// Serves until it is told to stop.
    func run() throws {
        memory = stateFolder.map { ScreenMemoryFile(server, folder: $0) }
        if !hasTakenOver, !inheritance.plugScreens(of: server) { try plugScreens() }
        if options.composesAlways {
            for screen in server.model.screens { server.watch(screen) }
        }
        keepScreens()
        let client = try clientSocket(inheritance.sockets["client"])
        server.socketName = client.name
        try server.listen(on: client.socket)
        control = try ControlServer(server, socket: try controlSocket(inheritance.sockets["control"]))
        defer { tokenFile?.remove() }
        try listenOnTCP()
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
        tellReady(client.name)
        manager.startWatchdog(on: loop)
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

    /// SIGHUP: policy, keyboard, models and the log's level are read again; a mistake keeps what there was. Seats
    /// and listening sockets stay as they are.
    private func reload() {
        guard drain == nil else { return }
        var status = self.status
        manager.notifyReloading()
        do {
            let new = try Configuration.load(options.config)
            // It can be refused: nothing has changed then.
            try server.setKeyboard(new.keyboard)
            server.model.policy = new.policy
            server.screenControl = new.screenControl
            server.fixedRotation = new.fixedRotation
            server.peerPolicy = new.peerPolicy
            server.displays.own = new.displays
            logLevel.lowest = new.logLevel
            Log.write(.info, "configuration reloaded")
        } catch {
            Log.write(.error, "configuration not reloaded: \(error)")
            status += ", with the configuration from before: the new one has a mistake"
        }
        manager.notify("READY=1\nSTATUS=\(status)")
    }

    private func plugScreens() throws {
        var specifications = configuration.screens
        if !options.screens.isEmpty {
            specifications = []
            for text in options.screens {
                do {
                    specifications.append(try ScreenSpecification(parsing: text))
                } catch {
                    throw Failure(description: "--screen \(text): \(error)")
                }
            }
        }
        if specifications.isEmpty { specifications = [ScreenSpecification(model: "1920x1080@60")] }
        for specification in specifications {
            try server.plug(specification, isConfigured: true)
        }
    }

    /// S10: the service's own folder, or the user's.
    private var stateFolder: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let state = options.state { return state == "none" ? nil : state }
        // The service manager separates several folders by colons.
        if let folders = variable("STATE_DIRECTORY") { return folders.split(separator: ":").first.map(String.init) }
        if let folder = variable("XDG_STATE_HOME") { return folder + "/mullion" }
        return variable("HOME").map { $0 + "/.local/state/mullion" }
    }

    // MARK: Sockets

    private func clientSocket(_ inherited: Int32?) throws -> (socket: ListeningSocket, name: String) {
        if let inherited {
            let socket = try ListeningSocket.adopt(inherited)
            // A path serves as WAYLAND_DISPLAY as well as a name does.
            return (socket, socket.path ?? "")
        }
        if let name = options.socket {
            let path = try name.hasPrefix("/") ? name : runtimeDirectory() + "/" + name
            return (try ListeningSocket.unix(path: path, mode: 0o700), name)
        }
        let directory = try runtimeDirectory()
        var last: EventLoopError?
        for number in 0..<32 {
            do throws(EventLoopError) {
                let socket = try ListeningSocket.unix(path: "\(directory)/wayland-\(number)", mode: 0o700)
                return (socket, "wayland-\(number)")
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
        return try ListeningSocket.unix(path: ownFolder() + "/control.sock", mode: 0o600)
    }

    /// The control API for programs of this machine that cannot reach its Unix socket, browsers among them.
    private func listenOnTCP() throws {
        guard let control, let address = options.http ?? configuration.http.listen else { return }
        let token = ControlToken(rights: configuration.http.rights)
        let bound: LoopbackAddress
        do {
            bound = try control.listen(at: address, token: token)
        } catch {
            throw Failure(description: "http: \(error)")
        }
        let file = try TokenFile(configuration.http.tokenFile ?? ownFolder() + "/token", token: token.text)
        tokenFile = file
        Log.write(.info, "control API at http://\(bound)/v1, the token is in \(file.path)")
    }

    /// Where the server's own sockets and files are while it runs.
    private func ownFolder() throws(Failure) -> String {
        let directory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/mullion" } ?? "/run/mullion"
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw Failure(description: "\(directory): \(String(cString: strerror(errno)))")
        }
        return directory
    }

    private func runtimeDirectory() throws(Failure) -> String {
        guard let directory = getenv("XDG_RUNTIME_DIR") else {
            throw Failure(description: "XDG_RUNTIME_DIR is not set; give --socket and --control absolute paths")
        }
        return String(cString: directory)
    }

    // MARK: Process

    private func tellReady(_ name: String) {
        status = "Serving on \(name)"
        manager.notify("READY=1\nSTATUS=\(status)")
        if Log.isForJournal { Log.write(.info, "serving on \(name)") }
        guard let descriptor = options.readyDescriptor else { return }
        let line = Array((name + "\n").utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }

    /// Every client and every pool of memory costs a descriptor.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Which lines are written; a reload may change it.
private final class LogLevel {
    var lowest: DisplayServer.LogLevel

    init(_ lowest: DisplayServer.LogLevel) { self.lowest = lowest }
}
