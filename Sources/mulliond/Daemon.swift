// The running server: sockets, screens, signals.

import ControlAPI
import DisplayServer
import Displays
import EventLoop
import Glibc
import MullionSystem
import WindowModel

/// Sets up all parts of `mulliond`, in the order in which clients could notice them.
final class Daemon {
    private let options: Options
    /// The effective command line and configuration; a reload changes it.
    private var start: Start
    private let loop: EventLoop
    private let server: DisplayServer
    private let manager: ServiceManager
    private let inheritance: ServiceManager.Inheritance
    /// Whether the previous server's screens and clients were taken over.
    private let hasTakenOver: Bool
    /// Whether the next server is to take over the clients.
    private var isHandingOver = false
    private var control: ControlServer?
    private var clientPath = ""
    private var controlPath = ""
    private var memory: ScreenMemoryKeeper?
    /// The file with the token for TCP clients.
    private var tokenFile: TokenFile?
    /// Why the control API is not served over TCP although requested.
    private var webMistake: String?
    private var signals: [Signal] = []
    /// How many times it was reloaded. A reload ends when its layouts are compiled, unless another one has begun.
    private var reloads = 0
    /// Lets X11 programs connect.
    private var x11: X11Program?
    /// Runs while pending requests are answered; then the server ends.
    private var drain: Timer?
    /// The longest time for that, in microseconds: shorter than a service manager's timeout.
    private static let drainLimit: UInt64 = 5_000_000
    /// Does what need not delay the first clients.
    private var afterStart: Timer?
    /// When, in microseconds after the start.
    private static let afterStartDelay: UInt64 = 100_000

    /// The size of the descriptor table from the start on: enough for 2,000 clients, 33 KiB in the kernel.
    private static let descriptorCount: Int32 = 4096

    init(_ start: Start, _ inheritance: ServiceManager.Inheritance, _ manager: ServiceManager) throws {
        let (options, configuration) = (start.options, start.configuration)
        self.options = options
        self.start = start
        self.inheritance = inheritance
        self.manager = manager
        // Every client and every memory pool needs a descriptor. Must precede the server's own check of the limit.
        DescriptorLimit.raise()
        DescriptorLimit.reserve(Self.descriptorCount)
        loop = try EventLoop()
        let loop = loop
        func make(_ state: HandOverState?) throws -> DisplayServer {
            let (policy, limits) = (configuration.policy, configuration.limits.limits)
            let server =
                state.map { DisplayServer(loop: loop, policy: policy, limits: limits, takingOver: $0) }
                ?? DisplayServer(loop: loop, policy: policy, limits: limits, clock: options.clock)
            server.isHandOverPossible = options.handsOver && manager.mayHaveStore
            server.lowestLogLevel = configuration.logLevel
            server.onLogEntry = { Log.write($0) }
            try Self.configure(server, configuration)
            if options.keepsJournals { server.clientRecords = ClientRecords() }
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
            throw DaemonError(description: "keyboard: \(error)")
        }
        server.screenControl = configuration.screenControl
        server.fixedRotation = configuration.fixedRotation
        server.decorations = configuration.decorations
        server.peerPolicy = configuration.peerPolicy
    }

    /// K1: seats taken over from another server already exist, with their state.
    private func addSeats() throws {
        let seats = start.configuration.seats.enumerated().filter { server.model.seat(named: $1.name) == nil }
        for (index, seat) in seats {
            do {
                try server.addSeat(name: seat.name, screens: seat.screens, keyboard: seat.keyboard)
            } catch {
                let failure = DaemonError(description: "seats[\(index)]: \(error)")
                guard hasTakenOver else { throw failure }
                Log.write(.warning, "\(failure); ignored")
            }
        }
    }

