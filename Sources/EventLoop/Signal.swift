// Signals as loop events.

import CLibevent
import Glibc

/// Handles a signal on the loop's thread for as long as this object exists. libevent delivers the signals of a process
/// to one loop: only one loop may have `Signal`s at a time.
public final class Signal {
    /// Called for each arrival that the kernel did not merge with another.
    public var handler: (() -> Void)?

    private let loop: EventLoop
    private var event: Event?

    /// - Parameter number: `SIGTERM`, `SIGINT`, `SIGHUP` …; its previous disposition is restored when this object is
    ///   dropped.
    public init(_ loop: EventLoop, _ number: Int32, handler: (() -> Void)? = nil) throws(EventLoopError) {
        self.loop = loop
        self.handler = handler
        let event = try unsafe Event(loop.base, number, EV_SIGNAL, self, signalArrived)
        guard event.add() else { throw EventLoopError("sigaction", "signal \(number)", code: errno) }
        self.event = event
    }

    /// Restores the signal's previous disposition.
    public func cancel() {
        event = nil
        handler = nil
    }

    fileprivate func arrived() {
        loop.handlerRan = true
        handler?()
    }
}

private func signalArrived(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: Signal.self)?.arrived()
}
