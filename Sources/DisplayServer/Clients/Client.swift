// One connected program.

import EventLoop
import Glibc
import System
import Wayland
import WindowModel

/// A client: its socket, its objects, and its application in the window model.
package final class Client: ServerConnection {
    // Asked at every request. The server lets go of its clients when they end, and of all of them when it stops.
    let server: DisplayServer
    package let application: Application.ID
    package let credentials: Credentials
    /// What it may do, and how much it may have; decided once.
    let permissions: Permissions
    /// Its user's.
    let account: UserAccount
    /// What the client bound, of the kinds that the server sends to unasked. Those of unplugged screens are not (S9).
    var outputs: [OutputResource] = []
    var screens: [ScreenResource] = []
    var applicationResources: [ApplicationResource] = []
    var eventsResources: [EventsResource] = []
    var wmBases: [WmBaseResource] = []
    /// Its part of each seat of which it has something, by the seat's index.
    private var seats: [ClientSeat] = []
    let memory: SharedMemory.Account
    package var surfaceCount = 0
    var popupCount = 0
    /// What it has said and the server keeps.
    let holdings = MemoryAccount()
    /// What its user was charged with last.
    private(set) var countedMemory = 0
    private var source: IOSource?
    /// Whether the server's list of clients to be flushed has this one.
    private var isQueued = false
    private var isBacklogged = false
    private var isClosed = false
    /// What the server kept for it when it closed, in bytes.
    private var memoryToTrim = 0

    init(
        _ server: DisplayServer, socket: OwnedDescriptor, credentials: Credentials, permissions: Permissions,
        account: UserAccount
    ) {
        self.server = server
        self.credentials = credentials
        self.permissions = permissions
        self.account = account
        memory = SharedMemory.Account(partOf: account.pools)
        application = server.model.addApplication(
            isSystem: permissions.isSystemApplication, name: credentials.processName)
        super.init(
            transport: Connection(socket: socket, limits: server.limits, pool: server.outputPool), work: server.work,
            workNumber: UInt64(application.rawValue))
        transport.onQueue = { [unowned self] in queueFlush() }
        transport.closer = account.closer
        if server.fixedRotation.contains(credentials.processName) { server.setRotationPolicy(.fixed, of: self) }
    }

    /// A client of another server, as it is now.
    init(
        _ server: DisplayServer, socket: OwnedDescriptor, credentials: Credentials, permissions: Permissions,
        account: UserAccount, takingOver saved: SavedClient
    ) {
        self.server = server
        self.credentials = credentials
        self.permissions = permissions
        self.account = account
        memory = SharedMemory.Account(partOf: account.pools)
        application = saved.application
        super.init(
            transport: Connection(socket: socket, limits: server.limits, pool: server.outputPool), work: server.work,
            workNumber: UInt64(application.rawValue))
        transport.onQueue = { [unowned self] in queueFlush() }
        transport.closer = account.closer
    }

    /// Starts to read.
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

    /// Reads from now on.
    func watch() throws(EventLoopError) {
        let source = try IOSource(server.loop, descriptor: transport.socket.rawValue) { [unowned self] in
            server.turns.serve(self)
        }
        source.onWritable = { [unowned self] in flush() }
        self.source = source
        countDescriptors()
    }

    /// What it has of a seat.
    func seat(_ seat: ServerSeat) -> ClientSeat {
        while seats.count <= seat.index { seats.append(ClientSeat()) }
        return seats[seat.index]
    }

    /// Refuses one more object of a kind of which there are `count`.
    func checkBindings(_ count: Int) throws(ProtocolError) {
        let limit = transport.limits.bindings
        guard count < limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) objects of one kind that is told things")
        }
    }

    /// What it may do beyond showing windows.
    var rights: Rights { permissions.rights }
    /// wl_region objects.
    var regionCount = 0
    /// Its screencopy managers, those included that are gone while pictures of theirs are there.
    var screencopySources = 0
    /// Pictures of screens that it waits for.
    var screenCopies = 0

    // MARK: Releases

    /// Surfaces whose frame callbacks a clock will send.
    var framesAwaited = 0
    private var released: [BufferResource] = []
    /// Whether the server's list of clients with releases has this one.
    private var isListed = false
    /// Those that wait for a frame at most.
    private static let mostReleases = 1024

    /// Tells the client that a buffer is free, together with the next frame callback where one is due: that is when the
    /// client draws again, and it saves waking it twice a frame.
    func release(_ buffer: BufferResource) {
        if !isListed { server.clientsWithReleases.append(self) }
        isListed = true
        released.append(buffer)
        // Who commits on and on before the next frame is served no more requests until it reads.
        if released.count == Self.mostReleases { sendReleases() }
    }

    /// At the end of a turn: nothing to wait for, so the releases go now.
    func settleReleases() -> Bool {
        if framesAwaited > 0, !released.isEmpty, !isClosed { return false }
        sendReleases()
        isListed = false
        return true
    }

    func sendReleases() {
        guard !released.isEmpty else { return }
        for buffer in released { buffer.send(WlBuffer.Event.release) }
        released.removeAll(keepingCapacity: true)
    }

    func queueFlush() {
        guard !isQueued else { return }
        isQueued = true
        server.clientsToFlush.append(self)
    }

    private var secondBegan: UInt64 = 0
    private var requestsBefore: UInt64 = 0

    /// A client that floods is ended, so that the others go on.
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

    private var descriptorsInUse = 0

    /// Charges the user for the client's descriptors, those included that it sent and nothing has used yet.
    private func countDescriptors() {
        let now = isClosed ? 0 : 1 + transport.descriptorCount
        account.descriptorsInUse += now - descriptorsInUse
        descriptorsInUse = now
    }

    /// Charges the user for what the server keeps for the client.
    func countMemory() {
        let now = isClosed ? 0 : memoryUse
        account.memory += now - countedMemory
        countedMemory = now
    }

    /// Whether nothing more that carries a descriptor is to be sent to it: it does not read, or its user has many.
    var isFullOfDescriptors: Bool {
        transport.isFullOfDescriptors || account.descriptors >= transport.limits.userDescriptors
    }

    private var descriptorsChecked: UInt64 = 0

    /// A client that sends more descriptors than its user may have is ended, so that those of other users find room. The
    /// user's other clients go on.
    private func checkDescriptors() {
        countDescriptors()
        guard transport.descriptorsRead > descriptorsChecked else { return }
        descriptorsChecked = transport.descriptorsRead
        let limit = transport.limits.userDescriptors
        guard account.descriptors > limit else { return }
        post(
            ProtocolError(
                .noMemory, message: "limit reached: \(limit) descriptors for the clients of \(credentials.description)")
        )
    }

    /// Whether the server's list of those that wait to be served has this one.
    var isWaitingForTurn = false
    /// How many captures have frozen the client; while any has, it is not served (`ClientTurns.freeze`).
    var freezes = 0

    /// Carries out what waits, else reads and carries out what came, for one share of a turn.
    func serve() {
        guard !isClosed else { return }
        do {
            if transport.hasHeldBack {
                try resume(with: server.input, within: server.turns.stopwatch)
            } else {
                try receive(into: server.input, within: server.turns.stopwatch)
            }
            checkRate()
            checkDescriptors()
            checkMemory()
        } catch {
            return close(because: error)
        }
        if failure != nil || transport.isCongested { flush() } else { awaitMore() }
    }

    /// Sends what is queued; what the socket does not take waits until it is writable.
    func flush() {
        isQueued = false
        guard !isClosed, let source else { return }
        sendReleases()
        checkMemory()
        do throws(ConnectionError) {
            source.wantsWrite = try !transport.flush()
            countDescriptors()
        } catch {
            // Who has hung up is served to the end; reading finds it.
            guard transport.hasHungUp, failure == nil else { return close(because: error) }
            source.wantsWrite = false
        }
        if source.wantsWrite, !isBacklogged {
            isBacklogged = true
            server.backlogged.append(self)
        }
        // The error is sent as far as the socket takes it; who made the mistake is not waited for.
        if failure != nil { return close(because: nil) }
        awaitMore()
    }

    /// Back-pressure: who does not read gets no more requests served.
    private func awaitMore() {
        source?.wantsRead = !transport.hasHeldBack && !transport.isCongested
        if transport.hasHeldBack || transport.hasHungUp, !transport.isCongested { server.turns.add(self) }
    }

    /// Ends the client when more is queued for it than the limit allows.
    /// - Returns: whether it still has a backlog to be watched.
    func isWithinBacklog() -> Bool {
        if !isClosed, transport.queuedBytes > transport.limits.outputMaximum { close(because: .limit("outputMaximum")) }
        isBacklogged = !isClosed && transport.queuedBytes > 0
        return isBacklogged
    }

    /// Ends the connection. The client's windows (W7) and everything else that others can notice are destroyed at once; its
    /// surfaces and buffers as far as this turn has time, and the rest in later turns.
    func close(because error: ConnectionError?) {
        guard !isClosed else { return }
        isClosed = true
        if freezes > 0 { server.captures.frozenClientWillClose(self) }
        if let failure {
            let subject = subject(rule: LogSubject.rule(in: failure.message))
            server.log(.info, "client \(description): \(failure)", about: subject)
        } else if let error, error != .closed {
            server.log(.info, "client \(description): \(error)", about: subject())
        }
        server.counters.ended(self, because: error)
        memoryToTrim = countedMemory
        countDescriptors()
        countMemory()
        transport.onQueue = nil
        source?.cancel()
        source = nil
        transport.shutDown()
        transport.socket.close()
        // W7: all windows go at once, so that key does not wander through those that are about to go.
        server.ignore { () throws(ModelError) in try server.model.removeApplication(application) }
        let time = Stopwatch()
        time.start(microseconds: server.turnTime / 2)
        let isDone = destroyObjects(within: time)
        server.remove(self)
        server.settler.clientDidClose(self)
        if !isDone { server.turns.add(closed: self) }
    }

    /// Destroys the remaining objects of a closed client.
    /// - Parameter time: limits how long this takes; nil: no limit.
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

    /// Reads and sends no more: another server goes on with the socket.
    func leave() {
        isClosed = true
        countDescriptors()
        countMemory()
        transport.onQueue = nil
        transport.socket.closer = nil
        source?.cancel()
        source = nil
    }

    /// Whether a frame callback comes by itself; a client answers it by drawing.
    var owesFrame: Bool { framesAwaited > 0 && server.outputs.values.contains { $0.clock.owes(self) } }

    /// Name and process, for people.
    var shortDescription: String { "\(server.model.application(application)?.name ?? "") (pid \(credentials.pid))" }

    package var description: String {
        "\(server.model.application(application)?.name ?? "") (pid \(credentials.pid), uid \(credentials.uid))"
    }
}
