// What failed commands note for the report of the run that they are part of.

import ControlProtocol
import Glibc
import JSON5
import MullionControl
import MullionSystem

/// An expectation of a command that was not met, in a file of the folder that MULLION_NOTES names.
struct RunNote {
    /// The variable, which `run --artifacts` sets.
    static let variable = "MULLION_NOTES"
    /// The most files in the folder, and the most bytes of each; the latest ones that a report shows.
    private static let (most, mostBytes, mostShown) = (200, 2 << 20, 20)
    /// The most earlier tries of a command whose processes are kept.
    private static let mostTries = 1000
    /// How long reading the widgets may take, in seconds.
    private static let patience = 2.0

    /// Whether notes are wanted.
    static var isWanted: Bool { Terminal.variable(variable) != nil }

    private var note: API.Note

    /// - Parameter text: a sentence without a full stop.
    init(_ text: String) {
        note = API.Note(
            text: text, time: Double(MonotonicClock.nanoseconds / 1000),
            command: ["mullionctl"] + ProgramArguments.all)
    }

    /// Marks a place.
    /// - Parameter point: in points of the screen.
    mutating func mark(_ point: API.Point, on screen: String) { (note.point, note.screen) = (point, screen) }

    /// Marks a rectangle.
    /// - Parameters:
    ///   - box: in pixels of the screen's picture.
    ///   - screen: nil: all screens, side by side.
    mutating func mark(_ box: API.Rect, on screen: String?) { (note.box, note.screen) = (box, screen ?? note.screen) }

    /// Adds what was expected, what was seen, and the differences.
    /// - Parameter picture: a PNG in base64.
    mutating func add(picture: String?) { note.picture = picture }

    /// Adds the tree of widgets.
    mutating func addWidgets(_ widgets: Widgets) {
        guard let roots = try? widgets.roots(until: MonotonicClock.seconds + Self.patience) else { return }
        note.widgets = roots.map { $0.json(withChildren: true) }
    }

    /// The same, where the run has the accessibility bus.
    mutating func addWidgets(_ client: ControlClient) {
        guard Self.isWanted, RunEnvironment.hasAccessibility,
            let widgets = try? Widgets(client, until: MonotonicClock.seconds + Self.patience)
        else { return }
        addWidgets(widgets)
    }

    /// Writes the file, in place of that of an earlier try. A note that cannot be written does not matter to the command.
    func save() {
        guard let folder = Terminal.variable(Self.variable) else { return }
        let file = "\(folder)/\(Self.name)"
        let files = MullionSystem.Folder.names(in: folder) ?? []
        guard files.count < Self.most else { return }
        var note = note
        note.pids = (Self.read(file)?.pids ?? []).suffix(Self.mostTries) + [Double(getpid())]
        var bytes = Self.bytes(note)
        if bytes.count > Self.mostBytes {
            (note.widgets, note.picture) = (nil, nil)
            bytes = Self.bytes(note)
        }
        guard bytes.count <= Self.mostBytes else { return }
        try? Picture.save(bytes, as: file)
    }

    private static func bytes(_ note: API.Note) -> [UInt8] { (try? JSONWriter.encode(note)) ?? [] }

    /// Call it when the command has succeeded: of the note of an earlier try, only its processes remain.
    static func removeEarlier() {
        guard let folder = Terminal.variable(variable) else { return }
        let file = "\(folder)/\(name)"
        guard let earlier = read(file) else { return }
        try? Picture.save(bytes(API.Note(time: earlier.time, pids: earlier.pids)), as: file)
    }

    /// The same for each try of a command.
    private static var name: String {
        let words = ProgramArguments.all.joined(separator: "\0")
        return "note-\(hash(words)).json"
    }

    /// A short name for a text.
    static func hash(_ text: String) -> String {
        // FNV-1a
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    // MARK: The report

    /// The latest notes in a folder, in order, and the processes whose failures they explain. Other programs can write there,
    /// too: what is not a note is ignored.
    static func all(in folder: String) -> (notes: [API.Note], processes: [Double]) {
        let files = MullionSystem.Folder.names(in: folder) ?? []
        let found = files.compactMap { name -> (name: String, seconds: Int, nanoseconds: Int)? in
            guard name.hasPrefix("note-"), name.hasSuffix(".json") else { return nil }
            var status = stat()
            guard unsafe lstat("\(folder)/\(name)", &status) == 0, isNote(status) else { return nil }
            return (name, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
        let latest = found.sorted { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }.suffix(most)
        var (notes, processes): ([API.Note], [Double]) = ([], [])
        for (name, _, _) in latest.reversed() {
            guard let note = read("\(folder)/\(name)") else { continue }
            processes += note.pids ?? []
            if note.text != nil, notes.count < mostShown { notes.append(note) }
        }
        return (notes.sorted { $0.time < $1.time }, processes)
    }

    private static func read(_ path: String) -> API.Note? {
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
        return withExtendedLifetime(file) {
            var status = stat()
            guard unsafe fstat(file.rawValue, &status) == 0, isNote(status) else { return nil }
            let bytes = DescriptorIO.read(file.rawValue, count: status.st_size)
            return try? JSON5Document(bytes, .json).decode(API.Note.self)
        }
    }

    /// A regular file of a possible size.
    private static func isNote(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && (1...mostBytes).contains(status.st_size)
    }

    /// The tree of widgets as text; nil when it was not noted.
    static func widgetText(_ note: API.TraceNote) -> String? {
        guard let roots = note.widgets else { return nil }
        var text = note.text.printable() + "\n\n"
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
