// What failed commands note for the report of the run that they are part of.

import FoundationEssentials
import Glibc
import System

/// An expectation of a command that was not met, in a file of the folder that MULLION_ARTIFACTS names.
struct RunNote {
    /// The variable, which `run --artifacts` sets.
    static let variable = "MULLION_ARTIFACTS"
    /// The most files in the folder, and the most bytes of each; the latest ones that a report shows.
    private static let (most, mostBytes, mostShown) = (200, 2 << 20, 20)
    /// How long reading the widgets may take, in seconds.
    private static let patience = 5.0

    /// Whether notes are wanted.
    static var isWanted: Bool { Terminal.variable(variable) != nil }

    private var json: JSON

    /// - Parameter text: a sentence without a full stop.
    init(_ text: String) {
        let words = CommandLine.arguments.dropFirst().map { JSON.string($0) }
        json = .object([
            "text": .string(text), "time": .number(Double(MonotonicClock.nanoseconds / 1000)),
            "pid": .number(Double(getpid())), "command": .array([.string("mullionctl")] + words),
        ])
    }

    /// Marks a place.
    /// - Parameters:
    ///   - point: in points of the screen.
    mutating func mark(_ point: (x: Double, y: Double), on screen: String) {
        json = json.with("screen", .string(screen)).with("point", .point(point))
    }

    /// Marks a rectangle.
    /// - Parameters:
    ///   - box: in pixels of the screen's picture.
    ///   - screen: nil: all screens, side by side.
    mutating func mark(box: JSON, on screen: String?) {
        json = json.with("box", box)
        if let screen { json = json.with("screen", .string(screen)) }
    }

    /// Adds what was expected, what was seen, and the differences.
    /// - Parameter picture: a PNG.
    mutating func add(picture: JSON) {
        if picture.string != nil { json = json.with("picture", picture) }
    }

    /// Adds the tree of widgets.
    mutating func addWidgets(_ widgets: Widgets) {
        guard let roots = try? widgets.roots(until: MonotonicClock.seconds + Self.patience) else { return }
        json = json.with("widgets", .array(roots.map { $0.json(withChildren: true) }))
    }

    /// The same, where the run has the accessibility bus.
    mutating func addWidgets(_ client: ControlClient) {
        guard Self.isWanted, RunEnvironment.hasAccessibility, let widgets = try? Widgets(client) else { return }
        addWidgets(widgets)
    }

    /// Writes the file. A note that cannot be written does not matter to the command.
    func save() {
        guard let folder = Terminal.variable(Self.variable) else { return }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard files.count < Self.most else { return }
        var bytes = Array(json.encoded.utf8)
        if bytes.count > Self.mostBytes { bytes = Array(json.without("widgets").without("picture").encoded.utf8) }
        guard bytes.count <= Self.mostBytes else { return }
        try? Picture.save(bytes, as: "\(folder)/note-\(json["time"].text)-\(getpid()).json")
    }

    // MARK: The report

    /// The latest notes in a folder, in order.
    static func all(in folder: String) -> [JSON] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let notes = files.filter { $0.hasPrefix("note-") && $0.hasSuffix(".json") }.compactMap { name -> JSON? in
            var file = stat()
            guard unsafe stat("\(folder)/\(name)", &file) == 0, file.st_size <= Self.mostBytes,
                let bytes = try? DescriptorIO.contents(ofFile: "\(folder)/\(name)")
            else { return nil }
            return try? JSON(parsing: String(decoding: bytes, as: UTF8.self))
        }
        let ordered = notes.filter { $0["time"].number != nil }
            .sorted { ($0["time"].number ?? 0) < ($1["time"].number ?? 0) }
        return Array(ordered.suffix(Self.mostShown))
    }

    /// The tree of widgets as text; nil when it was not noted.
    static func widgetText(_ note: JSON) -> String? {
        guard case .array(let roots) = note["widgets"] else { return nil }
        var text = note["text"].text + "\n\n"
        var rest = roots.reversed().map { (widget: $0, depth: 0) }
        while let (widget, depth) = rest.popLast() {
            let frame = widget["frame"] == .null ? "" : "  \(widget["frame"].rectText)"
            let states = widget["states"].elements.map(\.text).joined(separator: ", ")
            let shown = widget["text"].string.map { $0.isEmpty ? "" : "  text=\"\($0)\"" } ?? ""
            text += String(repeating: "  ", count: depth)
            text += "\(widget["role"].text) \"\(widget["name"].text)\"\(shown)\(frame)  (\(states))\n"
            rest += widget["children"].elements.reversed().map { ($0, depth + 1) }
        }
        return text
    }
}
