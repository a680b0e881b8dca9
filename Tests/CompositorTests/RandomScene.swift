// Random screens full of windows, changing step by step.

import Compositor
import MullionGeometry
import WindowModel

/// Windows with random layers, which also have the integers for the reference painter.
struct RandomScene {
    static let width = 48
    static let height = 40

    var random: SeededRandom
    var surfaces = TestSurfaces()
    /// Whether rotated and smoothly scaled layers occur, which the reference painter does not support.
    let isWild: Bool
    /// S5, S7: outside this area the screen stays black.
    private(set) var visibleArea = IntRect(x: 0, y: 0, width: width, height: height)
    private var windows: [[ReferenceLayer]] = []
    private var nextNumber: UInt32 = 1

    init(seed: UInt64, isWild: Bool) {
        random = SeededRandom(seed: seed)
        self.isWild = isWild
        for _ in 0..<random.int(1...5) { windows.append(makeWindow()) }
        if random.chance(2) { changeVisibleArea() }
    }

    var layers: [ReferenceLayer] {
        windows.flatMap { $0 }.map { layer in
            var seen = layer
            seen.visible = layer.visible.intersection(visibleArea)
            return seen
        }
    }
    var frame: Frame {
        Frame(
            screen: Screen.ID(rawValue: 1), pixelWidth: Self.width, pixelHeight: Self.height,
            visibleArea: Rect(
                x: Double(visibleArea.minX), y: Double(visibleArea.minY), width: Double(visibleArea.width),
                height: Double(visibleArea.height)),
            layers: layers.map(\.layer))
    }

    /// Makes a small change.
    mutating func change() {
        switch random.int(0...10) {
        case 10: changeVisibleArea()
        case 0: windows.insert(makeWindow(), at: random.int(0...windows.count))
        case 1 where windows.count > 1: windows.remove(at: random.int(0...windows.count - 1))
        case 2, 3: reorder()
        case 4, 5: replaceLayer()
        case 6: break
        default: changeContents()
        }
    }

    /// Begins or ends mirroring, or changes overscan compensation.
    private mutating func changeVisibleArea() {
        let (x, y) = (random.int(0...Self.width / 2), random.int(0...Self.height / 2))
        visibleArea =
            random.chance(4)
            ? IntRect(x: 0, y: 0, width: Self.width, height: Self.height)
            : IntRect(
                x: x, y: y, width: random.int(1...Self.width - x), height: random.int(1...Self.height - y))
    }

    private mutating func reorder() {
        let window = windows.remove(at: random.int(0...windows.count - 1))
        windows.insert(window, at: random.int(0...windows.count))
    }

    /// Replaces, adds or removes a layer.
    private mutating func replaceLayer() {
        let index = random.int(0...windows.count - 1)
        guard let like = windows[index].first?.layer, let window = like.window else { return }
        let layer = makeLayer(window: window, alpha: like.alpha)
        switch random.int(0...2) {
        case 0: windows[index].append(layer)
        case 1 where windows[index].count > 1: windows[index].removeLast()
        default: windows[index][random.int(0...windows[index].count - 1)] = layer
        }
    }

    /// Draws into a surface, or gives it a new opaque region.
    /// - Returns: the surface, unless there is none.
    @discardableResult
    mutating func changeContents() -> Surface.ID? {
        guard let number = surfaces.entries.keys.sorted().randomElement(using: &random),
            let contents = surfaces.entries[number]?.pixels
        else { return nil }
        if random.chance(8) { return changeOpaqueRegion(of: number, contents) }
        let x = random.int(0...contents.width - 1)
        let y = random.int(0...contents.height - 1)
        let w = random.int(1...contents.width - x)
        let h = random.int(1...contents.height - y)
        for row in y..<y + h {
            for column in x..<x + w { contents.set(pixel(of: contents, column, row), column, row) }
        }
        let rect = IntRect(x: x, y: y, width: w, height: h)
        if random.chance(8) {
            surfaces.entries[number]?.damage.recordEverything()
        } else {
            surfaces.entries[number]?.damage.record(rect)
        }
        return surfaceID(number)
    }

    private mutating func changeOpaqueRegion(of number: UInt32, _ contents: TestContents) -> Surface.ID {
        contents.opaqueRegion =
            contents.bufferTransform == .normal && random.chance(2)
            ? Region(IntRect(x: 0, y: 0, width: random.int(1...9), height: random.int(1...9))) : nil
        for y in 0..<contents.height {
            for x in 0..<contents.width { contents.set(pixel(of: contents, x, y), x, y) }
        }
        surfaces.entries[number]?.damage.recordEverything()
        return surfaceID(number)
    }

    private mutating func pixel(of contents: TestContents, _ x: Int, _ y: Int) -> UInt32 {
        let color = UInt32(truncatingIfNeeded: random.next())
        guard contents.format.hasAlpha else { return color }
        let isOpaque = contents.opaqueRegion.map { $0.contains(x: x, y: y) } ?? false
        return ReferenceLayer.times(color | 0xff00_0000, isOpaque ? 255 : UInt32(random.int(0...3)) * 85)
    }

