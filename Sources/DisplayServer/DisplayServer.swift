// Joins the window model, the event loop, the wire and the compositor.

import Compositor
import Displays
import EventLoop
import Glibc
import System
import Wayland
import WindowModel

/// The server: its clients, screens and windows, on one event loop and one thread.
///
/// Handlers change the model; once per turn of the loop `settle` delivers the effects: notifications and events to
/// clients, frames to be drawn, and one flush per client.
public final class DisplayServer {
    public let loop: EventLoop
    public let model: WindowModel
    public let limits: Limits
    /// The time that clients can notice.
    public let clock: ServerClock
    /// Where display models come from.
    public let displays = DisplayLibrary()
    /// S10: what displays were like when they were connected last.
    public let screenMemory = ScreenMemory()
    /// Gets one line per notable event.
    public var onLog: (LogLevel, String) -> Void = { _, _ in }
    /// Gets the same with what it is about.
    public var onLogEntry: (LogEntry) -> Void = { _ in }
    /// What has happened how often.
    package var counters = Counters()
    /// Bounds what others can make it write.
    var logBudget = LogBudget()
    var logTimer: Timer?
    /// What is being done, for who watches whether the loop stands.
    let work = WorkRecord()
    package var stallWatch: StallWatch?
    var keymapBudget = KeymapBudget()

    /// How long clients' requests may keep a turn of the loop, in microseconds: half of it is one client's share.
    public var turnTime: UInt64 = 1000
    private(set) lazy var turns = ClientTurns(self)

    let globals = Globals()
    let input = InputBuffer()
    let outputPool = OutputPool()
    let statePool = SurfaceStatePool()
    let memoryTrim: MemoryTrim
    /// The shared memory of all clients.
    package let pools = SharedMemory.Account(partOf: nil)
    package var clients: [Application.ID: Client] = [:]
    private var closed: [Client] = []
    var clientsToFlush: [Client] = []
    /// Clients that are to be told of free buffers, now or with their next frame callback.
    var clientsWithReleases: [Client] = []
    private var flushing: [Client] = []
    /// Clients whose sockets are full: what is queued for them is watched, so that it does not grow for ever.
    var backlogged: [Client] = []
    private var effects: [Effect] = []
    /// Those whose surfaces were told where they are, while effects are carried out.
    var updatedWindows: Set<Window.ID> = []

    var surfaces = SurfaceIndex()
    /// The protocol objects of the windows.
    package var windows: [Window.ID: WindowObject] = [:]
    var outputs: [Screen.ID: ScreenOutput] = [:]
    /// K1: those of the model, in its order; the first is always there.
    package var seats: [ServerSeat] = []
    /// The keyboard's layouts and repetition, of every seat without a keyboard of its own.
    public internal(set) var keyboard = KeyboardConfiguration()
    /// Every seat's cursor where no client has set one.
    private(set) lazy var arrow = ArrowImage()
    private lazy var eventDelivery = EventDelivery(self)
    package lazy var captures = Captures(self)
    /// Waits until clients have carried out what they were told.
    public private(set) lazy var settler = Settler(self)
    /// Moves manual time.
    public private(set) lazy var stepper = ClockStepper(self)
    /// The name or path of the clients' socket, for people and programs that ask.
    public var socketName = ""
    /// Gets every effect of the model, after the clients were told.
    package var onEffect: ((Effect) -> Void)?
    /// Runs when a screen came, went or changed, or may have; once for all that happens in a turn.
    public var onScreensChange: (() -> Void)?
    /// Runs when effects are carried out and what is queued for clients is sent, as far as their sockets take it.
    package var onSettled: (() -> Void)?
    /// Every injected event goes through it.
    package lazy var injector = InputInjector(self)
    /// Who may change screens through mullion_screen_v1.
    public var screenControl = ScreenControl.owner
    /// R3: names of programs whose windows stay portrait, as if they had asked for it; they may ask otherwise.
    public var fixedRotation: Set<String> = []
    /// Who may connect, and what they may do; asked when a connection is accepted.
    public var peerPolicy = PeerPolicy.standard
    var accounts = UserAccounts()
    /// Connections, windows, levels, requests … that were refused since the start.
    public var refusals: UInt64 { counters.refusals.values.reduce(0, +) }
    /// Sockets of sandboxes.
    var sandboxes: [SandboxListener] = []
    /// By the names of the plugged-in screens.
    var plugOptions: [String: PlugOptions] = [:]
    lazy var outputManagement = OutputManagement(self)
    lazy var rotationTimer = RotationTimer(self)
    /// Counts the turns after which a connected screen may show something else: a screen came, went or changed, or its
    /// layers or their pixels did. Two moments with the same number have the same pictures; what shows nowhere, a title or
    /// who is key, does not count.
    public internal(set) var frameNumber: UInt64 = 0
    /// Whether this turn is to be counted.
    var pictureChanged = false
    var lastSerial: UInt32 = 0
    private var listener: Listener?
    let descriptorCeiling: Int32
    /// Whether another server can take over from this one, which then keeps what that needs. Set it before clients
    /// connect.
    public var isHandOverPossible = false
    /// Whether the objects of a previous server are being restored: events that it has sent are not sent again.
    var isTakingOver = false

