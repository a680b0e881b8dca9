// Reproducible random numbers.

/// SplitMix64. The seed comes from MULLION_SEED, or is new each time; every message of a test that uses it states it.
public struct SeededRandom: RandomNumberGenerator {
    public let seed: UInt64
    private var state: UInt64

    public init(seed: UInt64? = nil) {
        let given = environmentValue("MULLION_SEED").flatMap { UInt64($0) }
        self.seed = seed ?? given ?? UInt64.random(in: 0...UInt64.max)
        state = self.seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
