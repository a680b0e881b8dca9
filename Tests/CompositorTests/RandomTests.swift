// Random screens: exact to the pixel, and partial drawing equals complete drawing.

import Compositor
import Testing
import WindowModel

@Suite struct RandomTests {
    @Test("W3, C1, C3: random windows are drawn exactly as by the reference painter")
    func againstReference() {
        let seed = UInt64.random(in: 0 ..< .max / 2)
        for step in 0..<150 {
            let scene = RandomScene(seed: seed + UInt64(step), isWild: false)
            let expected = ReferenceLayer.paint(
                scene.layers, width: RandomScene.width, height: RandomScene.height, surfaces: scene.surfaces)
            let picture = scene.surfaces.picture(scene.frame)
            guard picture.rows == expected else {
                Issue.record("seed \(seed + UInt64(step)): \(Self.difference(picture.rows, expected))")
                return
            }
        }
    }

    @Test("drawing only changes, in slices, equals drawing everything", arguments: [false, true])
    func incremental(isWild: Bool) {
        let first = UInt64.random(in: 0 ..< .max / 2)
        for seed in first..<first + 25 {
            var scene = RandomScene(seed: seed, isWild: isWild)
            let renderer = Renderer()
            for step in 0..<25 {
                for _ in 0..<scene.random.int(0...3) { scene.change() }
                let slice = scene.random.chance(2) ? .max : scene.random.int(1...400)
                if scene.random.chance(4) {
                    // Abandoned before the comparison is done.
                    scene.surfaces.compare(scene.frame, with: renderer, slices: scene.random.int(0...2))
                    scene.change()
                }
                scene.surfaces.draw(scene.frame, with: renderer, maximumPixels: slice)
                if scene.random.chance(4) {
                    // Abandoned in the middle: the next drawing finishes it.
                    scene.change()
                    if renderer.begin(scene.frame, contents: scene.surfaces.find) {
                        _ = renderer.draw(maximumPixels: 100)
                    }
                    scene.change()
                    scene.surfaces.draw(scene.frame, with: renderer)
                }
                let expected = scene.surfaces.picture(scene.frame)
                guard renderer.bitmap() == expected else {
                    let text = Self.difference(renderer.bitmap().rows, expected.rows)
                    Issue.record("seed \(seed), step \(step): \(text)")
                    return
                }
            }
        }
    }

    @Test("drawing the same layers again, some with new contents, equals drawing everything", arguments: [false, true])
    func again(isWild: Bool) throws {
        let first = UInt64.random(in: 0 ..< .max / 2)
        for seed in first..<first + 25 {
            var scene = RandomScene(seed: seed, isWild: isWild)
            let renderer = Renderer()
            scene.surfaces.draw(scene.frame, with: renderer)
            for step in 0..<40 {
                if scene.random.chance(5) {
                    scene.change()
                    scene.surfaces.draw(scene.frame, with: renderer)
                }
                var changed: [Surface.ID] = []
                for _ in 0..<scene.random.int(0...3) { if let id = scene.changeContents() { changed.append(id) } }
                guard renderer.beginAgain(changed, contents: scene.surfaces.find) else {
                    Issue.record("seed \(seed), step \(step): not begun")
                    return
                }
                let expected = scene.surfaces.picture(scene.frame)
                if scene.random.chance(5) {
                    while !renderer.postpone(until: { true }) {}
                    continue
                }
                if scene.random.chance(3) {
                    let area = IntRect(x: 0, y: 0, width: RandomScene.width, height: scene.random.int(1...40))
                    if let pixels = renderer.drawnDirectly(area) {
                        #expect(pixels == Array(expected.rows.joined().prefix(area.area)), "seed \(seed), step \(step)")
                    }
                }
                let slice = scene.random.chance(2) ? .max : scene.random.int(1...400)
                while renderer.isDrawing, !renderer.draw(maximumPixels: slice) {}
                guard renderer.bitmap().rows == expected.rows else {
                    let text = Self.difference(renderer.bitmap().rows, expected.rows)
                    Issue.record("seed \(seed), step \(step): \(text)")
                    return
                }
            }
        }
    }

    private static func difference(_ a: [[UInt32]], _ b: [[UInt32]]) -> String {
        var found: [String] = []
        for (y, rows) in zip(a, b).enumerated() {
            for (x, pixels) in zip(rows.0, rows.1).enumerated() where pixels.0 != pixels.1 {
                found.append("(\(x), \(y)): \(String(pixels.0, radix: 16)), not \(String(pixels.1, radix: 16))")
            }
        }
        return "\(found.count) pixels differ; " + found.prefix(5).joined(separator: "; ")
    }
}
