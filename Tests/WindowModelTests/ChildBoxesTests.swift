// The bounding boxes of many children.

import MullionGeometry
import Testing

@testable import WindowModel

@Suite struct ChildBoxesTests {
    @Test("the union is that of all children while they come, move and go", arguments: 1...4)
    func union(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var boxes = ChildBoxes()
        var places: [UInt32: UInt32] = [:]
        var rects: [UInt32: Box] = [:]
        func check(_ step: Int) {
            let expected = rects.values.reduce(Box.empty) { $0.union($1) }
            #expect(boxes.union == expected, "step \(step), \(rects.count) children")
        }
        var next: UInt32 = 0
        // Grows beyond three levels, shrinks to nothing, and again.
        for (step, target) in [1, 0, 2, 1, 8, 9, 8, 9, 65, 63, 64, 600, 40, 513, 0, 3].enumerated() {
            while rects.count != target {
                if rects.count < target {
                    places[next] = boxes.append(next)
                    rects[next] = .empty
                    next += 1
                } else if let child = random.pick(rects.keys.sorted()), let place = places[child] {
                    if let moved = boxes.remove(place) { places[moved] = place }
                    places[child] = nil
                    rects[child] = nil
                }
                if let child = random.pick(rects.keys.sorted()), let place = places[child] {
                    let box = random.chance(20) ? Box.empty : randomBox(&random)
                    let before = boxes.union
                    rects[child] = box
                    #expect(boxes.set(place, box) == (boxes.union != before))
                }
                if rects.count < 70 || rects.count % 50 == 0 { check(step) }
            }
            check(step)
        }
    }

    private func randomBox(_ random: inout SplitMix64) -> Box {
        func number(_ range: Int) -> Double { Double(random.below(range)) }
        return Box(Rect(x: number(2000) - 1000, y: number(2000) - 1000, width: number(99) + 1, height: number(99) + 1))
    }
}
