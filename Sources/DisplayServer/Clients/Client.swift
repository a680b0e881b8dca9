// A connected client.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import WindowModel

/// A client: its socket, its objects, and its application in the window model.
package final class Client: ServerConnection {
    // Used for every request. The server releases its clients when they end, and all of them when it stops.
    let server: DisplayServer
    package let application: Application.ID
    package let credentials: Credentials
    /// The name of its process when it connected.
    let processName: String
    /// Its permissions and quotas; decided once.
    let permissions: Permissions
    /// Its user's account.
    let account: UserAccount
    /// Bound objects of the kinds that the server sends events to unasked. Those of unplugged screens are removed (S9).
    var outputs: [OutputResource] = []
    var screens: [ScreenResource] = []
    var applicationResources: [ApplicationResource] = []
    var eventsResources: [EventsResource] = []
    var wmBases: [WmBaseResource] = []
    /// Whether it has read a ping of xdg_wm_base and not answered; see `SettlingRound`.
    var ignoresPings = false
    /// Its state per seat, by the seat's index.
    private var seats: [ClientSeat] = []
    let pools: SharedMemory.Account
    /// If it is an X server: the client that brought it, and the object that this has for it.
    private(set) var manager: Application.ID?
    weak var x11Server: X11ServerResource? {
        didSet { manager = x11Server?.client.application ?? manager }
    }
    /// Whether it is an X server. One with a root window is a client like any other, recognized only by its name.
    var isXServer: Bool { manager != nil || processName == "Xwayland" }
    package var surfaceCount = 0
    var popupCount = 0
    /// The number of its text inputs of version 1, which it cannot destroy.
    var textInputsV1 = 0
    /// The memory used for the client's data.
    let holdings = MemoryAccount()
    /// The memory last charged to its user.
    private(set) var countedMemory = 0
    private var source: IOSource?
    /// Whether it is in the server's list of clients to flush.
    private var isQueued = false
    private var isBacklogged = false
    private(set) var isClosed = false
    /// Monotonic microseconds; 0 for one that was taken over.
    let connectedAt: UInt64
    /// How it ended; nil while it is connected.
    private(set) var ending: ClientEnding?
    /// The memory used for the client when it closed, in bytes.
    private var memoryToTrim = 0

    init(
        _ server: DisplayServer, socket: OwnedDescriptor, credentials: Credentials, permissions: Permissions,
        account: UserAccount, isManaged: Bool = false
    ) {
        self.server = server
        self.credentials = credentials
        processName = credentials.processName
        self.permissions = permissions
        self.account = account
        connectedAt = server.loop.now
        pools = SharedMemory.Account(partOf: account.pools)
        application = server.model.addApplication(
            isSystem: permissions.isSystemApplication, name: processName, process: credentials.process)
        let limits = isManaged ? server.limits.ofXServer : server.limits
        super.init(
            transport: Connection(socket: socket, limits: limits, pool: server.outputPool), work: server.work,
            workNumber: UInt64(application.rawValue))
        transport.onQueue = { [unowned self] in queueFlush() }
        transport.closer = account.closer
        if server.hasFixedRotation(processName) { server.setRotationPolicy(.fixed, of: self) }
        server.clientRecords?.didConnect(self)
    }

    /// Restores a client of another server.
    init(
        _ server: DisplayServer, socket: OwnedDescriptor, credentials: Credentials, permissions: Permissions,
        account: UserAccount, takingOver saved: SavedClient
    ) {
        self.server = server
        self.credentials = credentials
        processName = credentials.processName
        self.permissions = permissions
        self.account = account
        connectedAt = 0
        pools = SharedMemory.Account(partOf: account.pools)
        application = saved.application
        manager = saved.manager
        let limits = manager == nil ? server.limits : server.limits.ofXServer
        super.init(
            transport: Connection(socket: socket, limits: limits, pool: server.outputPool), work: server.work,
            workNumber: UInt64(application.rawValue))
        transport.onQueue = { [unowned self] in queueFlush() }
        transport.closer = account.closer
        server.clientRecords?.didConnect(self)
    }

    /// Starts reading.
    func start() throws(EventLoopError) {
        do {
            try start { connection throws(ProtocolError) in
                try unsafe DisplayResource(unsafeDowncast(connection, to: Client.self))
            }
        } catch {
            return
        }
        try watch()
    }

    /// Watches the socket from now on.
    func watch() throws(EventLoopError) {
        // Until the source is cancelled, it retains the client: called for every request, that costs less than a check.
        let source = try IOSource(server.loop, descriptor: transport.socket.rawValue) { [turns = server.turns] in
            turns.serve(self)
        }
        source.onWritable = { self.flush() }
        source.wantsRead = freezes == 0
        self.source = source
        countDescriptors()
    }

    /// Its state for a seat.
    func seat(_ seat: ServerSeat) -> ClientSeat {
        while seats.count <= seat.index { seats.append(ClientSeat()) }
        return seats[seat.index]
    }

    /// Checks that it may have another object of a kind of which it has `count`.
    func checkBindings(_ count: Int) throws(ProtocolError) {
        let limit = transport.limits.bindings
        guard count < limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) objects of one kind that receives events")
        }
    }

    /// Its rights beyond showing windows.
    var rights: Rights { permissions.rights }
    /// Whether its shared memory may be a file on a local disk: recorders such as wf-recorder have theirs in /tmp. They
    /// have the right to capture, and are trusted not to make the server wait for a disk.
    var mayUseLocalFiles: Bool { rights.contains(.capture) }
    /// Whether its memory is read in place (`SharedMemory`).
    var isTrusted: Bool { credentials.isTrusted }
    /// The number of wl_region objects.
    var regionCount = 0
    /// The number of its screencopy managers and capture sessions, including destroyed ones with remaining frames.
    var captureHistories = 0
    /// The number of pending copies.
    var screenCopies = 0
    /// When it last rang the bell.
    var bellTime: UInt64?

    // MARK: Commits that wait

    /// Whether any of its surfaces has had an object that can make commits wait.
    var queuesCommits = false
    /// The number of commits that wait to be applied, and of changes in them.
    var queuedCommits = 0
    /// The number of surfaces whose next commit waits for a time.
    var timedSurfaces = 0
    /// The surfaces whose commits go on in the next slice.
    var heldQueues: [SurfaceResource] = []

    // MARK: Releases

    /// The number of surfaces waiting for the frame callbacks of a screen.
    var framesAwaited = 0
    private var released: [BufferResource] = []
    /// Whether it is in the server's list of clients with releases.
    private var isListed = false
    /// The most releases that wait for a frame.
    private static let mostReleases = 1024

    /// Releases a buffer, together with the next frame callback if one is due: the client then draws again, and is not
    /// woken twice per frame.
    func release(_ buffer: BufferResource) {
        if !isListed { server.clientsWithReleases.append(self) }
        isListed = true
        released.append(buffer)
        // A client that commits continuously is served again only after it has read these.
        if released.count == Self.mostReleases { sendReleases() }
    }

    /// Called at the end of a turn: sends the releases if there is no frame callback to wait for.
    func sendDueReleases() -> Bool {
        if framesAwaited > 0, !released.isEmpty, !isClosed { return false }
        sendReleases()
        isListed = false
        return true
    }

    func sendReleases() {
        guard !released.isEmpty else { return }
        for buffer in released { buffer.send(WlBuffer.Event.release) }
        released.clear()
    }

    func queueFlush() {
        guard !isQueued else { return }
        isQueued = true
        server.clientsToFlush.append(self)
    }

    private var secondBegan: UInt64 = 0
    private var requestsBefore: UInt64 = 0

    /// Disconnects a client that floods the server with requests.
    private func checkRate() {
        let now = server.loop.now
        if now >= secondBegan + 1_000_000 {
            secondBegan = now
            requestsBefore = requestCount
        }
        let limit = transport.limits.messagesPerSecond
        guard requestCount - requestsBefore > UInt64(limit) else { return }
        post(ProtocolError(.noMemory, message: "limit reached: \(limit) requests a second"))
    }

    var descriptorsInUse = 0
    var descriptorsChecked: UInt64 = 0

    /// Charges the user for the memory used for the client.
    func countMemory() {
        let now = isClosed ? 0 : memoryUse
        account.memoryUse += now - countedMemory
        countedMemory = now
    }

    /// Whether it is in the list of clients waiting to be served.
    var isWaitingForTurn = false
    /// How many captures and keymaps have frozen the client; while any has, it is not served (`ClientTurns.freeze`).
    var freezes = 0

    /// Handles requests that were held back, otherwise reads and handles new ones, for one time slice.
    func serve() {
        guard !isClosed else { return }
        if !heldQueues.isEmpty { advanceHeldQueues() }
        do {
            if transport.hasHeldBack {
                try resume(with: server.input, within: server.turns.stopwatch)
            } else {
                try receive(into: server.input, within: server.turns.stopwatch)
            }
            checkRate()
            checkDescriptors()
            checkMemory()
            x11Server?.checkCrowding()
        } catch {
            return close(because: error)
        }
        // Much output is sent now and not at the end of the turn: when many clients connect at once, few of them need
        // a buffer at the same time.
        if failure != nil || transport.isCongested || transport.queuedBytes > Self.earlyFlushThreshold {
            flush()
        } else {
            awaitMore()
        }
    }

    /// In bytes: when an output buffer has grown once.
    private static let earlyFlushThreshold = 8 * OutputBuffer.initialCapacity

    /// Sends what is queued; the rest is sent when the socket becomes writable.
    func flush() {
        isQueued = false
        guard !isClosed, let source else { return }
        sendReleases()
        checkMemory()
        do throws(ConnectionError) {
            source.wantsWrite = try !transport.flush()
            countDescriptors()
        } catch {
            // A client that hung up is served to the end, which reading detects.
            guard transport.hasHungUp, failure == nil else { return close(because: error) }
            source.wantsWrite = false
        }
        if source.wantsWrite, !isBacklogged {
            isBacklogged = true
            server.backlogged.append(self)
        }
        // The error is sent as far as the socket accepts it; the client is not waited for.
        if failure != nil { return close(because: nil) }
        awaitMore()
    }

    /// Back-pressure: a client that does not read is not served. Neither is one that is frozen.
    func awaitMore() {
        source?.wantsRead = !transport.hasHeldBack && !transport.isCongested && freezes == 0
        if transport.hasHeldBack || transport.hasHungUp, !transport.isCongested { server.turns.add(self) }
    }

    /// Disconnects the client when more is queued for it than the limit allows.
    /// - Returns: whether it still has a backlog to watch.
    func isWithinBacklog() -> Bool {
        if !isClosed, transport.queuedBytes > transport.limits.outputMaximum { close(because: .limit("outputMaximum")) }
        isBacklogged = !isClosed && transport.queuedBytes > 0
        return isBacklogged
    }

    /// Ends the connection. The client's windows (W7) and everything else that others can observe are destroyed
    /// immediately; its surfaces and buffers as far as this turn has time, and the rest in later turns.
    func close(because error: ConnectionError?) {
        guard !isClosed else { return }
        isClosed = true
        heldQueues = []
        if freezes > 0 { server.captures.frozenClientWillClose(self) }
        if let failure {
            let rule = LogSubject.rule(in: failure.message)
            server.logEnd(
                of: self, .info, "client \(description): \(failure)", because: failure.message, rule: rule)
        } else if let error, error != .closed {
            server.logEnd(of: self, .info, "client \(description): \(error)", because: "\(error)")
        }
        server.counters.ended(self, because: error)
        ending = ClientEnding(self, because: error)
        server.clientRecords?.didClose(self)
        memoryToTrim = countedMemory
        countDescriptors()
        countMemory()
        transport.onQueue = nil
        source?.cancel()
        source = nil
        transport.shutDown()
        transport.socket.close()
        // W7: all windows are destroyed together, so that key does not pass through windows about to be destroyed.
        server.logErrors { () throws(ModelError) in try server.model.removeApplication(application) }
        let time = Stopwatch()
        time.start(microseconds: server.turnTime / 2)
        let isDone = destroyObjects(within: time)
        server.remove(self)
        server.settler.clientDidClose(self)
        if !isDone { server.turns.add(closed: self) }
    }

    /// Destroys the remaining objects of a closed client.
    /// - Parameter time: limits how long this takes; nil for no limit.
    /// - Returns: whether all objects are destroyed.
    @discardableResult
    func destroyObjects(within time: Stopwatch? = nil) -> Bool {
        if let time {
            guard close(within: time) else { return false }
        } else {
            close()
        }
        server.memoryTrim.clientEnds(with: memoryToTrim)
        memoryToTrim = 0
        return true
    }

    /// Stops reading and sending: another server takes over the socket.
    func leave() {
        isClosed = true
        heldQueues = []
        countDescriptors()
        countMemory()
        transport.onQueue = nil
        transport.socket.closer = nil
        source?.cancel()
        source = nil
    }

    /// Whether a frame callback will be sent without further action; the client answers it by drawing.
    var owesFrame: Bool { framesAwaited > 0 && server.outputs.values.contains { $0.clock.owes(self) } }

    var hasVisibleWindow: Bool { server.model.windows(of: application).contains(where: server.model.isVisible) }

    /// Name and process, for messages.
    var shortDescription: String { "\(server.model.application(application)?.name ?? "") (pid \(credentials.pid))" }

    package var description: String {
        "\(server.model.application(application)?.name ?? "") (pid \(credentials.pid), uid \(credentials.uid))"
    }
}
