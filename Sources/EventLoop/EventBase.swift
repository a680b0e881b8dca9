// The owners of libevent's two basic pointers.

import CLibevent
import Glibc

/// Owns one `event_base`; everything that lives on it holds this object, so that it is freed last.
final class EventBase {
    private let pointer: OpaquePointer

    init() throws(EventLoopError) {
        guard let configuration = event_config_new() else { throw EventLoopError("event_config_new", code: ENOMEM) }
        defer { event_config_free(configuration) }
        // Our timers are one timerfd (TimerQueue): PRECISE_TIMER would cost a timerfd_settime in every turn.
        // No EPOLL_USE_CHANGELIST: it confuses descriptors that are closed and reused within a turn.
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_IGNORE_ENV.rawValue
        event_config_set_flag(configuration, Int32(flags))
        event_config_require_features(configuration, Int32(EV_FEATURE_EARLY_CLOSE.rawValue | EV_FEATURE_ET.rawValue))
        guard let pointer = event_base_new_with_config(configuration) else {
            throw EventLoopError("event_base_new_with_config", code: errno)
        }
        self.pointer = pointer
    }

    deinit {
        event_base_free(pointer)
    }

    /// One pass: `event_base_loop`'s result.
    func pass(nonblocking: Bool) -> Int32 {
        // NONBLOCK alone can spin on an unread byte.
        event_base_loop(pointer, nonblocking ? EVLOOP_ONCE | EVLOOP_NONBLOCK : EVLOOP_ONCE)
    }

    /// Lends the pointer to a C constructor.
    func lend<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        body(pointer)
    }
}

/// Owns one persistent `event`. The context is not retained: its owner holds this object and dies after it.
final class Event {
    private let pointer: OpaquePointer
    private let base: EventBase

    /// `descriptor` is a signal's number when `what` has EV_SIGNAL.
    init(
        _ base: EventBase, _ descriptor: Int32, _ what: Int32, _ context: AnyObject,
        _ callback: @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void
    ) throws(EventLoopError) {
        let address = Unmanaged.passUnretained(context).toOpaque()
        let new = base.lend { event_new($0, descriptor, Int16(what | EV_PERSIST), callback, address) }
        guard let new else { throw EventLoopError("event_new", "descriptor \(descriptor)", code: ENOMEM) }
        pointer = new
        self.base = base
    }

    deinit {
        event_free(pointer)
    }

    /// Starts watching; false with errno set when the system refuses.
    func add() -> Bool {
        event_add(pointer, nil) == 0
    }

    func remove() {
        event_del(pointer)
    }

    /// Makes the callback run in the next pass as if `what` had happened.
    func activate(_ what: Int32) {
        event_active(pointer, what, 0)
    }
}

/// The Swift object behind a callback's context.
func object<Object: AnyObject>(_ context: UnsafeMutableRawPointer?, as type: Object.Type = Object.self) -> Object? {
    context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
