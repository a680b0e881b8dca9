// From one server to the next, by way of the service manager's store.

import DisplayServer
import Glibc
import System

extension ServiceManager {
    /// Leaves everything to the next server. When the service is stopped the store is emptied: clients are disconnected.
    func keep(_ handOver: HandOver) {
        guard let memory = handOver.memory() else {
            return Log.write(.warning, "the clients are disconnected: there is no memory to hand them over")
        }
        // First: a client whose descriptors find no room is disconnected, and the others are not.
        store([memory.rawValue], as: .state)
        store(handOver.descriptors.map(\.rawValue), as: .descriptors)
        waitUntilRead()
    }

    /// What the store has under the name from now on.
    func replace(_ name: Stored, by descriptor: Int32) {
        forget(name)
        store([descriptor], as: name)
    }
}

extension ServiceManager.Inheritance {
    private func descriptors(_ name: ServiceManager.Stored) -> [Int32] { stored[name.rawValue] ?? [] }

    /// Whether another server was there before: its clients or its screens go on.
    var isSuccession: Bool { !stored.isEmpty }

    /// What the server before was started with; nil when there was none, or that cannot be known. It stays in the store
    /// until this server's is there.
    func start() -> StartRecord? {
        let memories = descriptors(.start)
        for descriptor in memories.dropFirst() { close(descriptor) }
        do {
            return try memories.first.map { try StartRecord(keptIn: $0) }
        } catch {
            Log.write(.warning, "what the server before was started with is lost: \(error)")
            return nil
        }
    }

    /// Empties the store: what was in it is this process's now. That comes before anything of it is looked at: a state
    /// that ends this process must not be there for the next one, which would end in the same way, for ever. The screens
    /// stay until this server's replace them, so that they outlive a crash at any moment.
    private func clear() {
        let manager = ServiceManager()
        for name in [ServiceManager.Stored.state, .descriptors] where stored[name.rawValue] != nil {
            manager.forget(name)
        }
    }

    /// Goes on with what a server before has left.
    /// - Parameter make: makes a server, configured, of a state.
    /// - Returns: nil when there is nothing, or when it cannot be: the log says why, and its clients are disconnected.
    func takeOver(clock: ClockMode, _ make: (HandOverState) throws -> DisplayServer) throws -> DisplayServer? {
        // Told to stop from here on, it stops once it can hand over what it has taken.
        if !stored.isEmpty { Termination.hold() }
        clear()
        let (memory, rest) = (descriptors(.state), descriptors(.descriptors))
        guard let first = memory.first else {
            for descriptor in rest { close(descriptor) }
            if !rest.isEmpty { Log.write(.warning, "clients are disconnected: nobody has said what they had") }
            return nil
        }
        for descriptor in memory.dropFirst() { close(descriptor) }
        let began = Monotonic.now
        do {
            let state = try HandOverState(HandOver(taking: first, rest))
            guard state.clock == clock else {
                throw HandOver.Refusal("its clock was \(state.clock.rawValue), and this one's is \(clock.rawValue)")
            }
            let server = try make(state)
            try server.takeOver(state)
            let time = (Monotonic.now - began) / 1000
            for descriptor in descriptors(.screens) { close(descriptor) }
            Log.write(.info, "took over \(server.clientCount) clients of mulliond \(state.version) in \(time) ms")
            return server
        } catch let refusal as HandOver.Refusal {
            Log.write(.warning, "the clients of the server before are disconnected: \(refusal)")
            return nil
        }
    }

    /// Plugs in the screens of a server that crashed.
    /// - Returns: false when there are none.
    func plugScreens(of server: DisplayServer) -> Bool {
        let memories = descriptors(.screens)
        guard let first = memories.first else { return false }
        for descriptor in memories.dropFirst() { close(descriptor) }
        do {
            try server.plugScreens(keptIn: first)
            Log.write(.info, "the screens of the server before are plugged in again")
            return true
        } catch {
            Log.write(.warning, "the screens of the server before are lost: \(error)")
            return false
        }
    }
}

/// SIGTERM and SIGINT, which would end a process that does not yet listen to them, or be lost on process 1.
enum Termination {
    /// From now on they wait.
    static func hold() { mask(SIG_BLOCK) }

    /// They come from now on, also one that waited.
    static func release() { mask(SIG_UNBLOCK) }

    private static func mask(_ how: Int32) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(how, &set, nil)
    }
}

/// Microseconds of the monotonic clock.
private enum Monotonic {
    static var now: Int { Int(MonotonicClock.nanoseconds / 1000) }
}
