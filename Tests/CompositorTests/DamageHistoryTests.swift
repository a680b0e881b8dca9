// The recent damage of a surface, for observers that are up to date or far behind.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct DamageHistoryTests {
    @Test("damage since a serial is the union of the commits after it; since an old one it is everything")
    func window() {
        var history = DamageHistory()
        #expect(history.damage(since: 0) == .empty)
        for index in 0..<6 { history.record(IntRect(x: index * 10, y: 0, width: 5, height: 5)) }
        #expect(history.serial == 6)
        #expect(history.damage(since: 6) == .empty)
        #expect(history.damage(since: 5) == IntRect(x: 50, y: 0, width: 5, height: 5))
        #expect(history.damage(since: 2) == IntRect(x: 20, y: 0, width: 35, height: 5))
        #expect(history.damage(since: 1) == .everything)
        #expect(history.damage(since: 99) == .everything)
    }

    @Test("empty damage is ignored; unknown damage invalidates all earlier serials")
    func special() {
        var history = DamageHistory()
        history.record(.empty)
        #expect(history.serial == 0)
        history.record(IntRect(x: 1, y: 1, width: 1, height: 1))
        history.recordEverything()
        #expect(history.damage(since: 1) == .everything)
        history.record(IntRect(x: 2, y: 2, width: 1, height: 1))
        #expect(history.damage(since: 2) == IntRect(x: 2, y: 2, width: 1, height: 1))
        #expect(history.damage(since: 1) == .everything)
        history.record(.everything)
        #expect(history.damage(since: 3) == .everything)
    }

    @Test("C2: an undamaged surface uses less than 40 bytes; copies do not see later commits")
    func cost() {
        #expect(MemoryLayout<DamageHistory>.size < 40)
        var history = DamageHistory()
        history.record(IntRect(x: 0, y: 0, width: 1, height: 1))
        let copy = history
        history.record(IntRect(x: 8, y: 8, width: 1, height: 1))
        history.recordEverything()
        #expect(copy.damage(since: 0) == IntRect(x: 0, y: 0, width: 1, height: 1))
    }

    @Test("surface damage becomes buffer damage through scale, transform and viewport")
    func conversion() {
        let contents = TestContents(.xrgb8888, width: 40, height: 20)
        contents.bufferScale = 2
        contents.bufferTransform = .rotated90
        // Upright the picture is 20×40 pixels, 10×20 points; its top right corner is the buffer's top left.
        let size = Size(width: 10, height: 20)
        let corner = contents.bufferRect(
            forSurfaceRect: IntRect(x: 9, y: 0, width: 1, height: 3), surfaceSize: size)
        #expect(corner == IntRect(x: 0, y: 0, width: 6, height: 2))
        contents.bufferTransform = .normal
        contents.viewport = Rect(x: 5, y: 0, width: 5, height: 10)
        let zoomed = contents.bufferRect(
            forSurfaceRect: IntRect(x: 0, y: 0, width: 1, height: 1), surfaceSize: Size(width: 10, height: 10))
        #expect(zoomed == IntRect(x: 10, y: 0, width: 1, height: 2))
    }

    @Test("after the first, recording allocates nothing; a copy gets memory of its own")
    func memory() {
        /// The address of the recorded rectangles, which follows the serial.
        func address(_ history: inout DamageHistory) -> UInt {
            withUnsafeBytes(of: &history) { $0.load(fromByteOffset: 8, as: UInt.self) }
        }
        var history = DamageHistory()
        history.record(IntRect(x: 0, y: 0, width: 1, height: 1))
        let before = address(&history)
        #expect(before != 0)
        history.record(IntRect(x: 1, y: 0, width: 1, height: 1))
        history.recordEverything()
        history.record(IntRect(x: 2, y: 0, width: 1, height: 1))
        #expect(address(&history) == before)
        let copy = history
        history.record(IntRect(x: 3, y: 0, width: 1, height: 1))
        #expect(address(&history) != before)
        #expect(copy.damage(since: 3) == IntRect(x: 2, y: 0, width: 1, height: 1))
    }
}
