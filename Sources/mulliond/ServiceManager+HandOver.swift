// Hands over from one server to the next through the service manager's descriptor store.

import DisplayServer
import Glibc
import MullionSystem

extension ServiceManager {
    /// Stores everything for the next server. When the service is stopped, the store is emptied and clients are
    /// disconnected.
    func keep(_ handOver: HandOver) {
        guard let file = handOver.memoryFile() else {
            return Log.write(.warning, "the clients are disconnected: no memory is left to hand them over")
        }
        // First: if descriptors do not fit, only their clients are disconnected.
        store([file.rawValue], as: .state)
        store(handOver.descriptors.map(\.rawValue), as: .descriptors)
        waitUntilRead()
    }

    /// Replaces the store's descriptors of a name.
    func replace(_ name: Stored, by descriptor: Int32) {
        forget(name)
        store([descriptor], as: name)
    }
}

extension ServiceManager.Inheritance {
    private func descriptors(_ name: ServiceManager.Stored) -> [Int32] { stored[name.rawValue] ?? [] }

    /// Whether there was a previous server whose clients or screens remain.
    var isSuccession: Bool { !stored.isEmpty }

    /// The previous server's start record; nil when there is none or it is unreadable. It stays in the store until this
    /// server's record replaces it.
    func start() -> SavedStart? {
        let files = descriptors(.start)
        for descriptor in files.dropFirst() { close(descriptor) }
        do {
            return try files.first.map { try SavedStart(keptIn: $0) }
        } catch {
            Log.write(.warning, "the previous server's start record is lost: \(error)")
            return nil
        }
    }

    /// Empties the store, whose contents this process now owns. Must happen before they are interpreted: a state that
    /// crashes this process must not crash its successors again and again. The screens stay until this server's replace
    /// them, so that they survive a crash at any moment.
    private func clear() {
        let manager = ServiceManager()
        for name in [ServiceManager.Stored.state, .descriptors] where stored[name.rawValue] != nil {
            manager.forget(name)
        }
    }

    /// Takes over a previous server's state.
    /// - Parameter make: makes a configured server from a state.
    /// - Returns: nil when there is no state, or it is unusable; then the reason is logged and the clients are
    ///   disconnected.
    func takeOver(clock: ClockMode, _ make: (HandOverState) throws -> DisplayServer) throws -> DisplayServer? {
        // From now on, defer termination until the clients taken over can be handed over again.
        if !stored.isEmpty { Termination.hold() }
        clear()
        let (files, rest) = (descriptors(.state), descriptors(.descriptors))
        guard let first = files.first else {
            for descriptor in rest { close(descriptor) }
            if !rest.isEmpty { Log.write(.warning, "clients without a stored state are disconnected") }
            return nil
        }
        for descriptor in files.dropFirst() { close(descriptor) }
        let began = Monotonic.now
        do {
            let state = try HandOverState(HandOver(taking: first, rest))
            guard state.clock == clock else {
                throw HandOverError("its clock was \(state.clock.rawValue); this server's is \(clock.rawValue)")
            }
            let server = try make(state)
            try server.takeOver(state)
            let time = (Monotonic.now - began) / 1000
            for descriptor in descriptors(.screens) { close(descriptor) }
            Log.write(.info, "took over \(server.clientCount) clients of mulliond \(state.version) in \(time) ms")
            return server
        } catch let refusal as HandOverError {
            Log.write(.warning, "the previous server's clients are disconnected: \(refusal)")
            return nil
        }
    }

    /// Plugs in the screens of a server that crashed.
    /// - Returns: false when there are none.
    func plugScreens(of server: DisplayServer) -> Bool {
        let files = descriptors(.screens)
        guard let first = files.first else { return false }
        for descriptor in files.dropFirst() { close(descriptor) }
        do {
            try server.plugScreens(keptIn: first)
            Log.write(.info, "the previous server's screens are plugged in again")
            return true
        } catch {
            Log.write(.warning, "the previous server's screens are lost: \(error)")
            return false
        }
    }
}

/// Blocks SIGTERM and SIGINT, which would end a process that does not handle them yet, or be lost on process 1.
enum Termination {
    /// Holds the signals back.
    static func hold() { mask(SIG_BLOCK) }

    /// Delivers the signals, including pending ones.
    static func release() { mask(SIG_UNBLOCK) }

    private static func mask(_ how: Int32) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(how, &set, nil)
    }
}

/// In microseconds of the monotonic clock.
private enum Monotonic {
    static var now: Int { Int(MonotonicClock.nanoseconds / 1000) }
}
