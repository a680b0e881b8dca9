// Widgets of real toolkits, by their names: GTK 4, GTK 3, Qt 6 and Qt 5 on a real accessibility bus.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ToolkitWidgetTests {
    private let fixture: ServerFixture
    private let control: ControlSession
    private let bus: SessionBus

    init() throws {
        fixture = try ServerFixture(screens: ["1200x800"])
        control = try ControlSession(fixture)
        bus = try SessionBus(fixture, home: control.folder)
    }

    /// Of programs that describe their widgets.
    private var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "NO_AT_BRIDGE": "0", "GTK_A11Y": "atspi",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        ]
    }

    private func startLayers(_ version: String) throws -> ToolkitProgram {
        try ToolkitProgram(
            "Layers", ["/usr/bin/python3", ToolkitProgram.folder + "gtk_layers.py", version], environment: environment,
            fixture, control, isReady: { _ in true }, isWindow: { $0.title == "Layers" })
    }

    private func start(_ toolkit: ToolkitProgram.Toolkit) throws -> ToolkitProgram {
        let (file, arguments): (String, [String]) =
            switch toolkit {
            case .gtk: ("gtk_program.py", [])
            case .gtk3: ("gtk3_program.py", [toolkit.rawValue])
            case .qt: ("qt_program.py", ["6", toolkit.rawValue])
            case .qt5: ("qt_program.py", ["5", toolkit.rawValue])
            case .swing: ("", [])
            }
        return try ToolkitProgram(
            toolkit.rawValue, ["/usr/bin/python3", ToolkitProgram.folder + file] + arguments,
            environment: environment, fixture, control, isReady: { $0.place("area") != nil },
            isWindow: { $0.title == toolkit.rawValue })
    }

    @discardableResult
    private func mullionctl(_ words: String...) throws -> String { try mullionctl(words) }

    @discardableResult
    private func mullionctl(_ words: [String]) throws -> String {
        let program = try fixture.spawn(
            "\(Programs.built)/mullionctl", ["--control", "\(control.folder)/socket"] + words,
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try fixture.wait(for: "mullionctl \(words)") {
            _ = program.readOutput()
            return !program.isRunning
        }
        guard program.exitStatus == 0 else {
            throw FixtureError("\(words): \(program.exitStatus ?? -1), \(program.readOutput())")
        }
        return program.readOutput()
    }

    @Test(
        "H3: widgets are clicked in their middle, typed into and chosen by name",
        arguments: ToolkitProgram.Toolkit.allCases)
    func byName(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        // A program joins the bus a moment after it has shown its window.
        try mullionctl("click", "role=button", "name=Button", "timeout=30")
        try program.waits(for: "clicked button")
        try mullionctl("type", "role=textbox", "Grüße")
        try program.waits(for: "text Grüße")
        #expect(try mullionctl("--json", "find", "role=textbox").contains(#""text":"Grüße""#))
        try mullionctl("click", "role=combobox")
        switch toolkit {
        case .gtk: try mullionctl("click", "role=label", "name=three")
        case .gtk3: try mullionctl("click", "role=menuitem", "name=three")
        default: try mullionctl("click", "role=listitem", "name=three")
        }
        try program.waits(for: "selected 2")
        let place = try #require(program.place("button"))
        let found = try mullionctl("find", "role=button", "name=Button")
        // Where the button has a mnemonic, it is no part of the name.
        #expect(throws: FixtureError.self) { try mullionctl("find", "role=button", "name=/[_&]/") }
        // GTK 4 describes what is inside of the button's border.
        if toolkit != .gtk {
            #expect(found.contains("\(Int(place.minX)),\(Int(place.minY)) \(Int(place.width))×\(Int(place.height))"))
        }
        if toolkit == .gtk || toolkit == .gtk3 {
            try mullionctl("click", "role=button", "name=Menu")
            try mullionctl("click", "name=Item")
            try program.waits(for: "clicked item")
        }
        #expect(program.complaints.filter { $0.contains("CRITICAL") || $0.contains("WARNING") } == [])
    }

    @Test(
        "GTK 4 says which widget is in front: others and those of other pages are not clicked, labels are not buttons")
    func layers() throws {
        let program = try startLayers("4")
        try mullionctl("wait", "widget", "role=button", "name=Free", "timeout=30s")
        func refuses(_ words: String..., with messages: String...) {
            let error = #expect(throws: FixtureError.self) { try mullionctl(words + ["timeout=0.5s"]) }
            #expect(messages.contains { error?.description.contains($0) == true }, "\(error as Any)")
        }
        refuses("click", "name=Under", with: "by button \"Cover\"")
        refuses("wait", "widget", "name=Disabled", "state=enabled", with: "no widget has name=Disabled")
        try mullionctl("click", "name=Free")
        try program.waits(for: "clicked Free")
        try mullionctl("click", "name=Cover")
        try program.waits(for: "clicked Cover")
        try mullionctl("click", "name=Second")
        try mullionctl("click", "name=Two")
        try program.waits(for: "clicked Two")
        // It looks visible on the page behind; 4.18 leaves that page's widgets out.
        refuses("click", "name=Free", with: "by button \"Two\"", "no widget has name=Free")
    }

    @Test("fields of GTK have the names of their labels", arguments: ["3", "4"])
    func labels(version: String) throws {
        let program = try startLayers(version)
        try mullionctl("type", "into=Address:", "Grüße", "timeout=30s")
        #expect(try mullionctl("find", "role=textbox").hasPrefix("textbox \"Address:\"  text=\"Grüße\""))
        #expect(program.complaints.filter { $0.contains("CRITICAL") } == [])
    }

    @Test("a program without accessibility is named")
    func without() throws {
        let program = try ToolkitProgram(.gtk3, fixture, control)
        let answer = try mullionctl("widgets")
        #expect(answer.contains("of python3 (process \(program.program.pid)) is not on the accessibility bus"))
    }
}
