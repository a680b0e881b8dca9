// One request and its response, over a Unix socket.

import Glibc
import MullionSystem

/// Why an exchange has failed.
package enum HTTPFailure: Error {
    case cannotConnect(SystemError)
    /// The server has closed the connection before the response was complete.
    case closed
    case connection(SystemError)
    case malformed(MalformedResponse)
    case timeout(seconds: Int)
}

/// A request with its response, on a connection of its own.
package struct HTTPExchange {
    /// How long the server may take to accept the connection, in seconds.
    private static let patience: Int32 = 10

    private let socket: OwnedDescriptor
    private var unsent: ArraySlice<UInt8>
    private var reader = ResponseReader()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The status of the response; nil until its header fields have arrived.
    package var status: Int? { reader.status }

    /// Connects; the request is sent while the response is awaited.
    /// - Parameters:
    ///   - fields: more header fields; the length of the body is added.
    ///   - body: nil for a request without one.
    /// - Throws: `cannotConnect`, with EAGAIN if the server does not accept in time.
    package init(
        _ method: String, _ target: String, _ fields: [(name: String, value: String)], body: [UInt8]?, to path: String
    ) throws(HTTPFailure) {
        do throws(SystemError) {
            socket = try UnixSocket.connect(to: path, seconds: Self.patience)
        } catch { throw .cannotConnect(error) }
        socket.makeNonBlocking()
        // HTTP requires a host, but only the socket matters.
        var head = "\(method) \(target) HTTP/1.1\r\nHost: mullion\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        unsent = Array("\(head)\r\n".utf8)[...]
        if let body { unsent += body }
    }

    /// Sends the rest of the request, and reads the whole response.
    /// - Parameters:
    ///   - seconds: the longest time for all of it, without that for connecting; 0: any.
    ///   - others: descriptors whose events end a wait, too.
    ///   - turn: called before each wait; returns false to stop reading.
    ///   - body: takes the status and a piece of the body; returns false to stop reading.
    package mutating func perform(
        seconds: Int, others: [pollfd] = [], turn: () -> Bool = { true },
        body: (_ status: Int, _ piece: ArraySlice<UInt8>) -> Bool
    ) throws(HTTPFailure) {
        let deadline = seconds == 0 ? nil : MonotonicClock.nanoseconds + UInt64(seconds) * 1_000_000_000
        while !reader.isComplete {
            guard turn() else { return }
            var waiting = [
                pollfd(fd: socket.rawValue, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
            ]
            waiting += others
            let left = deadline.map { Int32(clamping: ($0 &- min($0, MonotonicClock.nanoseconds)) / 1_000_000) } ?? -1
            guard left != 0 else { throw .timeout(seconds: seconds) }
            let count = nfds_t(waiting.count)
            // After a signal, less time is left.
            if unsafe poll(&waiting, count, left) > 0, waiting[0].revents != 0 {
                try send()
                guard try receive(body) else { return }
            }
        }
    }

    private mutating func send() throws(HTTPFailure) {
        while !unsent.isEmpty {
            let count = unsafe unsent.withUnsafeBytes {
                unsafe Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                unsent = unsent.dropFirst(count)
            } else if errno == EPIPE || errno == ECONNRESET {
                // A server may refuse a request before it has read all of it.
                unsent = []
            } else if errno != EINTR {
                guard errno == EAGAIN else { throw .connection(.last) }
                return
            }
        }
    }

    /// Returns false when `body` has returned it.
    private mutating func receive(_ body: (_ status: Int, _ piece: ArraySlice<UInt8>) -> Bool) throws(HTTPFailure)
        -> Bool
    {
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            retryingWhenInterrupted { unsafe recv(socket.rawValue, buffer.baseAddress, buffer.count, 0) }
        }
        guard count != 0 else {
            reader.close()
            guard reader.isComplete else { throw .closed }
            return true
        }
        guard count > 0 else {
            if errno == EAGAIN { return true }
            throw errno == ECONNRESET ? .closed : .connection(.last)
        }
        do throws(MalformedResponse) {
            return try reader.take(buffer[..<count], body: body)
        } catch { throw .malformed(error) }
    }
}
