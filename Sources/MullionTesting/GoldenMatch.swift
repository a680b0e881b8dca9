// How pictures are compared, saved, and named.

import FoundationEssentials

/// What is compared, and how.
struct GoldenTerms {
    var tolerance: Int
    var maximumDiffering: String
    var masks: [Mullion.Area]
    var crop: Mullion.Area?
}

/// A saved picture, and those for single environments, which have precedence.
struct GoldenFiles {
    let path: String
    private let variants: [String]
    private let wrong: String?

    init(_ golden: String, _ variants: [String], _ filePath: String) {
        let folder = filePath.split(separator: "/").dropLast().joined(separator: "/")
        let path = URL(filePath: golden.hasPrefix("/") ? golden : "/\(folder)/\(golden)").standardized.path
        self.path = path
        self.variants = variants.map { path.hasSuffix(".png") ? "\(path.dropLast(4)).\($0).png" : "\(path).\($0)" }
        wrong = variants.first { $0.isEmpty || $0.contains("/") }
    }

    /// The one that is saved.
    var target: String { variants.first ?? path }

    /// - Throws: `MullionError` for the name of a variant that is none.
    func check() throws {
        guard let wrong else { return }
        throw MullionError("the variant \"\(wrong)\" is not a part of a file's name; use one like gtk-4.8")
    }

    /// The first that exists.
    var existing: String {
        get throws {
            if let found = (variants + [path]).first(where: { FileManager.default.fileExists(atPath: $0) }) {
                return found
            }
            let names = variants.map { $0.split(separator: "/").last ?? "" }.joined(separator: " or ")
            throw MullionError(
                "\(path) does not exist" + (names.isEmpty ? "" : ", and neither does \(names)")
                    + "; create it with MULLION_UPDATE_GOLDENS=1 in the environment")
        }
    }
}

/// The comparison of a screen or a window with a saved picture.
struct GoldenMatch {
    enum Subject {
        case screen(Mullion.Screen)
        case window(Mullion.Window)
    }

    let mullion: Mullion
    let subject: Subject
    let terms: GoldenTerms

    func run(_ files: GoldenFiles, isUpdate: Bool) async throws {
        try files.check()
        if isUpdate { return try await save(files.target) }
        let golden = try files.existing
        let compare = { (words: [String]) in
            ["compare", golden] + words
                + ["--tolerance", "\(terms.tolerance)", "--max-differing", terms.maximumDiffering]
        }
        let deadline = ContinuousClock.now + mullion.timeout
        while ContinuousClock.now < deadline {
            let outcome = try await mullion.run.command(compare(try await words + masks), isNoted: false)
            if outcome.status == 0 { return }
            guard outcome.status == 1 else { throw mullion.error(outcome) }
            // Until it may look otherwise: for 100 ms, as programs that animate, and manual clocks, never stand still so long.
            let pause = min(deadline, .now + .milliseconds(100))
            let screen = try await screen.name
            _ = try await mullion.attempt(["wait", "still", screen, "for=100ms", Mullion.patience(until: pause)])
        }
        try FileManager.default.createDirectory(atPath: mullion.artifacts, withIntermediateDirectories: true)
        let file = files.path.split(separator: "/").last.map { $0.replacing(".png", with: "") } ?? ""
        let picture = "\(mullion.artifacts)/\(file)-differences.png"
        try await mullion.perform(compare(try await words + masks) + ["--side-by-side", picture])
    }

    private func save(_ path: String) async throws {
        let isSaved = await SavedGoldens.shared.begin(path)
        do {
            try await save(path, isSaved: isSaved)
            await SavedGoldens.shared.end(path, isSaved: true)
        } catch {
            await SavedGoldens.shared.end(path, isSaved: isSaved)
            throw error
        }
    }

    /// - Parameter isSaved: whether this process has saved a picture as this file.
    private func save(_ path: String, isSaved: Bool) async throws {
        // Manual time stands still, and so do pixels once all that was sent has been handled.
        if mullion.hasManualClock { try await mullion.perform(["settle", mullion.patience]) }
        try await screen.waitUntilStill(for: mullion.hasManualClock ? .zero : .milliseconds(300))
        guard isSaved else {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
            try await mullion.perform(["compare", path] + words + ["--update"])
            return
        }
        let outcome = try await mullion.run.command(["compare", path] + words, isNoted: false)
        guard outcome.status != 0 else { return }
        guard outcome.status == 1 else { throw mullion.error(outcome) }
        throw MullionError(
            "\(path) was saved before in this run, with another picture; give each picture a name of its own")
    }

