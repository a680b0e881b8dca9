// Owners of libevent's two basic pointers: event_base and event.

import CLibevent
import Glibc

/// Owns an `event_base`. Every object on the base retains this one, so the base is freed last.
@safe final class EventBase {
    private let pointer: OpaquePointer

    init() throws(EventLoopError) {
        guard let configuration = unsafe event_config_new() else {
            throw EventLoopError("event_config_new", code: ENOMEM)
        }
        defer { unsafe event_config_free(configuration) }
        // Our timers are one timerfd (TimerQueue): PRECISE_TIMER would cost a timerfd_settime in every turn.
        // No EPOLL_USE_CHANGELIST: it confuses descriptors that are closed and reused within a turn.
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_IGNORE_ENV.rawValue
        unsafe event_config_set_flag(configuration, Int32(flags))
        unsafe event_config_require_features(
            configuration, Int32(EV_FEATURE_EARLY_CLOSE.rawValue | EV_FEATURE_ET.rawValue))
        guard let pointer = unsafe event_base_new_with_config(configuration) else {
            throw EventLoopError("event_base_new_with_config", code: errno)
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe event_base_free(pointer)
    }

    /// Runs one pass and returns `event_base_loop`'s result.
    func pass(nonblocking: Bool) -> Int32 {
        // NONBLOCK alone can spin on an unread byte.
        unsafe event_base_loop(pointer, nonblocking ? EVLOOP_ONCE | EVLOOP_NONBLOCK : EVLOOP_ONCE)
    }

    /// Lends the pointer to a C constructor.
    func lend<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }
}

/// Owns one persistent `event`. Does not retain the context: the context's owner must outlive this object.
@safe final class Event {
    private let pointer: OpaquePointer
    private let base: EventBase

    /// - Parameter descriptor: a signal number when `what` has EV_SIGNAL.
    init(
        _ base: EventBase, _ descriptor: Int32, _ what: Int32, _ context: AnyObject,
        _ callback: @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void
    ) throws(EventLoopError) {
        let address = unsafe Unmanaged.passUnretained(context).toOpaque()
        let new = unsafe base.lend { unsafe event_new($0, descriptor, Int16(what | EV_PERSIST), callback, address) }
        guard let new = unsafe new else { throw EventLoopError("event_new", "descriptor \(descriptor)", code: ENOMEM) }
        unsafe pointer = new
        self.base = base
    }

    deinit {
        unsafe event_free(pointer)
    }

    /// Starts watching. Returns false with errno set when the system refuses.
    func add() -> Bool {
        unsafe event_add(pointer, nil) == 0
    }

    func remove() {
        unsafe event_del(pointer)
    }

    /// Makes the callback run in the next pass as if `what` had happened.
    func activate(_ what: Int32) {
        unsafe event_active(pointer, what, 0)
    }
}

/// The Swift object behind a callback's context.
func object<Object: AnyObject>(_ context: UnsafeMutableRawPointer?, as type: Object.Type = Object.self) -> Object? {
    unsafe context.map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
