// Creates a hand-over from the descriptors kept by another process.

import MullionSystem
import MullionWayland

extension HandOver {
    /// Takes ownership of the descriptors: that of the memory with the state, and all others.
    /// - Throws: when the memory cannot contain a state; all are closed then.
    public init(taking file: Int32, _ descriptors: [Int32]) throws(HandOverError) {
        let owned = descriptors.map { OwnedDescriptor($0) }
        self.init(state: try Self.bytes(in: OwnedDescriptor(file)), descriptors: owned)
    }
}
