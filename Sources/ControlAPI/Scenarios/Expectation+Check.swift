// Checks expectations and finds mismatches.

import Compositor
import DisplayServer
import Displays
import MullionGeometry
import WindowModel

extension Expectation {
    /// Draws the screens with expected pixels, and calls back with the drawn `DisplayServer.frameNumber` and the first
    /// pixel that differs; nil when none does.
    func checkPixels(on server: DisplayServer, _ body: @escaping (UInt64, Mismatch?) -> Void) {
        let wanted = pixels.compactMap { pixel in server.screen(pixel.screen).map { (screen: $0, pixel: pixel) } }
        var screens: [Screen.ID] = []
        for (screen, _) in wanted where !screens.contains(screen.id) { screens.append(screen.id) }
        var frameNumber: UInt64 = 0
        server.captures.capture(screens, moment: { frameNumber = server.frameNumber }) { pictures in
            for (screen, pixel) in wanted {
                let seen = pictures.first { $0.0 == screen.id }?.1[pixel.x, pixel.y].map { $0 & 0xff_ffff }
                guard let seen, pixel.isLike(seen) else {
                    let text =
                        seen?.hex
                        ?? "outside the screen's \(screen.currentMode.width)x\(screen.currentMode.height) pixels"
                    return body(frameNumber, Mismatch(pixel.place, pixel.color.hex, text))
                }
            }
            body(frameNumber, nil)
        }
    }

    /// The first mismatch that can be found without drawing.
    func firstMismatch(on server: DisplayServer) -> Mismatch? {
        if let mismatch = firstMismatch(in: server.model) { return mismatch }
        for hit in hits {
            if let mismatch = hit.firstMismatch(on: server) { return mismatch }
        }
        for pixel in pixels where server.screen(pixel.screen) == nil {
            let wanted = pixel.screen.map { "screen \($0.text) to be connected" } ?? "a screen"
            return Mismatch(pixel.place, wanted, "none")
        }
        return nil
    }

    private func firstMismatch(in model: WindowModel) -> Mismatch? {
        let names = model.screens.compactMap { model.screen($0)?.name }
        if let screens, screens != names { return Mismatch("screens", screens.text, names.text) }
        for state in states {
            if let mismatch = state.firstMismatch(in: model) { return mismatch }
        }
        for state in windows {
            if let mismatch = state.firstMismatch(in: model) { return mismatch }
        }
        guard let key else { return nil }
        let seen = model.keyWindow.flatMap { model.window($0)?.title }
        return seen == key ? nil : Mismatch("key window", key ?? "none", seen ?? "none")
    }
}

extension Expectation.ScreenState {
    fileprivate func firstMismatch(in model: WindowModel) -> Mismatch? {
        guard let screen = model.screen(named: name) else {
            return isConnected == false ? nil : Mismatch("screen \(name)", "to be connected", "it is not")
        }
        if isConnected == false { return Mismatch("screen \(name)", "not to be connected", "it is") }
        let shown = screen.mirroredScreen.flatMap { model.screen($0)?.name }
        let titles = model.windows(on: screen.id).reversed().compactMap { model.window($0)?.title }
        let facts: [(String, String?, String)] =
            settings.facts(of: screen) + [
                ("mirrors", mirrors.map { $0 ?? "none" }, shown ?? "none"),
                ("size", size?.text, screen.bounds.size.text),
                ("main", isMain.map { "\($0)" }, "\(model.mainScreen == screen.id)"),
                ("windows, front to back", windows?.text, titles.text),
            ]
        return facts.mismatch("screen \(name)")
    }
}

extension ScreenSettings {
    /// The expected and the actual value of each property.
    fileprivate func facts(of screen: Screen) -> [(String, String?, String)] {
        let current = screen.properties
        // With the rate and pixel aspect ratio of the current mode, unless the expected mode differs.
        var wanted = current
        wanted.modes = [screen.currentMode]
        let isPossible = (try? apply(to: &wanted, of: screen.name)) != nil
        return ScreenProperty.all.map { property in
            let expected = property.value(in: self)
            let complete = expected.map { isPossible ? property.value(of: wanted) ?? $0 : $0 }
            return (property.name, complete?.text, property.value(of: current)?.text ?? "none")
        }
    }
}