    /// Serves until stopped.
    /// - Parameter ready: called once clients are served.
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
        // Writing a file beyond the size limit fails instead.
        signal(SIGXFSZ, SIG_IGN)
        // SIGCHLD may have been ignored by the parent; then we could not wait for our children.
        signal(SIGCHLD, SIG_DFL)
        if ProcessOne.isThis { signals.append(try ProcessOne.reap(on: loop)) }
        try startX11()
        keepStart()
        // Clients that were taken over stay, however little room there is for others.
        if !hasTakenOver { try DescriptorRoom().check() }
        notifyReady(client.name)
        ready()
        manager.startWatchdog(on: loop)
        // A service manager kills a server that hangs, even in its first turn.
        if manager.isPresent { watchStalls() }
        afterStart = Timer(loop) { [unowned self] _, _ in
            if !manager.isPresent { watchStalls() }
            // What only starting needs.
            ProgramCode.unmap()
        }
        afterStart?.arm(at: loop.now + Self.afterStartDelay)
        try loop.run()
        manager.notify("STOPPING=1")
        drain = nil
        x11?.stop()
        if isHandingOver { manager.keep(server.handOver()) } else { server.stop() }
        control?.stop()
        memory?.flush()
    }

    private func watchStalls() { server.watchStalls { Log.write(.warning, $0) } }

    private func startX11() throws {
        guard start.configuration.x11.isEnabled else { return }
        guard !ServiceManager.hasStarted else {
            return Log.write(
                .warning,
                "x11: not started, because a service's sandbox and restarts would end X11 programs; use "
                    + "systemctl --user enable --now mullion-x11@0.socket as their user instead, see mullion-x11(1)")
        }
        x11 = try X11Program(loop, start.configuration.x11, socket: clientPath)
    }

    /// SIGTERM: accepts no more clients, answers pending requests of the control API, and ends the server. Clients that
    /// connect to a service manager's socket wait in it for the next server. A second signal ends the server
    /// immediately.
    private func stop() {
        guard drain == nil, let control else { return loop.stop() }
        Log.write(.info, "stopping")
        manager.notify("STOPPING=1\nSTATUS=Finishing answers")
        server.stopListening()
        drain = Timer(loop) { [unowned self] _, _ in
            Log.write(.warning, "disconnecting clients of the control API that have not read their answers")
            loop.stop()
        }
        drain?.arm(at: loop.now + Self.drainLimit)
        control.stop { [unowned self] in loop.stop() }
    }

    /// Stores the screens so that a server started after a crash can plug them in again.
    private func keepScreens() {
        guard server.isHandOverPossible else { return manager.forget(.screens) }
        let keep = { [unowned self] in
            guard let file = server.pluggedScreensFile() else { return }
            manager.replace(.screens, by: file.rawValue)
        }
        server.onScreensChange = keep
        keep()
    }

    /// Stores the start record, which the next server falls back to if the new configuration is invalid.
    private func keepStart() {
        guard server.isHandOverPossible, let file = start.saved.memoryFile() else { return manager.forget(.start) }
        manager.replace(.start, by: file.rawValue)
    }

    /// SIGHUP: reloads policy, keyboard, models and the log's level; on an error, the old ones stay. Seats and listening
    /// sockets do not change.
    private func reload() {
        guard drain == nil else { return }
        manager.notifyReloading()
        reloads += 1
        do {
            let new = try start.reloaded()
            server.compileLayouts(of: new.configuration.keyboards) { [weak self, number = reloads] compiled in
                guard let self, drain == nil, number == reloads else { return }
                use(new, compiled)
            }
        } catch {
            sayNotReloaded(error)
        }
    }

    private func use(_ new: Start, _ compiled: CompiledLayouts) {
        do {
            try new.check(compiled)
            // First, because it can throw, and then nothing has changed.
            try server.setKeyboard(new.configuration.keyboard, compiled)
            server.model.policy = new.configuration.policy
            server.screenControl = new.configuration.screenControl
            server.fixedRotation = new.configuration.fixedRotation
            server.decorations = new.configuration.decorations
            server.peerPolicy = new.configuration.peerPolicy
            server.displays.own = new.configuration.displays
            server.lowestLogLevel = new.configuration.logLevel
            start = new
            keepStart()
            // Retry what failed before.
            if webMistake != nil { try serveWeb() }
            Log.write(.info, "configuration reloaded")
            sayScreens()
            manager.notify(status: status, "READY=1\n")
        } catch {
            sayNotReloaded(error)
        }
    }

    private func sayNotReloaded(_ error: any Error) {
        Log.write(.error, "configuration not reloaded: \(error)")
        let mistake = "using the previous configuration because of an error in the new one: \(error)"
        manager.notify(status: "\(serving); \(mistake)", "READY=1\n")
    }

    private func plugScreens() throws {
        let specifications = try start.configuration.specifications(options)
        for specification in specifications ?? [ScreenSpecification(model: "1920x1080@60")] {
            try server.plug(specification, isConfigured: true)
        }
    }

    /// Warns that connected screens stay, regardless of the command line and the configuration.
    private func sayScreens() {
        guard start.asksForOtherScreens else { return }
        Log.write(
            .warning,
            "the configured screens have changed; this takes effect when the server is stopped and started, "
                + "not when it is restarted or reloaded")
    }

    // MARK: Sockets

    private func clientSocket(_ inherited: Int32?) throws -> (socket: ListeningSocket, name: String) {
        if let inherited {
            let socket = try ListeningSocket.adopt(inherited)
            // WAYLAND_DISPLAY may be a path as well as a name.
            return (socket, socket.path ?? "")
        }
        let places = options.places
        if let name = options.socket {
            let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
            guard name.hasPrefix("/") || folder != nil else {
                throw DaemonError(description: "--socket \(name): XDG_RUNTIME_DIR is not set; use an absolute path")
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
        throw DaemonError(description: "wayland-0 to wayland-31 are all in use: \(last?.description ?? "")")
    }

    private func controlSocket(_ inherited: Int32?) throws -> ListeningSocket {
        if let inherited { return try ListeningSocket.adopt(inherited) }
        if let path = options.control { return try ListeningSocket.unix(path: path, mode: 0o600) }
        return try ListeningSocket.unix(path: options.places.makeRuntime() + "/control.sock", mode: 0o600)
    }

    /// Serves the control API to local programs that cannot use its Unix socket, such as browsers. If that fails,
    /// clients taken over from a previous server are served anyway.
    private func serveWeb() throws {
        webMistake = nil
        guard let control, let address = options.http ?? start.configuration.http.listen else { return }
        do {
            try listen(at: address, control)
        } catch {
            guard inheritance.isSuccession else { throw error }
            webMistake = "\(error)"
            Log.write(.warning, "the control API is not served over TCP: \(error)")
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

    /// The status shown by the service manager.
    private var status: String {
        var text = serving
        if let mistake = start.mistake {
            text += "; using the previous configuration because of an error in the new one: \(mistake)"
        }
        if let webMistake { text += "; the control API is not served over TCP: \(webMistake)" }
        return text
    }

    private func notifyReady(_ name: String) {
        manager.notify(status: status, "READY=1\n")
        if let mistake = start.mistake {
            let cure = start.commandLineMistake == nil ? "reload" : "restart"
            Log.write(
                .error, "the server continues with the previous configuration until a \(cure): \(mistake)")
        }
        sayScreens()
        if server.lowestLogLevel.rawValue <= DisplayServer.LogLevel.info.rawValue {
            Log.write(.info, "serving clients on \(clientPath), the control API on \(controlPath)")
        }
        guard let descriptor = options.readyDescriptor else { return }
        let line = Array((name + "\n").utf8)
        _ = unsafe write(descriptor, line, line.count)
        close(descriptor)
    }
}

/// Why the server cannot run.
struct DaemonError: Error, CustomStringConvertible { let description: String }
