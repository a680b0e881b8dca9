// Joins the window model, the event loop, the wire and the compositor.

import Compositor
import Displays
import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import WindowModel

/// The server: its clients, screens and windows, on one event loop and one thread.
///
/// Handlers change the model; once per turn of the loop `deliverAndFlush` delivers the effects: notifications and
/// events to clients, frames to be drawn, and one flush per client.
public final class DisplayServer {
    public let loop: EventLoop
    public let model: WindowModel
    public let limits: Limits
    /// The time that clients can observe.
    public let clock: ServerClock
    /// The available display models.
    public let displays = DisplayLibrary()
    /// S10: the settings of displays when they were last connected.
    public let screenMemory = ScreenMemory()
    /// Called with every log line.
    public var onLog: (LogLevel, String) -> Void = { _, _ in }
    /// Called with every log line and its subject.
    public var onLogEntry: (LogEntry) -> Void = { _ in }
    /// The lowest level that is logged.
    public var lowestLogLevel = LogLevel.debug
    /// Event counts since the start.
    package var counters = Counters()
    /// Limits the log lines that clients can cause.
    var logBudget = LogBudget()
    var logTimer: Timer?
    /// What the loop is currently doing, for the stall watch.
    let work = CurrentWork()
    package var stallWatch: StallWatch?
    package private(set) lazy var keymapCompiler = KeymapCompiler(loop)

    /// How long clients' requests may occupy a turn of the loop, in microseconds; a single client gets half of it.
    public var turnTime: UInt64 {
        get { turns.time }
        set { turns.time = newValue }
    }
    let turns: ClientTurns

    let globals = Globals()
    let input = InputBuffer()
    let outputPool = OutputPool()
    let statePool = SurfaceStatePool()
    let memoryTrim: MemoryTrim
    /// The shared memory of all clients.
    package let pools = SharedMemory.Account(partOf: nil)
    package var clients: [Application.ID: Client] = [:]
    /// Whether it is found out how the processes of clients end, when their connections do.
    package var watchesProcesses = false
    /// Those that have closed in this turn.
    private(set) var closed: [Client] = []
    var clientsToFlush: [Client] = []
    /// Clients with buffers to release, now or with their next frame callback.
    var clientsWithReleases: [Client] = []
    private var flushing: [Client] = []
    /// Frame clocks that send something at the end of this turn.
    var clocksDue: [FrameClock] = []
    private(set) lazy var unseenClock = FrameClock(ofUnseenOn: self)
    private(set) lazy var commitTimes = CommitTimes(clock)
    /// Clients whose sockets are full; their queues are checked against the limit.
    var backlogged: [Client] = []
    private var effects: [Effect] = []
    /// A larger array of effects is not kept for the next turn.
    private static let mostKeptEffects = 64
    /// The windows whose surfaces were updated during the current delivery of effects.
    var updatedWindows: Set<Window.ID> = []
    /// Screens whose layer surfaces must be arranged.
    var screensToArrange: Set<Screen.ID> = []
    /// Decorations whose clients wait for an answer.
    var owedDecorations: [DecorationResource] = []

