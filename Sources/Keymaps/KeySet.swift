// Sets of keys.

import CMullionXKBCommon

/// A set of keys, by evdev code.
package struct KeySet: Codable, Equatable {
    /// The number of key codes; evdev's highest is KEY_MAX, 0x2ff.
    package static let count = Int(XKB_APART_KEYS)

    /// One bit per key, the lowest code first.
    private var bits: [UInt8]

    /// - Parameter bits: may be shorter; the remaining keys are not in the set.
    package init(bits: [UInt8] = []) { self.bits = Array(bits.prefix(Self.count / 8)) }

    package init(where isIn: (UInt32) -> Bool) {
        bits = [UInt8](repeating: 0, count: Self.count / 8)
        for key in 0..<UInt32(Self.count) where isIn(key) { bits[Int(key / 8)] |= 1 << (key % 8) }
    }

    package func contains(_ key: UInt32) -> Bool {
        let index = Int(key / 8)
        return index < bits.count && bits[index] & 1 << (key % 8) != 0
    }
}