    /// What a window's protocol object is.
    package enum WindowObject {
        case window(WindowResource)
        case toplevel(ToplevelResource)
    }

    /// The version of the whole package.
    public static let version = "0.1.0"

    /// - Parameter clock: where the time comes from that clients can notice.
    public init(
        loop: EventLoop, policy: Policy = Policy(), limits: Limits = Limits(), clock: ClockMode = .real,
        model: WindowModel? = nil
    ) {
        self.loop = loop
        memoryTrim = MemoryTrim(loop)
        self.clock = ServerClock(loop, mode: clock)
        let descriptors = sysconf(Int32(_SC_OPEN_MAX))
        descriptorCeiling = Int32(clamping: max(descriptors - 64, descriptors / 2))
        var limits = limits
        limits.userDescriptors = min(limits.userDescriptors, Int(descriptorCeiling) / 2)
        self.limits = limits
        self.model = model ?? WindowModel(policy: policy)
        self.model.setMaximumTouches(limits.touches)
        addCoreGlobals()
        loop.afterTurn = { [unowned self] in
            settle()
            turns.endTurn()
        }
    }

    deinit { stallWatch?.stop() }

    // MARK: Clients

    /// Accepts clients from a listening socket.
    public func listen(on socket: ListeningSocket) throws(EventLoopError) {
        let listener = try Listener(loop, socket) { [unowned self] in attach(OwnedDescriptor($0)) }
        listener.onError = { [unowned self] in log(.warning, "cannot accept a client: \($0)") }
        self.listener = listener
    }

    /// Accepts no more clients; those there are go on. Who connects to a sandbox's socket waits in it.
    public func stopListening() {
        listener?.close()
        listener = nil
        let deadline = loop.now + 100_000
        for sandbox in sandboxes { sandbox.suspend(until: deadline) }
    }

    /// Stops accepting clients and disconnects those there are. Until then server and clients keep each other.
    public func stop() {
        stopListening()
        sandboxes = []
        for client in clients.values { client.close(because: nil) }
        turns.destroyClosedClients()
        settle()
    }

    /// Keeps no client in the lists of a turn: none comes after this.
    func forgetTurn() {
        closed = []
        clientsToFlush = []
        clientsWithReleases = []
        backlogged = []
        turns.forget()
    }

    func remove(_ client: Client) {
        clients[client.application] = nil
        stallWatch?.name(client.workNumber, nil)
        closed.append(client)
        for seat in seats { seat.clientDidClose(client) }
        forget(client)
    }

    public var clientCount: Int { clients.count }
    /// Bytes queued for all clients and not taken by their sockets.
    public var queuedBytes: Int { clients.values.reduce(0) { $0 + $1.transport.queuedBytes } }