    var surfaces = SurfaceIndex()
    package private(set) lazy var titleBars = TitleBars(self)
    /// What clients get that leave decorations to the server. A change takes effect immediately.
    public var decorations = Decorations.none {
        didSet { if decorations != oldValue { decorationsDidChange() } }
    }
    /// The protocol objects of the windows.
    package var windows: [Window.ID: WindowRole] = [:]
    var outputs: [Screen.ID: ScreenOutput] = [:]
    /// K1: the model's seats, in its order; the first always exists.
    package var seats: [ServerSeat] = []
    /// The keyboard configuration of all seats without their own.
    public internal(set) var keyboard = KeyboardConfiguration()
    let cursorPictures = CursorPictures()
    private lazy var eventDelivery = EventDelivery(self)
    /// Whether events were delivered whose groups of touches have not ended yet.
    private var hasOpenGroups = false
    var movedPopupParents: [any PopupParent] = []
    package lazy var captures = Captures(self)
    /// Waits until every client has handled its events.
    public private(set) lazy var settler = Settler(self)
    /// Steps manual time.
    public private(set) lazy var stepper = ClockStepper(self)
    /// The name or path of the clients' socket, as reported to users.
    public var socketName = ""
    /// Called with every effect of the model, after the clients were notified.
    package var onEffect: ((Effect) -> Void)?
    /// Called when an application rings the bell, for a window or for none in particular.
    package var onBell: ((Application.ID, Window.ID?) -> Void)?
    /// Called at most once per turn, when a screen was connected, disconnected or possibly changed.
    public var onScreensChange: (() -> Void)?
    /// The clients' latest messages and ends, if they are kept. Set it before clients connect.
    package var clientRecords: ClientRecords?
    /// Called when all effects are delivered, and queued data is sent as far as the sockets accept it.
    package var afterFlush: (() -> Void)?
    /// Injects all input.
    package lazy var injector = InputInjector(self)
    /// The applications that may change screens through mullion_screen_v1.
    public var screenControl = ScreenControl.owner
    /// R3: the names of programs with the rotation policy `fixed` by default; they can change it.
    public var fixedRotation: Set<String> = []
    /// The permissions of peers; evaluated when a connection is accepted.
    public var peerPolicy = PeerPolicy.standard
    var accounts = UserAccounts()
    /// The number of refused connections, windows, levels and requests since the start.
    public var refusals: UInt64 { counters.refusals.values.reduce(0, +) }
    /// The sockets of sandboxes (security-context-v1).
    var sandboxes: [SandboxListener] = []
    /// By the names of the plugged-in screens.
    var plugOptions: [String: PlugOptions] = [:]
    lazy var outputManagement = OutputManagement(self)
    private(set) lazy var foreignToplevels = ForeignToplevels(self)
    /// Whether it has watchers.
    var hasToplevelWatchers = false
    let exportedToplevels = ExportedToplevels()
    /// Whether a window, a selection or an edited text has changed since the clients that watch them were last
    /// notified.
    var watchersNeedUpdate = false
    /// Whether one of those could not be notified yet, because a client does not read.
    var watchersWait = false
    /// Whether clients that manage outputs must be notified of changes.
    var outputsNeedUpdate = true
    /// Whether a client wants to know when users are idle.
    var isIdlenessWatched = false
    /// Whether a wait of `settler` is in progress.
    var isSettling = false
    /// Whether sizes or positions announced to capture sessions may be out of date; `captures` would be slow to ask.
    var captureWatchersNeedUpdate = false
    /// The managers of X11 programs and their X servers, in order of creation.
    var x11Managers: [X11ManagerResource] = []
    var x11Servers: [X11ServerResource] = []
    private(set) lazy var idleMonitor = IdleMonitor(self)
    /// L1–L4: who holds the lock.
    package private(set) lazy var sessionLock = SessionLock(self)
    lazy var rotationTimer = RotationTimer(self)
    /// By which those who look at pictures recognise changes.
    var frames = FrameNumbers()
    /// Whether `ScreenOutput.pictureNumber` counts changes.
    package var countsPictures = false
    var lastSerial: UInt32 = 0
    private var listener: Listener?
    /// Whether another server can take over.
    public var isHandOverPossible = false
    /// Whether the objects of a previous server are being restored: events that it has sent are not sent again.
    var isTakingOver = false

    /// The version of the package.
    public static let version = PackageVersion.current

    /// - Parameter clock: the source of the time that clients can observe.
    public init(
        loop: EventLoop, policy: Policy = Policy(), limits: Limits = Limits(), clock: ClockMode = .real,
        model: WindowModel? = nil
    ) {
        self.loop = loop
        memoryTrim = MemoryTrim(loop)
        self.clock = ServerClock(loop, mode: clock)
        let descriptors = sysconf(Int32(_SC_OPEN_MAX))
        self.limits = limits.within(descriptors: Self.mostClientDescriptors(of: descriptors))
        let model = model ?? WindowModel(policy: policy)
        self.model = model
        turns = ClientTurns(loop, model, work)
        model.setMaximumTouches(limits.touches)
        addCoreGlobals()
        loop.afterTurn = { [unowned self] in endTurn() }
    }

    deinit { stallWatch?.stop() }

    // MARK: Clients

    /// Accepts clients from a listening socket.
    public func listen(on socket: ListeningSocket) throws(EventLoopError) {
        let listener = try Listener(loop, socket) { [unowned self] in accept(OwnedDescriptor($0)) }
        listener.onError = { [unowned self] in log(.warning, "cannot accept a client: \($0)") }
        self.listener = listener
    }