    private mutating func makeWindow() -> [ReferenceLayer] {
        let id = Window.ID(rawValue: nextNumber)
        nextNumber += 1
        let alpha = random.chance(2) ? 1 : random.double(0...1)
        return (0..<random.int(1...3)).map { _ in makeLayer(window: id, alpha: alpha) }
    }

    private mutating func makeLayer(window: Window.ID, alpha: Double) -> ReferenceLayer {
        let isColor = random.chance(3)
        let factor = random.chance(3) ? random.int(2...3) : 1
        let contents = isColor ? nil : makeContents()
        let isTurnedBuffer = contents?.bufferTransform.swapsAxes ?? false
        let w = contents.map { isTurnedBuffer ? $0.height : $0.width } ?? random.int(1...20)
        let h = contents.map { isTurnedBuffer ? $0.width : $0.height } ?? random.int(1...20)
        let turn = ReferenceLayer.Turn(
            isQuarter: random.chance(4), signX: random.chance(4) ? -1 : 1, signY: random.chance(4) ? -1 : 1)
        let size = turn.isQuarter ? (h * factor, w * factor) : (w * factor, h * factor)
        let place = IntRect(
            x: random.int(-15...Self.width), y: random.int(-15...Self.height), width: size.0, height: size.1)
        var transform = Self.transform(place, turn: turn, factor: Double(factor))
        // Anything below half a pixel is rounded away.
        transform.tx += random.double(-0.49...0.49)
        transform.ty += random.double(-0.49...0.49)
        var visible = place
        var clip: Rect?
        if !turn.isQuarter, turn.signX > 0, turn.signY > 0, random.chance(3) {
            let cut = random.int(0...w - 1)
            clip = Rect(x: Double(cut), y: -100, width: 100, height: 200)
            visible = IntRect(
                minX: place.minX + Int32(cut * factor), minY: place.minY,
                maxX: min(place.maxX, place.minX + Int32((cut + 100) * factor)), maxY: place.maxY)
        }
        let screen = IntRect(x: 0, y: 0, width: Self.width, height: Self.height)
        if isWild, random.chance(2) {
            let angle = (random.double(-1...1), random.double(-1...1))
            transform = transform.then(
                AffineTransform(a: 1 + angle.0, b: angle.1, c: -angle.1, d: 1, tx: random.double(-9...9), ty: 3))
        } else if isWild, random.chance(2) {
            transform = transform.then(.scale(x: random.double(0.3...2), y: random.double(0.3...2)))
        }
        let content: Layer.Content
        if let contents {
            surfaces.entries[nextNumber] = TestSurfaces.Entry(pixels: contents)
            content = .surface(surfaceID(nextNumber))
            nextNumber += 1
        } else {
            let opacity = random.chance(2) ? 1 : random.double(0...1)
            content = .color(
                Color(
                    red: random.double(0...1), green: random.double(0...1), blue: random.double(0...1), alpha: opacity))
        }
        let layer = Layer(
            window: window, content: content, size: Size(width: Double(w), height: Double(h)), toPixels: transform,
            clip: clip, alpha: alpha)
        return ReferenceLayer(
            layer: layer, place: place, visible: visible.intersection(screen), turn: turn, factor: factor)
    }

    private mutating func makeContents() -> TestContents {
        let format: PixelFormat = random.chance(2) ? .argb8888 : .xrgb8888
        let width = random.int(1...20)
        let height = random.int(1...20)
        // Sometimes rows that pixman cannot read in place.
        let stride = width * 4 + (random.chance(5) ? 2 : 4 * random.int(0...1))
        let contents = TestContents(format, width: width, height: height, stride: stride)
        contents.bufferTransform = BufferTransform.allCases.randomElement(using: &random) ?? .normal
        if contents.bufferTransform == .normal, random.chance(2) {
            contents.opaqueRegion = Region(
                IntRect(x: random.int(0...5), y: random.int(0...5), width: random.int(1...9), height: 9))
        }
        for y in 0..<height {
            for x in 0..<width { contents.set(pixel(of: contents, x, y), x, y) }
        }
        return contents
    }

    /// The transform that maps a layer, rotated and enlarged, exactly onto `place`.
    private static func transform(_ place: IntRect, turn: ReferenceLayer.Turn, factor: Double) -> AffineTransform {
        let x = Double(turn.signX) * factor
        let y = Double(turn.signY) * factor
        let tx = Double(turn.signX > 0 ? place.minX : place.maxX)
        let ty = Double(turn.signY > 0 ? place.minY : place.maxY)
        return turn.isQuarter
            ? AffineTransform(a: 0, b: y, c: x, d: 0, tx: tx, ty: ty)
            : AffineTransform(a: x, b: 0, c: 0, d: y, tx: tx, ty: ty)
    }
}