    /// Those that connected first come first.
    var clientsInOrder: [Client] { clients.values.sorted { $0.application < $1.application } }

    package func client(_ application: Application.ID) -> Client? { clients[application] }

    /// A serial for an event that a client may refer to.
    var serial: UInt32 { lastSerial }
    func nextSerial() -> UInt32 {
        lastSerial &+= 1
        return lastSerial
    }

    // MARK: Screens

    /// Announces the global of a screen that was just connected; clients are notified at the end of the turn.
    func serveScreen(_ id: Screen.ID) {
        guard let screen = model.screen(id) else { return }
        outputs[id] = ScreenOutput(self, screen: screen)
    }

    package func output(of id: Screen.ID) -> ScreenOutput? { outputs[id] }

    /// Counts the plain windows that appeared on a screen: each is placed a step further.
    func nextCascadeStep(on screen: Screen.ID) -> Int {
        guard let output = outputs[screen] else { return 1 }
        output.cascadeSteps += 1
        return output.cascadeSteps
    }

    // MARK: Frames

    /// Sends the surface's frame callbacks at the next tick of its screen. While it is on none they wait.
    func scheduleFrame(for surface: SurfaceResource) {
        if let role = surface.role as? CursorRole,
            let screen = role.cursor.pointer.location?.screen ?? model.mainScreen
        {
            outputs[screen]?.clock.schedule(surface)
        }
        guard surface.wantsFrame, let screen = surface.shownScreen,
            // C2: the surface of a visible window is shown, with content or without.
            surface.hasContents || surface.role is WindowResource
        else { return }
        outputs[screen]?.clock.schedule(surface)
    }

    /// The pixels of a surface changed; whoever looks at its screen is to see it.
    func contentsChanged(of surface: SurfaceResource) {
        guard let window = surface.window else {
            model.overlayNeedsDisplay(surface.node)
            for seat in seats { seat.pointer.cursor.contentsDidChange(of: surface) }
            return
        }
        if !pictureChanged { pictureChanged = model.isVisible(window) }
        guard captures.hasSessions, let screen = model.screen(of: window) else { return }
        captures.screenChanged(screen)
        for mirror in model.mirrors(of: screen) { captures.screenChanged(mirror) }
    }

    /// Draws screens as they are at this moment, all at the same one, and hands over their pictures: native pixels (S4).
    /// With the cursor when asked for.
    public func capture(
        _ screens: [Screen.ID], cursor: Bool = false, _ body: @escaping ([(Screen.ID, Bitmap)]) -> Void
    ) {
        captures.capture(screens, cursor: cursor, body)
    }

    /// Keeps the screen drawn as if somebody watched it, until it is unplugged.
    public func watch(_ id: Screen.ID) { captures.watch(id) }

    // MARK: Settling

    /// Carries out what follows from the changes of this turn, in order, and sends what is queued.
    public func settle() {
        work.begin("carrying out what followed from a turn")
        defer { work.begin("a timer, a signal or a new connection") }
        repeat {
            deliverEffects()
            for seat in seats { seat.pointer.cursor.update() }
            outputManagement.update()
            if !clientsWithReleases.isEmpty { clientsWithReleases.removeAll { $0.settleReleases() } }
            swap(&clientsToFlush, &flushing)
            for client in flushing { client.flush() }
            flushing.removeAll(keepingCapacity: true)
            if !backlogged.isEmpty { backlogged.removeAll { !$0.isWithinBacklog() } }
            // A flush can end a client, which has effects of its own.
        } while model.hasEffects || !clientsToFlush.isEmpty || settler.advance()
        if !closed.isEmpty { closed.removeAll() }
        if pictureChanged {
            pictureChanged = false
            frameNumber += 1
        }
        onSettled?()
    }

