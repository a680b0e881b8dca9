// A connection's unprocessed data, handed over to another server.

import MullionSystem

/// Input that is received but not handled, and output that is queued but not sent.
public struct ConnectionBacklog {
    /// Request bytes: an incomplete request, or those held back by back-pressure.
    public var received: [UInt8]
    public var receivedDescriptors: [OwnedDescriptor]
    public var hasHeldBack: Bool
    /// Event bytes. The first event may be partly sent already.
    public var queued: [UInt8]
    public var queuedDescriptors: [OwnedDescriptor]

    public init(
        received: [UInt8], receivedDescriptors: [OwnedDescriptor], hasHeldBack: Bool, queued: [UInt8],
        queuedDescriptors: [OwnedDescriptor]
    ) {
        self.received = received
        self.receivedDescriptors = receivedDescriptors
        self.hasHeldBack = hasHeldBack
        self.queued = queued
        self.queuedDescriptors = queuedDescriptors
    }
}

extension Connection {
    /// The unprocessed input and output.
    public var backlog: ConnectionBacklog {
        ConnectionBacklog(
            received: leftover, receivedDescriptors: descriptors.all, hasHeldBack: hasHeldBack,
            queued: unsafe output?.withPending { unsafe Array($0) } ?? [], queuedDescriptors: output?.descriptors ?? [])
    }

    /// Continues where another server stopped: sends its pending output and drops what was queued here.
    public func restore(_ backlog: ConnectionBacklog) {
        output?.reset()
        leftover = Array(backlog.received.prefix(InputBuffer.capacity))
        for descriptor in backlog.receivedDescriptors { descriptors.append(descriptor) }
        hasHeldBack = backlog.hasHeldBack
        guard !backlog.queued.isEmpty else { return }
        queue().restore(backlog.queued, backlog.queuedDescriptors)
    }
}

extension OutputBuffer {
    /// Fills an empty buffer with bytes that end on a message boundary.
    func restore(_ bytes: [UInt8], _ descriptors: [OwnedDescriptor]) {
        // The beginning of the first word was already sent.
        let missing = (4 - bytes.count % 4) % 4
        put(raw: [UInt8](repeating: 0, count: missing) + bytes)
        sent = missing
        self.descriptors = descriptors
    }
}