    /// The screen, or that of the window.
    private var screen: Mullion.Screen {
        get async throws {
            switch subject {
            case .screen(let screen): screen
            case .window(let window): Mullion.Screen(mullion: mullion, name: try await window.screenName)
            }
        }
    }

    /// What the picture is of.
    private var words: [String] {
        get async throws {
            let words =
                switch subject {
                case .screen(let screen): [screen.name]
                case .window(let window): ["--window", "\(window.id)"]
                }
            guard let crop = terms.crop else { return words }
            return words + ["--crop", try await word(crop)]
        }
    }

    // MARK: Areas

    private var isOfWindow: Bool { if case .window = subject { true } else { false } }

    private var masks: [String] {
        get async throws {
            var words: [String] = []
            for mask in terms.masks { words += ["--mask", try await word(mask)] }
            return words
        }
    }

    private func word(_ area: Mullion.Area) async throws -> String {
        switch area {
        case .pixels(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)"
        case .window(let window): "window:\(window.id)"
        case .widget(let widget): try await pixels(of: widget)
        }
    }

    /// All pixels of the picture that the widget touches, as X,Y,WIDTH,HEIGHT.
    private func pixels(of widget: Mullion.Widget) async throws -> String {
        let part = try await widget.visiblePart(isOfWindow: isOfWindow)
        let matrix = try await matrix(for: widget)
        let corners = [part.x, part.x + part.width].flatMap { x in [part.y, part.y + part.height].map { (x, $0) } }
        let xs = corners.map { x, y in matrix[0] * x + matrix[2] * y + matrix[4] }
        let ys = corners.map { x, y in matrix[1] * x + matrix[3] * y + matrix[5] }
        let (left, top) = (max(0, (xs.min() ?? 0).rounded(.down)), max(0, (ys.min() ?? 0).rounded(.down)))
        let (right, bottom) = ((xs.max() ?? 0).rounded(.up), (ys.max() ?? 0).rounded(.up))
        guard right > left, bottom > top else {
            let place = try await screen.name
            throw MullionError("the widget \(widget.words) is not in view on the screen \(place)\n\(mullion.situation)")
        }
        return "\(Int(left)),\(Int(top)),\(Int(right - left)),\(Int(bottom - top))"
    }

    /// From points of the widget's window to pixels of the picture: a, b, c, d, tx, ty.
    private func matrix(for widget: Mullion.Widget) async throws -> [Double] {
        switch subject {
        case .screen(let screen):
            struct State: Decodable {
                struct Window: Decodable {
                    var id: Int
                    var screenName: String?
                    var toPixels: [Double]?
                }
                var windows: [Window]
            }
            let words = ["screenshot", screen.name, "-o", "/dev/null", "--state", "-"]
            let windows = try await mullion.decode(State.self, words).windows
            let window = windows.first { $0.id == widget.window.id && $0.screenName == screen.name }
            guard let window, let matrix = window.toPixels, matrix.count == 6 else {
                throw MullionError(
                    "the widget \(widget.words) is not on the screen \(screen.name)\n\(mullion.situation)")
            }
            return matrix
        case .window(let window):
            guard widget.window.id == window.id else {
                throw MullionError(
                    "the widget \(widget.words) is not of window \(window.id); use one of that window, or pixels")
            }
            struct Screens: Decodable {
                struct Item: Decodable {
                    var name: String
                    var scale: Double
                }
                var screens: [Item]
            }
            // Its picture is upright, and has the scale of its screen.
            let name = try await window.screenName
            let screens = try await mullion.decode(Screens.self, ["screens"]).screens
            let scale = screens.first { $0.name == name }?.scale ?? 1
            return [scale, 0, 0, scale, 0, 0]
        }
    }
}

/// The pictures that this process has saved as golden ones. Tests that save the same file do so one after another.
private actor SavedGoldens {
    static let shared = SavedGoldens()

    private var saved: Set<String> = []
    /// The tests waiting for each file that is being saved.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits until no other test is saving the file. Callers must call `end` afterwards.
    /// - Returns: whether a picture was saved.
    func begin(_ path: String) async -> Bool {
        while waiting[path] != nil { await withCheckedContinuation { waiting[path]?.append($0) } }
        waiting[path] = []
        return saved.contains(path)
    }

    func end(_ path: String, isSaved: Bool) {
        if isSaved { saved.insert(path) }
        for continuation in waiting.removeValue(forKey: path) ?? [] { continuation.resume() }
    }
}
