// Programs of toolkits that report their input.

import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import WindowModel

@testable import DisplayServer

/// A program of Tests/Programs: it prints a line per event and the places of its widgets.
final class ToolkitProgram {
    /// A toolkit with widgets, on which all tests of toolkits run.
    enum Toolkit: String, CaseIterable, Sendable {
        case gtk = "GTK"
        case gtk3 = "GTK 3"
        case qt = "Qt"
        case qt5 = "Qt 5"
        /// Java's, on X11 only.
        case swing = "Swing"

        /// Those on Wayland.
        static let allCases: [Self] = [.gtk, .gtk3, .qt, .qt5]
        static let onX11 = allCases + (hasSwing ? [.swing] : [])

        private static let hasSwing: Bool = {
            let java = realpath("/usr/bin/java", nil).map { path in
                defer { free(path) }
                return String(cString: path)
            }
            // Without it, Java has no windows.
            let windows = java.map { "\($0.dropLast("bin/java".count))lib/libawt_xawt.so" }
            let has = windows.map { access($0, F_OK) == 0 } == true && Program.isInstalled("ecj")
            if !has { print("Skipped: Swing needs Debian's default-jre ecj; install with apt-get or Config/test") }
            return has
        }()

        /// Debian's Python, because the bindings of the toolkits are packaged for it.
        fileprivate var command: [String] {
            switch self {
            case .gtk: ["/usr/bin/python3", folder + "gtk_program.py"]
            case .gtk3: ["/usr/bin/python3", folder + "gtk3_program.py", rawValue]
            case .qt: ["/usr/bin/python3", folder + "qt_program.py", "6", rawValue]
            case .qt5: ["/usr/bin/python3", folder + "qt_program.py", "5", rawValue]
            case .swing: ["java", "-XX:-UsePerfData", "-cp", "HOME", "SwingProgram", rawValue]
            }
        }
    }

    /// Nothing of the person's own session is used, beside what the test profile sets.
    static let environment = [
        "GDK_BACKEND": "wayland", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        "QT_QPA_PLATFORM": "wayland", "SDL_VIDEODRIVER": "wayland", "LC_ALL": "C.UTF-8",
        // KDE's theme warns that there is no D-Bus session.
        "QT_LOGGING_RULES": "*.debug=false;qt.qpa.theme.dbus=false", "PYTHONDONTWRITEBYTECODE": "1",
    ]

    let name: String
    let program: Program
    private let fixture: ServerFixture
    private let control: ControlSession
    private let isWindow: (Window) -> Bool
    private let countsShadows: Bool
    /// The number of lines that were examined.
    private var read = 0

    /// Starts the program, waits for its window and moves it to `origin`.
    /// - Parameter display: where it is to be an X11 program.
    convenience init(
        _ toolkit: Toolkit, _ fixture: ServerFixture, _ control: ControlSession, at origin: Point = .zero,
        on display: X11Display? = nil
    ) throws {
        var environment: [String: String] = [:]
        if let display {
            environment = display.environment
            environment["GDK_BACKEND"] = "x11"
            environment["QT_QPA_PLATFORM"] = "xcb"
        }
        if toolkit == .swing { try Self.compile("SwingProgram", fixture, to: Self.home(of: toolkit.rawValue, control)) }
        try self.init(
            toolkit.rawValue, toolkit.command, environment: environment, fixture, control,
            isReady: { $0.place("area") != nil }, isWindow: { $0.title == toolkit.rawValue })
        try fixture.model.setFrame(Rect(origin: origin, size: window.frame.size), of: window.id)
        try fixture.pump()
    }

