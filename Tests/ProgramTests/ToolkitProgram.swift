// Programs of toolkits that report their input.

import FoundationEssentials
import Geometry
import Glibc
import TestSupport
import WindowModel

@testable import DisplayServer

/// A program of Tests/Programs: it prints a line per event and the places of its widgets.
final class ToolkitProgram {
    enum Toolkit: String, CaseIterable, Sendable {
        case gtk = "GTK"
        case qt = "Qt"

        var file: String { self == .gtk ? "gtk_program.py" : "qt_program.py" }

        /// Neither a graphics card nor anything of the person's own session is used.
        var environment: [String: String] {
            switch self {
            case .gtk:
                ["GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none"]
            case .qt:
                ["QT_QPA_PLATFORM": "wayland", "QT_QUICK_BACKEND": "software", "QT_LOGGING_RULES": "*.debug=false"]
            }
        }
    }

    let toolkit: Toolkit
    let program: Program
    private let fixture: ServerFixture
    private let control: ControlSession
    private let home: String
    /// The number of lines that were examined.
    private var read = 0

    /// Starts the program, waits for its window and moves it to `origin`.
    init(_ toolkit: Toolkit, _ fixture: ServerFixture, _ control: ControlSession, at origin: Point = .zero) throws {
        self.toolkit = toolkit
        self.fixture = fixture
        self.control = control
        home = "\(control.folder)/\(toolkit.rawValue)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let folder = String(#filePath).dropLast("ProgramTests/ToolkitProgram.swift".count)
        var environment = toolkit.environment
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] { environment[name] = home }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        environment["NO_AT_BRIDGE"] = "1"
        environment["LC_ALL"] = "C.UTF-8"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        // Debian's Python, because the bindings of the toolkits are packaged for it.
        program = try fixture.spawn(
            "/usr/bin/python3", ["\(folder)Programs/\(toolkit.file)"], environment: environment)
        try fixture.wait(for: "the window of \(self)", seconds: 60) {
            (try? window.isVisible) == true && place("area") != nil
        }
        try fixture.model.setFrame(Rect(origin: origin, size: window.frame.size), of: window.id)
        try fixture.pump()
    }

    // MARK: Output

    private var lines: [Substring] { program.completeLines }

    /// Waits for a line among those that were not examined yet.
    func waits(for line: String, seconds: Double = 60) throws {
        _ = try waits(for: line, seconds: seconds) { $0 == line }
    }

    /// Waits for a line with this prefix, and returns the rest of it.
    func waits(forPrefix prefix: String) throws -> String {
        String(try waits(for: prefix, seconds: 60) { $0.hasPrefix(prefix) }.dropFirst(prefix.count))
    }

    private func waits(for what: String, seconds: Double, _ predicate: (Substring) -> Bool) throws -> Substring {
        var found: Substring = ""
        do {
            try fixture.wait(for: what, seconds: seconds) {
                let all = lines
                guard let index = all[min(read, all.count)...].firstIndex(where: predicate) else { return false }
                (found, read) = (all[index], index + 1)
                return true
            }
        } catch {
            throw FixtureError("\(toolkit.rawValue) did not say \"\(what)\" but \(lines.dropFirst(read))")
        }
        return found
    }

    /// Has the program copy something, and waits until it offers it.
    func copies(_ body: () throws -> Void) throws {
        let selection = fixture.server.seat.selections.clipboard
        let before = selection.source
        try body()
        try fixture.wait(for: "\(toolkit.rawValue) to copy") { selection.source != nil && selection.source !== before }
    }

    /// Lines that are not its own: complaints of the toolkit.
    var complaints: [Substring] {
        let own: Set<Substring> = [
            "clicked", "close", "copied", "dialog", "focus", "key", "menu", "pasted", "place", "presented", "scrolled",
            "selected",
            "text", "touch",
        ]
        // Qt 6.4 destroys a window while another of its threads still handles a frame of it, and logs that itself.
        let race = "QMutex: destroying locked mutex"
        return lines.filter { line in !own.contains(line.prefix { $0 != " " }) && !(toolkit == .qt && line == race) }
    }

    // MARK: Places

    var window: Window {
        get throws {
            let all = fixture.model.windows.compactMap { fixture.model.window($0) }
            guard let window = all.first(where: { $0.title == toolkit.rawValue }) else {
                throw FixtureError("\(toolkit.rawValue) has no window; it said \(lines)")
            }
            return window
        }
    }

    /// A widget's place, in the window's points.
    func place(_ name: String) -> Rect? {
        let words = lines.last { $0.hasPrefix("place \(name) ") }?.split(separator: " ").dropFirst(2)
        let numbers = words?.compactMap { Double($0) } ?? []
        guard numbers.count == 4 else { return nil }
        return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// A point of a widget, on the screen.
    func point(_ name: String, dx: Double = 20, dy: Double = 8) throws -> Point {
        guard let place = place(name) else { throw FixtureError("\(toolkit.rawValue) did not say where \(name) is") }
        let frame = try window.frame
        return Point(x: frame.minX + place.minX + dx, y: frame.minY + place.minY + dy)
    }

    // MARK: Input

    func click(_ name: String, dx: Double = 20, dy: Double = 8, button: String = "left") throws {
        let at = try point(name, dx: dx, dy: dy)
        try control.inject(#"{"type": "click", "x": \#(at.x), "y": \#(at.y), "button": "\#(button)"}"#)
    }

    /// Clicks into the text field and waits until the window is key.
    func edit() throws {
        try click("entry")
        try fixture.wait(for: "\(toolkit.rawValue) to be key") { try window.isKey }
    }
}

extension ControlSession {
    /// Injects events; a window has to take each of them, unless `allowMiss` is set.
    func inject(_ events: String..., allowMiss: Bool = false) throws {
        let answer = try send("POST", "/v1/input", Array("[\(events.joined(separator: ", "))]".utf8))
        guard answer.status == 200, allowMiss || !answer.text.contains("\"delivered\":0") else {
            throw FixtureError("\(events): \(answer.status) \(answer.text)")
        }
    }

    func key(_ names: String...) throws {
        for name in names { try inject(#"{"type": "key", "key": "\#(name)"}"#) }
    }

    func type(_ text: String) throws { try inject(#"{"type": "type", "text": "\#(text)"}"#) }
}

/// foot, with a shell that writes its terminal input to a file.
final class FootProgram {
    let program: Program
    private let fixture: ServerFixture
    private let control: ControlSession
    private let file: String

    /// - Parameter setup: what its shell runs before it reads.
    init(_ fixture: ServerFixture, _ control: ControlSession, setup: String = ":", at origin: Point = .zero) throws {
        self.fixture = fixture
        self.control = control
        file = "\(control.folder)/foot"
        let ready = "\(control.folder)/ready"
        let script = "stty raw -echo; \(setup); touch \(ready); exec cat > \(file)"
        program = try fixture.spawn(
            "foot", ["--config=/dev/null", "--override=cursor.blink=no", "sh", "-c", script],
            environment: ["LC_ALL": "C.UTF-8"])
        try fixture.wait(for: "foot") {
            guard FileManager.default.fileExists(atPath: ready), let window else { return false }
            return window.isVisible
        }
        if let window {
            try fixture.model.setFrame(Rect(origin: origin, size: window.frame.size), of: window.id)
        }
        try fixture.pump()
    }

    var window: Window? {
        fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == "foot" }
    }

    func click(button: String = "left") throws {
        guard let frame = window?.frame else { throw FixtureError("foot has no window") }
        let (x, y) = (frame.minX + frame.size.width / 2, frame.minY + frame.size.height / 2)
        try control.inject(#"{"type": "click", "x": \#(x), "y": \#(y), "button": "\#(button)"}"#)
    }

    /// What its shell read.
    var text: String {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func waits(for expected: String) throws {
        do {
            try fixture.wait(for: expected) { text.hasSuffix(expected) }
        } catch {
            throw FixtureError("foot did not read \(expected.debugDescription) but \(text.debugDescription)")
        }
    }

    /// Lines of its log above "info".
    var complaints: [Substring] {
        program.completeLines.filter { !$0.hasPrefix("info: ") }
    }
}

extension Program {
    /// The lines that it has printed; without the beginning of one that it has not finished.
    var completeLines: [Substring] {
        let output = readOutput()
        return output[..<(output.lastIndex(of: "\n") ?? output.startIndex)].split(separator: "\n")
    }
}