    /// Stops accepting clients; connected ones remain. Clients of sandboxes' sockets wait in the queue of the socket.
    public func stopListening() {
        listener?.close()
        listener = nil
        let deadline = loop.now + 100_000
        for sandbox in sandboxes { sandbox.suspend(until: deadline) }
    }

    /// Stops accepting clients and disconnects all of them, which ends the retain cycles of server and clients.
    public func stop() {
        stopListening()
        sandboxes = []
        for client in clients.values { client.close(because: nil) }
        turns.destroyClosedClients()
        deliverAndFlush()
    }

    /// Releases the clients in the lists of the turn, which is the last one.
    func forgetTurn() {
        closed = []
        clientsToFlush = []
        clientsWithReleases = []
        clocksDue = []
        backlogged = []
        owedDecorations = []
        turns.forget()
    }

    func remove(_ client: Client) {
        clients[client.application] = nil
        stallWatch?.name(client.workNumber, nil)
        closed.append(client)
        for seat in seats { seat.clientDidClose(client) }
        forget(client)
        client.x11Server?.serverDidEnd()
    }

    public var clientCount: Int { clients.count }
    /// Bytes queued for all clients and not accepted by their sockets yet.
    public var queuedBytes: Int { clients.values.reduce(0) { $0 + $1.transport.queuedBytes } }

    /// In order of connection.
    var clientsInOrder: [Client] { clients.values.sorted { $0.application < $1.application } }

    package func client(_ application: Application.ID) -> Client? { clients[application] }

    /// A serial for an event that a client may refer to.
    var serial: UInt32 { lastSerial }
    func nextSerial() -> UInt32 {
        lastSerial &+= 1
        return lastSerial
    }

    // MARK: The end of a turn

    private func endTurn() {
        deliverAndFlush()
        turns.endTurn()
    }

    /// Delivers the effects of this turn's changes, in order, and sends what is queued.
    public func deliverAndFlush() {
        work.begin("delivering the effects of a turn")
        defer { work.begin("a timer, a signal or a new connection") }
        repeat {
            deliverEffects()
            // Few turns need any of these. Conditions kept here cost less than a look at each of the objects.
            if model.takeInputChange() { for seat in seats { seat.pointer.cursor.update() } }
            if outputsNeedUpdate { outputManagement.update() }
            if watchersNeedUpdate || watchersWait { updateWatchers() }
            if captureWatchersNeedUpdate { captures.updateWatchers() }
            if isIdlenessWatched { idleMonitor.update() }
            if !clocksDue.isEmpty { sendFramesDue() }
            if !clientsWithReleases.isEmpty { clientsWithReleases.removeAll { $0.sendDueReleases() } }
            swap(&clientsToFlush, &flushing)
            // Not for-in, which would retain the array, so that emptying it would allocate another one.
            var index = 0
            while index < flushing.count {
                flushing[index].flush()
                index += 1
            }
            flushing.clear()
            if !backlogged.isEmpty { backlogged.removeAll { !$0.isWithinBacklog() } }
            // A flush can disconnect a client, which has effects.
        } while hasNews || (isSettling && settler.advance())
        if !closed.isEmpty { closed.removeAll() }
        if model.takeHiddenChanges() { frames.hiddenWindowsChanged = true }
        frames.endTurn()
        afterFlush?()
    }

    /// Whether there is something to send to clients.
    private var hasNews: Bool {
        model.hasEffects || model.hasChangedWindows || !clientsToFlush.isEmpty || watchersNeedUpdate
    }

    /// Queues the effects of the requests so far for the clients, without sending them. Called at the end of a turn,
    /// and earlier only where the order matters; a comment at each of these calls gives the reason.
    func deliverEffects() {
        answerDecorations()
        arrangeLayers()
        defer { if model.hasChangedWindows { captures.windowsDidChange(model.takeChangedWindows()) } }
        letPopupsFollow()
        guard model.hasEffects else { return }
        turns.stopwatch.expectMore()
        while model.hasEffects {
            if !updatedWindows.isEmpty { updatedWindows.removeAll(keepingCapacity: true) }
            var drained: [Effect] = []
            swap(&drained, &effects)
            model.drainEffects(into: &drained)
            for effect in drained { deliver(effect) }
            letPopupsFollow()
            if hasOpenGroups { endEventGroups() }
            for seat in seats { seat.endFrames() }
            arrangeLayers()
            swap(&drained, &effects)
            if effects.capacity > Self.mostKeptEffects { effects = [] }
        }
    }

