// Fast hashing of identifiers.

/// An identifier that is counted up and never reused.
///
/// Most of what the server does begins with a look-up by such a number, and Swift's own hash function took half of that
/// time. Clients decide which numbers remain in use, so they must not be able to predict which ones collide: the factor
/// differs in every process (multiply-shift hashing).
protocol CountedID: Hashable {
    var rawValue: UInt32 { get }
}

private let factor = UInt64.random(in: .min ... .max) | 1

extension CountedID {
    public func _rawHashValue(seed: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(rawValue) &* factor) >> 32) ^ seed
    }
}

extension Window.ID: CountedID {}
extension Application.ID: CountedID {}
extension Screen.ID: CountedID {}
extension Seat.ID: CountedID {}
