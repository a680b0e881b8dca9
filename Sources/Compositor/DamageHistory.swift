// Which part of a surface's pixels the last commits changed, for any number of observers.

/// The recent damage of one surface: each commit that changes pixels gets the next serial number.
///
/// A surface owns one by value: 16 bytes, plus 88 on the heap from the first commit that damages only a part. After
/// that, recording allocates nothing. Each observer that draws the surface remembers the serial it last saw and asks
/// for the damage since then; damage older than the last few commits is "everything".
public struct DamageHistory {
    /// How many commits are remembered.
    public static let capacity = 4

    /// The number of commits recorded so far; it never goes down.
    public private(set) var serial: UInt64 = 0
    private var ring: Ring?

    private final class Ring {
        var rects: InlineArray<4, IntRect>
        var count: Int

        init(rects: InlineArray<4, IntRect>, count: Int) {
            self.rects = rects
            self.count = count
        }
    }

    /// Starts with nothing committed: serial 0.
    public init() {}

    /// Records a commit that changed this rectangle of the buffer (buffer pixels; the bounding box of several). An
    /// empty rectangle is not recorded.
    public mutating func record(_ rect: IntRect) {
        guard !rect.isEmpty else { return }
        guard rect != .everything else { return recordEverything() }
        serial &+= 1
        // A reference held here would make the ring look shared.
        if !isKnownUniquelyReferenced(&ring) {
            ring = Ring(rects: ring?.rects ?? InlineArray(repeating: .empty), count: ring?.count ?? 0)
        }
        guard let ring else { return }
        ring.rects[Int(serial % UInt64(Self.capacity))] = rect
        ring.count = min(ring.count + 1, Self.capacity)
    }

    /// Records a commit that changed all pixels: another size, scale, transform, or unknown damage.
    public mutating func recordEverything() {
        serial &+= 1
        if isKnownUniquelyReferenced(&ring) {
            ring?.count = 0
        } else {
            ring = nil
        }
    }

    /// The buffer pixels that changed after the commit with serial `old`: `.empty` when it is the newest, `.everything`
    /// when it is too old.
    public func damage(since old: UInt64) -> IntRect {
        if old == serial { return .empty }
        guard let ring, old < serial, serial - old <= UInt64(ring.count) else { return .everything }
        var result = IntRect.empty
        var number = old + 1
        while number <= serial {
            result = result.union(ring.rects[Int(number % UInt64(Self.capacity))])
            number += 1
        }
        return result
    }
}
