// One run of the X server.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import X11

/// Starts Xwayland, connects it to the server, and manages its windows and selections until it ends.
final class Session {
    /// How long the X server may take to end, in microseconds.
    private static let patience: UInt64 = 5_000_000

    let x: XConnection
    let link: ServerLink
    let loop: EventLoop
    let server: Proxy<MullionX11ServerV1>
    /// Called once when the X server has ended: with the reason if it failed.
    var onEnd: ((String?) -> Void)?
    /// Whether programs could connect.
    private(set) var hasServed = false
    let process: XwaylandProcess
    private var source: IOSource?
    private var manager: WindowManager?
    private var selections: [SelectionBridge] = []
    private var drags: DragBridge?
    private var crowded: CrowdedServer?
    /// Nil without --ends-fd.
    private let ends: ProgramEnds?
    private var clients: ClientProcesses?
    private var hasEnded = false
    /// Whether the X server has closed the connection.
    private var isClosed = false
    private var timer: Timer?
    private var watched: [XWindowID: Int] = [:]
    private var unanswered: [() -> Void] = []
    /// What panels leave free of each screen: left and upper edge, width and height.
    private(set) var workAreas: [UInt32] = []

    init(_ loop: EventLoop, _ link: ServerLink, display: XDisplay, xwayland: String, _ ends: ProgramEnds?) throws {
        self.loop = loop
        self.ends = ends
        self.link = link
        let (serversEnd, itsEnd) = try Self.socketPair()
        // libwayland before 1.23 ends a program whose socket is full. Linux doubles what it allows.
        var room: Int32 = 1 << 20
        unsafe setsockopt(itsEnd.rawValue, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        let (ours, managers) = try Self.socketPair()
        process = try XwaylandProcess(xwayland, display: display, connection: itsEnd, manager: managers)
        server = Proxy<MullionX11ServerV1>(link.connection, version: link.manager.version)
        link.manager.send(.createServer(id: server.id, connection: serversEnd))
        x = XConnection(socket: ours)
        server.onEvent = { [unowned self] event in
            switch event {
            // The X server ends on its own when it notices.
            case .ended: process.send(SIGTERM)
            case .workAreas(let bytes): workAreasDidChange(bytes)
            case .crowded(let resource, let limit): crowded?.relieve(resource, limit: Int(limit))
            }
        }
        let source = try IOSource(loop, descriptor: ours.rawValue) { [unowned self] in receive() }
        source.onWritable = { [unowned self] in turnEnded() }
        self.source = source
        x.onSetup = { [unowned self] setup in begin(setup) }
        link.onRoom = { [unowned self] in self.source?.wantsRead = true }
        link.afterRequests = { [unowned self] body in afterRequests(body) }
        turnEnded()
    }

    private static func socketPair() throws(Failure) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure(description: "socketpair: \(SystemError.last)")
        }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    // MARK: The X server

    private func begin(_ setup: XSetup) {
        let atoms = Atoms()
        var isPossible = true
        for name in XExtension.required {
            x.query(name) { isFound in isPossible = isPossible && isFound }
        }
        x.query(.xinerama) { _ in }
        x.query(.resources) { [unowned self] isFound in
            if !isFound {
                Log.write(
                    "the X server lacks X-Resource 1.2: no end of a program is noticed, and none that has too much is ended"
                )
            } else if let ends {
                clients = ClientProcesses(x, setup, ends)
            }
        }
        atoms.load(x) { [unowned self] in
            guard isPossible else { return end("the X server lacks XFIXES 6 or Composite; use Xwayland 21.1 or later") }
            let manager = WindowManager(self, setup, atoms)
            self.manager = manager
            selections = SelectionBridge.make(self, manager)
            drags = DragBridge(self, manager)
            crowded = CrowdedServer(manager)
            x.onEvent = { [unowned self] event in handle(event) }
            // From now on the X server accepts programs.
            manager.begin()
            hasServed = true
        }
    }

    private func receive() {
        do throws(XError) {
            try x.receive()
        } catch {
            return error == .closed ? closed() : end("\(error)")
        }
        if link.isFull() { source?.wantsRead = false }
    }

    private func handle(_ event: XEvent) {
        clients?.handle(event)
        for bridge in selections where bridge.handle(event) { return }
        if drags?.handle(event) == true { return }
        manager?.handle(event)
    }

    /// Sends what the turn has queued.
    func turnEnded() {
        guard !hasEnded, !isClosed else { return }
        manager?.turnEnded()
        for bridge in selections { bridge.turnEnded() }
        do throws(XError) {
            source?.wantsWrite = !(try x.flush())
        } catch {
            // Its end is read from the socket.
            if error != .closed { end("\(error)") }
        }
    }

    /// Calls `body` when the X server has handled what the server has decided so far, or has ended.
    private func afterRequests(_ body: @escaping () -> Void) {
        guard let manager else { return body() }
        unanswered.append(body)
        // The keyboard follows at the end of a turn, with a time that has to be asked for.
        manager.turnEnded()
        manager.withTime { [weak self] _ in
            self?.x.afterRequests { [weak self] in
                guard let self, !unanswered.isEmpty else { return }
                let body = unanswered.removeFirst()
                if let drags { drags.afterAnswer(body) } else { body() }
            }
        }
    }

    private func workAreasDidChange(_ bytes: [UInt8]) {
        workAreas = stride(from: 0, to: bytes.count / 16 * 16, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        manager?.publishArea()
    }

    // MARK: The end

    /// The X server has closed the connection: its process ends, and its status says why.
    private func closed() {
        isClosed = true
        source?.cancel()
        childEnded()
        guard !hasEnded else { return }
        timer = Timer(loop) { [unowned self] _, _ in process.send(SIGKILL) }
        timer?.arm(at: loop.now + Self.patience)
    }

    /// The X server's process may have ended.
    func childEnded() {
        guard let status = process.ended() else { return }
        end(status == 0 || hasEnded ? nil : "the X server has ended with status \(status)")
    }

    private func end(_ reason: String?) {
        guard !hasEnded else { return }
        hasEnded = true
        timer = nil
        source?.cancel()
        for bridge in selections { bridge.stop() }
        selections = []
        drags?.stop()
        drags = nil
        crowded = nil
        clients?.stop()
        clients = nil
        manager?.stop()
        manager = nil
        link.onRoom = nil
        link.afterRequests = nil
        for body in unanswered { body() }
        unanswered = []
        server.onEvent = nil
        server.send(.destroy)
        process.send(SIGTERM)
        // This may be a handler of an object that goes with the session.
        loop.runInNextTurn { [self] in
            _ = process.ended()
            onEnd?(reason)
            onEnd = nil
        }
    }

    /// Ends the X server, and with it its programs' connections.
    func stop() {
        onEnd = nil
        end(nil)
    }

    // MARK: Properties of other programs' windows

    /// Asks for notifications of a window's properties, until it has been unwatched as often as watched.
    func watch(_ window: XWindowID) {
        watched[window, default: 0] += 1
        if watched[window] == 1, manager?.isManaged(window) != true { x.select([.properties, .structure], on: window) }
    }

    func unwatch(_ window: XWindowID) {
        guard let count = watched[window] else { return }
        watched[window] = count > 1 ? count - 1 : nil
        if count == 1, manager?.isManaged(window) != true { x.select([], on: window) }
    }
}
