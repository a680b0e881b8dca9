// Event counts since the start.

import MullionWayland
import WindowModel

/// Monotonic counters. Incrementing allocates nothing, except for a new reason or status.
package struct Counters {
    package var connections: UInt64 = 0
    /// Screen frames whose pixels were drawn.
    package var framesDrawn: UInt64 = 0
    package var frameCallbacks: UInt64 = 0
    /// Steps of input, from the control API and virtual devices.
    package private(set) var steps: UInt64 = 0
    /// Events delivered to applications, by UIKit's type number.
    package private(set) var delivered = [UInt64](
        repeating: 0, count: Int(Event.Kind.allCases.map(\.rawValue).max() ?? 0) + 1)
    /// Steps without a receiver.
    package private(set) var dropped: [Routing.Reason: UInt64] = [:]
    package private(set) var refusals: [RefusalKind: UInt64] = [:]
    /// Disconnected clients.
    package private(set) var ended: [End: UInt64] = [:]
    /// Received from disconnected clients.
    package private(set) var bytesRead: UInt64 = 0
    package private(set) var bytesSent: UInt64 = 0
    package private(set) var requests: UInt64 = 0
    /// Responses of the control API, by status.
    package private(set) var answers: [Int: UInt64] = [:]

    /// How a client's connection ended.
    package enum End: String, CaseIterable { case closed, protocolError, limit, system }

    mutating func delivered(_ event: Event) { delivered[Int(event.kind.rawValue)] &+= 1 }

    mutating func injectedStep() { steps &+= 1 }

    mutating func routed(_ routing: Routing) {
        if let reason = routing.reason { dropped[reason, default: 0] &+= 1 }
    }

    mutating func refused(_ refusal: RefusalKind) { refusals[refusal, default: 0] &+= 1 }

    package mutating func answered(_ status: Int) { answers[status, default: 0] &+= 1 }

    mutating func ended(_ client: Client, because error: ConnectionError?) {
        bytesRead &+= client.transport.bytesRead
        bytesSent &+= client.transport.bytesSent
        requests &+= client.requestCount
        ended[End(client, because: error), default: 0] &+= 1
    }
}