    /// Queues for the clients what followed from the requests so far; sends nothing yet. It is called at the end of a turn,
    /// and before that only where the order counts: each of these places says why.
    func deliverEffects() {
        guard model.hasEffects else { return }
        turns.stopwatch.expectMore()
        while model.hasEffects {
            if !updatedWindows.isEmpty { updatedWindows.removeAll(keepingCapacity: true) }
            var drained: [Effect] = []
            swap(&drained, &effects)
            model.drainEffects(into: &drained)
            for effect in drained { deliver(effect) }
            eventDelivery.endGroups()
            for seat in seats { seat.touch.endFrame() }
            swap(&drained, &effects)
        }
    }

    private func deliver(_ effect: Effect) {
        defer { onEffect?(effect) }
        // Touches of one moment are one group; whatever else happens is sent after them.
        if case .deliver = effect {} else { eventDelivery.endGroups() }
        switch effect {
        case .screenDidConnect(let id):
            remember(id)
            updatePreferredScales()
            outputManagement.setNeedsUpdate()
            for client in clients.values {
                for application in client.applicationResources { application.announce(id, isNew: true) }
            }
        case .screenDidDisconnect(let id):
            pictureChanged = true
            updatePreferredScales()
            captures.screenDidDisconnect(id)
            outputManagement.setNeedsUpdate()
            outputs.removeValue(forKey: id)?.disconnect()
            for seat in seats { seat.dragAndDrop.update() }
            for client in clients.values {
                for screen in client.screens where screen.screen == id { screen.disconnect() }
            }
        case .modeDidChange(let id): modeDidChange(id)
        case .screenPropertiesDidChange(let id):
            // Its position counts where all screens are in one picture.
            pictureChanged = true
            screenPropertiesDidChange(id)
        case .orientationWillChange(let id, let old, let new, let duration):
            forEachResource(of: id) { $0.orientationWillChange(from: old, to: new, duration: duration) }
        case .orientationDidChange(let id, let old, let new):
            forEachResource(of: id) { $0.orientationDidChange(from: old, to: new) }
        case .didBecomeVisible(let window, _):
            updateSurfaces(of: window)
            if case .window(let object) = windows[window] { object.send(MullionWindowV1.Event.didBecomeVisible) }
        case .didBecomeHidden(let window, _):
            endPopupGrabs(in: window)
            updateSurfaces(of: window)
            if case .window(let object) = windows[window] { object.send(MullionWindowV1.Event.didBecomeHidden) }
        case .didBecomeKey(let window, _, let seat):
            self.seat(seat)?.keyboardFocus = window
            switch windows[window] {
            case .window(let object): object.send(MullionWindowV1.Event.didBecomeKey)
            case .toplevel(let object): object.stateDidChange()
            case nil: break
            }
        case .didResignKey(let window, _, let seat):
            self.seat(seat)?.didResignKey(window)
            switch windows[window] {
            case .window(let object): object.send(MullionWindowV1.Event.didResignKey)
            case .toplevel(let object): object.stateDidChange()
            case nil: break
            }
        case .screenDidChange(let window, _, let screen):
            endPopupGrabs(in: window, exceptOf: model.seat(of: window))
            updateSurfaces(of: window)
            switch windows[window] {
            case .window(let object): object.screenDidChange(screen)
            case .toplevel(let object): object.stateDidChange()
            case nil: break
            }
        case .frameDidChange(let window, _):
            switch windows[window] {
            case .window(let object): object.frameDidChange()
            case .toplevel(let object): object.stateDidChange()
            case nil: break
            }
        case .deliver(let event):
            counters.delivered(event)
            let seat = seat(event.seat)
            // Decided once, for all protocols.
            let grab = seat?.grabs.grab(taking: event)
            eventDelivery.deliver(event, takenBy: grab)
            seat?.deliver(event, takenBy: grab)
        case .pointerFocus(let focus, let seat): self.seat(seat)?.pointerFocus = focus
        case .needsDisplay(let id):
            pictureChanged = true
            captures.screenChanged(id)
            for seat in seats {
                seat.dragAndDrop.update()
                seat.pointer.contentsDidMove(on: id)
            }
        }
    }
}
