// Descriptors between their arrival and the message that they belong to.

import MullionSystem

/// Received descriptors waiting for the message that claims them, in order.
public final class DescriptorQueue {
    @safe @exclusivity(unchecked) private var items: [OwnedDescriptor] = []

    public init() {}

    public var count: Int { items.count }
    /// The waiting descriptors, in order.
    public var all: [OwnedDescriptor] { items }
    public func append(_ descriptor: OwnedDescriptor) { items.append(descriptor) }
    public func popFirst() -> OwnedDescriptor? { items.isEmpty ? nil : items.removeFirst() }
    public func removeAll() { items.removeAll(keepingCapacity: false) }
}
