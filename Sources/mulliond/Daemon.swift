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
    private let manager = ServiceManager()
    private var control: ControlServer?
    private var memory: ScreenMemoryFile?
    private var signals: [Signal] = []

    /// Why the server cannot run.
    struct Failure: Error, CustomStringConvertible { let description: String }

    init(_ options: Options, _ configuration: Configuration) throws {
        self.options = options
        self.configuration = configuration
        loop = try EventLoop()
        server = DisplayServer(
            loop: loop, policy: configuration.policy, limits: configuration.limits.limits, clock: options.clock)
        let level = configuration.logLevel
        server.onLog = { lineLevel, line in
            if lineLevel.rawValue >= level.rawValue { Log.write(lineLevel, line) }
        }
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

    /// Serves until it is told to stop.
    func run() throws {
        raiseDescriptorLimit()
        memory = stateFolder.map { ScreenMemoryFile(server, folder: $0) }
        try plugScreens()
        let inherited = ServiceManager.sockets(named: ["client", "control"])
        let client = try clientSocket(inherited["client"])
        server.socketName = client.name
        try server.listen(on: client.socket)
        control = try ControlServer(server, socket: try controlSocket(inherited["control"]))
        signals = try [SIGTERM, SIGINT].map { number in
            try Signal(loop, number) { [unowned self] in stop() }
        }
        signals.append(try Signal(loop, SIGHUP) { [unowned self] in reload() })
        signal(SIGPIPE, SIG_IGN)
        tellReady(client.name)
        manager.startWatchdog(on: loop)
        try loop.run()
        manager.notify("STOPPING=1")
        server.stop()
        control?.stop()
        memory?.flush()
    }

    private func stop() { loop.stop() }

    /// SIGHUP: policy, keyboard and models are read again; a mistake keeps what there was.
    private func reload() {
        manager.notify("RELOADING=1")
        do {
            let new = try Configuration.load(options.config)
            // It can be refused: nothing has changed then.
            try server.setKeyboard(new.keyboard)
            server.model.policy = new.policy
            server.screenControl = new.screenControl
            server.fixedRotation = new.fixedRotation
            server.peerPolicy = new.peerPolicy
            server.displays.own = new.displays
            Log.write(.info, "configuration reloaded")
        } catch {
            Log.write(.error, "configuration not reloaded: \(error)")
        }
        manager.notify("READY=1")
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
            let id = try server.plug(specification, isConfigured: true)
            if options.composesAlways { server.watch(id) }
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
        let directory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/mullion" } ?? "/run/mullion"
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw Failure(description: "\(directory): \(String(cString: strerror(errno)))")
        }
        return try ListeningSocket.unix(path: directory + "/control.sock", mode: 0o600)
    }

    private func runtimeDirectory() throws(Failure) -> String {
        guard let directory = getenv("XDG_RUNTIME_DIR") else {
            throw Failure(description: "XDG_RUNTIME_DIR is not set; give --socket and --control absolute paths")
        }
        return String(cString: directory)
    }

    // MARK: Process

    private func tellReady(_ name: String) {
        manager.notify("READY=1\nSTATUS=Serving on \(name)")
        guard let descriptor = options.readyDescriptor else { return }
        let line = Array((name + "\n").utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }

    /// Every client and every pool of memory costs a descriptor.
    private func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Lines on standard error, with the priority prefix that the journal understands when it reads them.
enum Log {
    private static let forJournal = getenv("JOURNAL_STREAM") != nil

    static func write(_ level: DisplayServer.LogLevel, _ line: String) {
        let prefix: String
        switch level {
        case .debug: prefix = forJournal ? "<7>" : "debug: "
        case .info: prefix = forJournal ? "<6>" : ""
        case .warning: prefix = forJournal ? "<4>" : "warning: "
        case .error: prefix = forJournal ? "<3>" : "error: "
        }
        let text = Array((forJournal ? "\(prefix)\(line)\n" : "mulliond: \(prefix)\(line)\n").utf8)
        _ = Glibc.write(2, text, text.count)
    }
}
