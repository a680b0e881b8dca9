// Comparing what a screen shows with saved pictures.

import FoundationEssentials
import Synchronization

extension Mullion {
    /// The names of the environment for which there are pictures of its own: the words of `MULLION_GOLDEN_VARIANTS`.
    public static var variants: [String] {
        (ProcessInfo.processInfo.environment["MULLION_GOLDEN_VARIANTS"] ?? "").split(separator: " ").map(String.init)
    }

    /// A part of a picture that is not compared.
    public enum Mask: Sendable {
        /// In pixels of the picture, from its top left corner.
        case pixels(x: Int, y: Int, width: Int, height: Int)
        /// The bounds of a window.
        case window(Window)
        /// The part of a widget that is in view, wherever it is when the pictures are compared.
        case widget(Widget)
    }
}

extension Mullion.Screen {
    /// The pictures that this process has saved as golden ones.
    private static let saved = Mutex<Set<String>>([])

    /// Waits until its picture equals a saved one.
    ///
    /// With `MULLION_UPDATE_GOLDENS=1` in the environment, the picture is saved instead, once it stands still; each picture
    /// needs a name of its own then.
    /// - Parameters:
    ///   - golden: a PNG; a relative path is that from the folder of the test's source file.
    ///   - tolerance: how far each channel may be off, 0 to 255.
    ///   - maximumDiffering: a number or share of pixels (`0.1%`) that may differ more.
    ///   - masks: what is not compared.
    ///   - variants: names of the environment, such as the version of a toolkit; by default the words of
    ///     `MULLION_GOLDEN_VARIANTS`. With `gtk-4.8`, `menu.gtk-4.8.png` is used instead of `menu.png` if it exists; the first
    ///     one that exists is. The picture of the first name is saved.
    ///   - isUpdate: whether the picture is saved instead.
    ///   - filePath: the test's source file.
    /// - Throws: `MullionError` with the number of pixels that differ, and where, when they differ until `timeout` has
    ///   passed; a picture of golden, screen and differences side by side is in the folder that is kept. Also when the file
    ///   does not exist or was saved before by this process, and when a masked widget is not in view on this screen.
    public func match(
        _ golden: String, tolerance: Int = 0, maximumDiffering: String = "0", masks: [Mullion.Mask] = [],
        variants: [String] = Mullion.variants,
        isUpdate: Bool = ProcessInfo.processInfo.environment["MULLION_UPDATE_GOLDENS"] == "1",
        filePath: String = #filePath
    ) async throws {
        let folder = filePath.split(separator: "/").dropLast().joined(separator: "/")
        let path = URL(filePath: golden.hasPrefix("/") ? golden : "/\(folder)/\(golden)").standardized.path
        if let wrong = variants.first(where: { $0.isEmpty || $0.contains("/") }) {
            throw MullionError("the variant \"\(wrong)\" is not a part of a file's name; use one like gtk-4.8")
        }
        let others = variants.map { path.hasSuffix(".png") ? "\(path.dropLast(4)).\($0).png" : "\(path).\($0)" }
        if isUpdate { return try await save(others.first ?? path) }
        guard let golden = (others + [path]).first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            let names = others.map { $0.split(separator: "/").last ?? "" }.joined(separator: " or ")
            throw MullionError(
                "\(path) does not exist" + (others.isEmpty ? "" : ", and neither does \(names)")
                    + "; create it with MULLION_UPDATE_GOLDENS=1 in the environment")
        }
        let compare = ["compare", golden, name, "--tolerance", "\(tolerance)", "--max-differing", maximumDiffering]
        let deadline = ContinuousClock.now + mullion.timeout
        while ContinuousClock.now < deadline {
            let outcome = try await mullion.run.command(compare + words(masks), isNoted: false)
            if outcome.status == 0 { return }
            guard outcome.status == 1 else { throw mullion.error(outcome) }
            // Until it may look otherwise: for 100 ms, as programs that animate, and manual clocks, never stand still so long.
            let pause = min(deadline, .now + .milliseconds(100))
            _ = try await mullion.attempt(["wait", "still", name, "for=100ms", Mullion.patience(until: pause)])
        }
        try FileManager.default.createDirectory(atPath: mullion.artifacts, withIntermediateDirectories: true)
        let file = path.split(separator: "/").last.map { $0.replacing(".png", with: "") } ?? ""
        let picture = "\(mullion.artifacts)/\(file)-differences.png"
        try await mullion.perform(compare + words(masks) + ["--side-by-side", picture])
    }

    private func save(_ path: String) async throws {
        guard Self.saved.withLock({ $0.insert(path).inserted }) else {
            throw MullionError("\(path) was saved before in this run; give each picture a name of its own")
        }
        do {
            // Manual time stands still, and so do pixels once all that was sent has been handled.
            if mullion.hasManualClock { try await mullion.perform(["settle", mullion.patience]) }
            try await waitUntilStill(for: mullion.hasManualClock ? .zero : .milliseconds(300))
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
            try await mullion.perform(["compare", path, name, "--update"])
        } catch {
            Self.saved.withLock { _ = $0.remove(path) }
            throw error
        }
    }

    // MARK: Masks

    private func words(_ masks: [Mullion.Mask]) async throws -> [String] {
        var words: [String] = []
        for mask in masks {
            let area =
                switch mask {
                case .pixels(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)"
                case .window(let window): "window:\(window.id)"
                case .widget(let widget): try await pixels(of: widget)
                }
            words += ["--mask", area]
        }
        return words
    }

    /// All pixels of the screen's picture that the widget touches, as X,Y,WIDTH,HEIGHT.
    private func pixels(of widget: Mullion.Widget) async throws -> String {
        struct State: Decodable {
            struct Window: Decodable {
                var id: Int
                var screenName: String?
                /// From points of the window to pixels: a, b, c, d, tx, ty.
                var toPixels: [Double]?
            }
            var windows: [Window]
        }
        let part = try await widget.visiblePart
        let state = try await mullion.decode(State.self, ["screenshot", name, "-o", "/dev/null", "--state", "-"])
        let window = state.windows.first { $0.id == widget.window.id && $0.screenName == name }
        guard let window, let matrix = window.toPixels, matrix.count == 6 else {
            throw MullionError("the widget \(widget.words) is not on the screen \(name)\n\(mullion.situation)")
        }
        let corners = [part.x, part.x + part.width].flatMap { x in [part.y, part.y + part.height].map { (x, $0) } }
        let xs = corners.map { x, y in matrix[0] * x + matrix[2] * y + matrix[4] }
        let ys = corners.map { x, y in matrix[1] * x + matrix[3] * y + matrix[5] }
        let (left, top) = (max(0, (xs.min() ?? 0).rounded(.down)), max(0, (ys.min() ?? 0).rounded(.down)))
        let (right, bottom) = ((xs.max() ?? 0).rounded(.up), (ys.max() ?? 0).rounded(.up))
        guard right > left, bottom > top else {
            throw MullionError("the widget \(widget.words) is not in view on the screen \(name)\n\(mullion.situation)")
        }
        return "\(Int(left)),\(Int(top)),\(Int(right - left)),\(Int(bottom - top))"
    }
}
