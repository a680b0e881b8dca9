// Detects HTTP clients that disconnect while nothing is read from them.

import CLibevent
import Glibc

/// Reports each connection once when its client finishes sending, and once when it is gone.
///
/// libevent's EV_CLOSED does not report connections with a pending error, such as those whose client left an answer
/// unread, and spins for ever instead.
final class HTTPHangUps {
    /// Called with the watched connection and whether its client is gone.
    var handler: ((HTTPConnections.Input, _ isGone: Bool) -> Void)?

    private let descriptor: Int32
    private var event: Event?

    init(_ loop: EventLoop) throws(EventLoopError) {
        descriptor = loop_hangups_new()
        guard descriptor >= 0 else { throw EventLoopError("epoll_create1", code: errno) }
        do throws(EventLoopError) {
            let event = try unsafe Event(loop.base, descriptor, EV_READ, self, hangUpsCame)
            guard event.add() else { throw EventLoopError("event_add", code: errno) }
            self.event = event
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        event = nil
        close(descriptor)
    }

    /// - Parameters:
    ///   - socket: must be forgotten before it is closed.
    ///   - finishes: whether to report the end of sending too, not only the disconnect.
    func watch(_ connection: HTTPConnections.Input, _ socket: Int32, finishes: Bool) {
        _ = unsafe loop_hangups_watch(descriptor, socket, UnsafeMutableRawPointer(connection.buffer), finishes ? 1 : 0)
    }

    func forget(_ socket: Int32) { loop_hangups_forget(descriptor, socket) }

    fileprivate func come() {
        var isGone: Int32 = 0
        // One at a time: a handler can end other connections.
        while let connection = unsafe loop_hangups_next(descriptor, &isGone) {
            unsafe handler?(HTTPConnections.Input(OpaquePointer(connection)), isGone != 0)
        }
    }
}

private func hangUpsCame(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: HTTPHangUps.self)?.come()
}