extension ScreenProperty.Value {
    fileprivate var text: String {
        switch self {
        case .number(let number): number.text
        case .flag(let flag): "\(flag)"
        case .text(let text): text
        case .point(let point): "\(point.x.text),\(point.y.text)"
        }
    }
}

extension Expectation.WindowState {
    fileprivate func firstMismatch(in model: WindowModel) -> Mismatch? {
        guard let window = model.windows.lazy.compactMap({ model.window($0) }).first(where: { $0.title == title })
        else {
            return exists == false ? nil : Mismatch("window \(title)", "to exist", "it does not")
        }
        if exists == false { return Mismatch("window \(title)", "not to exist", "it does") }
        let screenName = window.screen.flatMap { model.screen($0)?.name }
        let facts: [(String, String?, String)] = [
            ("visible", isVisible.map { "\($0)" }, "\(window.isVisible)"),
            ("key", isKey.map { "\($0)" }, "\(window.isKey)"),
            ("screen", screen.map { $0 ?? "none" }, screenName ?? "none"),
            ("awaits", awaits.map { $0 ?? "none" }, window.awaitedScreen?.name ?? "none"),
            ("frame", frame?.text, window.frame.text),
            ("level", level.map(\.text), window.level.text),
        ]
        return facts.mismatch("window \(title)")
    }
}

extension Expectation.Hit {
    fileprivate func firstMismatch(on server: DisplayServer) -> Mismatch? {
        let place = "hits \(point.x.text),\(point.y.text)" + (screen.map { " of \($0.text)" } ?? "")
        guard let found = server.screen(screen) else {
            return Mismatch(place, screen.map { "screen \($0.text) to be connected" } ?? "a screen", "none")
        }
        guard found.bounds.contains(point) else {
            return Mismatch(place, window ?? "none", "outside the screen's \(found.bounds.size.text) points")
        }
        let seen = Self.routing(at: point, on: found.id, in: server.model, explain: false)
        if Self.title(of: seen, in: server.model) == window { return nil }
        // H3: visits every window.
        let routing = Self.routing(at: point, on: found.id, in: server.model, explain: true)
        return Mismatch(place, window ?? "none", routing.explanation(in: server.model))
    }

    private static func routing(
        at point: Point, on screen: Screen.ID, in model: WindowModel, explain: Bool
    ) -> Routing {
        let found = model.hitTest(point, on: screen, explain: explain)
        return model.routing(found)
    }

    /// The receiver's; nil without one.
    private static func title(of routing: Routing, in model: WindowModel) -> String? {
        guard let hit = routing.hit else { return nil }
        return model.window(hit.window)?.title
    }
}

extension Expectation.Pixel {
    fileprivate var place: String { "pixel \(x),\(y)" + (screen.map { " of \($0.text)" } ?? "") }

    func isLike(_ seen: UInt32) -> Bool {
        [0, 8, 16].allSatisfy { shift in
            abs(Int(seen >> shift & 255) - Int(color >> shift & 255)) <= Int(tolerance)
        }
    }
}

extension Mismatch {
    fileprivate init(_ place: String, _ expected: String, _ seen: String) {
        self.init(place: place, expected: expected, seen: seen)
    }
}

extension [(String, String?, String)] {
    fileprivate func mismatch(_ owner: String) -> Mismatch? {
        for (name, expected, seen) in self {
            if let expected, expected != seen { return Mismatch("\(owner): \(name)", expected, seen) }
        }
        return nil
    }
}

extension Double {
    /// Rounded to a thousandth, because expectations are written rounded.
    fileprivate var text: String {
        let value = abs(self) < 1e12 ? (self * 1000).rounded() / 1000 : self
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
}

extension Size {
    fileprivate var text: String { "\(width.text)×\(height.text)" }
}

extension Rect {
    fileprivate var text: String { "\(minX.text),\(minY.text) \(size.text)" }
}

extension [String] {
    fileprivate var text: String { isEmpty ? "none" : joined(separator: ", ") }
}

extension UInt32 {
    /// "#rrggbb".
    var hex: String {
        let digits = String(self & 0xff_ffff, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