    /// Starts any program that prints such lines, and waits for its window.
    /// - Parameters:
    ///   - command: in it, HOME stands for a folder that the program may use.
    ///   - countsShadows: whether the places that it prints are those in its surface, which has shadows.
    ///   - isReady: what else to wait for.
    ///   - isWindow: recognizes its main window.
    init(
        _ name: String, _ command: [String], environment: [String: String] = [:], _ fixture: ServerFixture,
        _ control: ControlSession, countsShadows: Bool = false, isReady: (ToolkitProgram) -> Bool,
        isWindow: @escaping (Window) -> Bool
    ) throws {
        self.name = name
        self.fixture = fixture
        self.control = control
        self.isWindow = isWindow
        self.countsShadows = countsShadows
        let home = try Self.home(of: name, control)
        var variables = Self.environment.merging(environment) { $1 }
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] { variables[name] = home }
        let words = command.map { $0 == "HOME" ? home : $0 }
        program = try fixture.spawn(words[0], Array(words.dropFirst()), environment: variables)
        do {
            try fixture.wait(for: "its window", seconds: 120) {
                guard program.isRunning else { throw FixtureError("it ended with \(program.exitStatus ?? -1)") }
                return (try? window.isVisible) == true && isReady(self)
            }
        } catch {
            throw FixtureError("\(name): \(error); it said \(program.readOutput())")
        }
    }

    /// A folder that a program may use.
    private static func home(of name: String, _ control: ControlSession) throws -> String {
        // LibreOffice does not start from a folder whose name has a space.
        let home = "\(control.folder)/\(name.filter(\.isLetter))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        return home
    }

    /// Arguments of java. The command ecj of Debian 13 does not find its own classes.
    static let javaCompiler = [
        "-cp", ["", "-compiler-batch"].map { "/usr/share/java/eclipse-jdt-core\($0).jar" }.joined(separator: ":"),
        "org.eclipse.jdt.internal.compiler.batch.Main", "-source", "11", "-target", "11", "-proc:none",
    ]

    /// Compiles a program in Java.
    private static func compile(_ name: String, _ fixture: ServerFixture, to folder: String) throws {
        let compiler = try fixture.spawn("java", javaCompiler + ["-d", folder, "\(Self.folder)\(name).java"])
        try fixture.wait(for: "\(name) to be compiled") { !compiler.isRunning }
        guard compiler.exitStatus == 0 else { throw FixtureError("\(name).java: \(compiler.readOutput())") }
    }

    /// Tests/Programs, with a slash at its end.
    static let folder = "\(String(#filePath).dropLast("ProgramTests/ToolkitProgram.swift".count))Programs/"

    // MARK: Output

    var lines: [Substring] { program.completeLines }

    /// Waits for a line among those that were not examined yet.
    func waits(for line: String, seconds: Double = 60) throws {
        _ = try waits(for: line, seconds: seconds) { $0 == line }
    }

    /// Waits for a line with this prefix, and returns the rest of it.
    @discardableResult
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
            throw FixtureError("\(name) did not say \"\(what)\" but \(lines.dropFirst(read))")
        }
        return found
    }

    /// Has the program copy something, and waits until it offers it.
    func copies(_ body: () throws -> Void) throws {
        let selection = fixture.server.seat.selections.clipboard
        let before = selection.source
        try body()
        try fixture.wait(for: "\(name) to copy") { selection.source != nil && selection.source !== before }
    }

    /// Lines that are not its own: complaints of the toolkit.
    var complaints: [Substring] {
        let own: Set<Substring> = [
            "clicked", "close", "copied", "dialog", "drag", "drop", "dropped", "focus", "key", "menu", "pasted",
            "place", "presented", "scrolled",
            "selected",
            "text", "touch",
        ]
        let known: Set<Substring> = [
            // Qt 6.4 destroys a window while another of its threads still handles a frame of it, and logs that itself.
            "QMutex: destroying locked mutex",
            // Qt 5 wants to activate its menus.
            "qt.qpa.wayland: Wayland does not support QWindow::requestActivate()",
        ]
        // A space may be part of a character, with a vowel sign that a key types.
        func word(of line: Substring) -> Substring { Substring(line.utf8.prefix { $0 != UInt8(ascii: " ") }) }
        return lines.filter { !own.contains(word(of: $0)) && !known.contains($0) }
    }

    // MARK: Places

    var window: Window {
        get throws {
            let all = fixture.model.windows.compactMap { fixture.model.window($0) }
            guard let window = all.first(where: isWindow) else {
                throw FixtureError("\(name) has no window; it said \(lines)")
            }
            return window
        }
    }

    /// A widget's place, in the window's points.
    func place(_ name: String) -> Rect? {
        let words = lines.last { $0.hasPrefix("place \(name) ") }?.split(separator: " ").dropFirst(2)
        let numbers = words?.compactMap { Double($0) } ?? []
        guard numbers.count == 4 else { return nil }
        let shadows = countsShadows ? shadows : .zero
        return Rect(x: numbers[0] - shadows.x, y: numbers[1] - shadows.y, width: numbers[2], height: numbers[3])
    }

    /// How much of its surface is left of the window and above it.
    private var shadows: Point {
        guard let window = try? window, let root = fixture.model.root(of: window.id),
            let corner = fixture.model.convert(.zero, from: root)?.point
        else { return .zero }
        return Point(x: window.frame.minX - corner.x, y: window.frame.minY - corner.y)
    }

    /// A point of a widget, on the screen.
    func point(_ name: String, dx: Double = 20, dy: Double = 8) throws -> Point {
        var found = Rect.zero
        try fixture.wait(for: "\(self.name) to say where \(name) is") {
            guard let place = place(name) else { return false }
            found = place
            return true
        }
        let frame = try window.frame
        return Point(x: frame.minX + found.minX + dx, y: frame.minY + found.minY + dy)
    }

    // MARK: Input

    func click(_ name: String, dx: Double = 20, dy: Double = 8, button: String = "left") throws {
        let at = try point(name, dx: dx, dy: dy)
        let screen = try window.screen.map { #""screen": \#($0), "# } ?? ""
        try control.inject(#"{"type": "click", \#(screen)"x": \#(at.x), "y": \#(at.y), "button": "\#(button)"}"#)
    }

    /// Opens the menu. On a busy machine, GTK 4.18 on X11 may lose a click soon after another menu has closed, and nothing
    /// tells when it does not any more.
    func opensMenu() throws {
        try click("menu")
        if (try? waits(for: "menu opened", seconds: 20)) != nil { return }
        try click("menu")
        try waits(for: "menu opened")
    }

    /// Waits until only its window is left and it has said so, which some do before the line of the chosen item. GTK loses
    /// clicks until then.
    func waitsForMenuToClose() throws {
        let main = try window.id
        try fixture.wait(for: "the menu of \(name) to close") {
            fixture.model.windows.filter { fixture.model.window($0)?.isVisible == true } == [main]
                && lines.count { $0 == "menu closed" } == lines.count { $0 == "menu opened" }
        }
    }

    /// Clicks into the text field and waits until the window is key.
    func edit() throws {
        try click("entry")
        try fixture.wait(for: "\(name) to be key") { try window.isKey }
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

    /// Lines of its log above "info". Up to version 1.22, foot looks for the protocol of icons by a wrong name.
    var complaints: [Substring] {
        program.completeLines.filter { !$0.hasPrefix("info: ") && !$0.hasSuffix("the XDG toplevel icon protocol") }
    }
}

extension Program {
    /// The lines that it has printed; without the beginning of one that it has not finished.
    var completeLines: [Substring] {
        let output = readOutput()
        return output[..<(output.lastIndex(of: "\n") ?? output.startIndex)].split(separator: "\n")
    }
}