    private func endEventGroups() {
        hasOpenGroups = false
        eventDelivery.endGroups()
    }

    private func deliver(_ effect: Effect) {
        defer { onEffect?(effect) }
        // Simultaneous touches are one group, which ends before any other effect.
        if hasOpenGroups { if case .deliver = effect {} else { endEventGroups() } }
        if hasToplevelWatchers { foreignToplevels.note(effect) }
        if !x11Servers.isEmpty { noteForX11(effect) }
        switch effect {
        case .screenDidConnect(let id): screenDidConnect(id)
        case .screenDidDisconnect(let id): screenDidDisconnect(id)
        case .mainScreenDidChange(let id): sendMainScreen(id)
        case .modeDidChange(let id): modeDidChange(id)
        case .screenPropertiesDidChange(let id):
            // The position matters for a picture of all screens.
            frames.screensChanged = true
            outputs[id]?.pictureNumber &+= 1
            screenPropertiesDidChange(id)
        case .orientationWillChange(let id, let old, let new, let duration):
            forEachResource(of: id) { $0.orientationWillChange(from: old, to: new, duration: duration) }
        case .orientationDidChange(let id, let old, let new):
            forEachResource(of: id) { $0.orientationDidChange(from: old, to: new) }
        case .didBecomeVisible(let window, _):
            updateSurfaces(of: window)
            captures.subjectsDidChange()
            windows[window]?.didBecomeVisible()
        case .didBecomeHidden(let window, _):
            endPopupGrabs(in: window)
            updateSurfaces(of: window)
            captures.subjectsDidChange()
            windows[window]?.didBecomeHidden()
        case .didBecomeKey(let window, _, let seat):
            self.seat(seat)?.keyboardFocus = window
            windows[window]?.didBecomeKey()
        case .didResignKey(let window, _, let seat):
            self.seat(seat)?.didResignKey(window)
            windows[window]?.didResignKey()
        case .screenDidChange(let window, _, let screen):
            endPopupGrabs(in: window, exceptOf: model.seat(of: window))
            updateSurfaces(of: window)
            windows[window]?.screenDidChange(screen)
            captures.subjectsDidChange()
        case .frameDidChange(let window, _):
            windows[window]?.frameDidChange()
            captures.subjectsDidChange()
        case .windowDidChange(let window, _, let property):
            guard case .window(let object) = windows[window] else { break }
            if property == .hidden { foreignToplevels.programDidHideOrShow(window) }
            object.propertyDidChange(property)
        case .cameToFront(let window, _):
            if case .window(let object) = windows[window] { object.cameToFront() }
        case .orderDidChange: break  // Only plain programs' windows have parents, without an event.
        // Clients cause these themselves, and others are not notified.
        case .applicationDidConnect, .applicationDidDisconnect, .applicationNameDidChange, .windowDidOpen,
            .windowDidClose:
            break
        // Its client is notified when no picture shows other windows any more.
        case .lockDidChange: captures.subjectsDidChange()
        case .deliver(let event):
            let seat = seat(event.seat)
            let grab = seat?.grabs.grab(taking: event)  // Determined once for all protocols.
            hasOpenGroups = true
            let isSent = eventDelivery.deliver(event, takenBy: grab)
            let isSentBySeat = seat?.deliver(event, takenBy: grab) == true
            // Applications without a client are the server's own.
            let isReceived = isSent || isSentBySeat || client(event.application) == nil
            if isReceived { counters.delivered(event) }
            injector.didDeliver(event, isReceived: isReceived)
        case .pointerFocus(let focus, let seat): self.seat(seat)?.pointerFocus = focus
        case .needsDisplay(let id):
            pictureDidChange(on: id)
            captures.screenChanged(id)
            for seat in seats {
                seat.dragAndDrop.update()
                seat.pointer.contentsDidMove(on: id)
            }
        }
    }
}
