// GET /v1/events: what comes, goes and changes, by id and by name, as the API's description says.

import FoundationEssentials
import Glibc
import JSON5
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct EventStreamTests {
    private let fixture: ServerFixture
    private let control: TestControl
    private let events: () throws -> [String]

    init() throws {
        fixture = try ServerFixture(screens: ["80x60,name=A"])
        control = try TestControl(fixture)
        events = try control.events()
    }

    private struct Line: Decodable {
        var event: String?
        var window: UInt32?
        var title: String?
        var application: UInt32?
        var applicationName: String?
        var applicationID: String?
        var screenName: String?
        var pid: Int32?
        var cause: String?
        var reason: String?
        var windows: Int?
        var signal: Int32?
        var status: Int32?
    }

    private func lines(_ names: String...) throws -> [Line] {
        try events().map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }.filter { line in
            line.event.map { names.contains($0) } ?? false
        }
    }

    @Test(
        "how the process of a client ended comes with the end of its connection; nothing while it runs",
        arguments: [
            ("os.kill(os.getpid(), signal.SIGSEGV)", SIGSEGV, nil), ("os._exit(3)", nil, 3), ("os._exit(0)", nil, 0),
            ("server.close(); signal.pause()", nil, nil),
        ] as [(String, Int32?, Int32?)])
    func process(end: String, signal: Int32?, status: Int32?) throws {
        let script = """
            os, signal, socket = (__import__(name) for name in ("os", "signal", "socket"))
            server = socket.socket(socket.AF_UNIX)
            server.connect(os.environ["XDG_RUNTIME_DIR"] + "/" + os.environ["WAYLAND_DISPLAY"])
            \(end)
            """
        let program = try fixture.spawn("python3", ["-c", script])
        defer { program.kill(SIGKILL) }
        var ended: Line?
        try fixture.wait(for: "the end of the client") {
            ended = try lines("applicationDidDisconnect").first
            return ended != nil
        }
        #expect(ended?.cause == "closed" && ended?.signal == signal && ended?.status == status, "\(ended as Any)")
    }

    @Test("clients come and go with name and process; windows open, get titles and application ids, and close")
    func comings() throws {
        let client = try fixture.connect("app")
        client.application.send(.setName(name: "editor"))
        let toplevel = client.toplevel("first")
        toplevel.toplevel.send(.setAppId(appId: "org.example.Editor"))
        toplevel.toplevel.send(.setTitle(title: "second"))
        toplevel.surface.send(.commit)
        try fixture.pump()
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        try fixture.pump()
        client.connection.disconnect()
        try fixture.pump()
        let connected = try lines("applicationDidConnect", "applicationNameDidChange")
        #expect(connected.map(\.event) == ["applicationDidConnect", "applicationNameDidChange"])
        #expect(connected.first?.pid == getpid() && connected.last?.applicationName == "editor")
        let windows = try lines("windowDidOpen", "titleDidChange", "applicationIDDidChange", "windowDidClose")
        #expect(windows.first?.event == "windowDidOpen" && windows.last?.event == "windowDidClose")
        #expect(windows.last?.title == "second" && windows.allSatisfy { $0.applicationName == "editor" })
        #expect(windows.contains { $0.applicationID == "org.example.Editor" })
        let end = try lines("applicationDidDisconnect")
        #expect(end.count == 1 && end.first?.cause == "closed" && end.first?.reason == nil && end.first?.windows == 0)
        #expect(end.first?.applicationName == "editor" && end.first?.pid == getpid())
    }

    @Test("the end of a client: with the text of its protocol error, and with windows left when it crashed")
    func endings() throws {
        let crashing = try fixture.connect("crashing")
        crashing.window("left").color(0xffff_0000).show()
        try fixture.pump()
        try crashing.kill()
        try fixture.pump()
        let wrong = try fixture.connect("wrong")
        let toplevel = wrong.toplevel("t")
        // A role is given once.
        wrong.wmBase.send(
            .getXdgSurface(id: Proxy<XdgSurface>(wrong.connection, version: 1).id, surface: toplevel.surface.id))
        try fixture.pump()
        let ends = try lines("applicationDidDisconnect")
        #expect(ends.map(\.cause) == ["closed", "protocolError"] && ends.first?.windows == 1)
        let reason = try #require(ends.last?.reason)
        #expect(reason.contains("xdg_surface") || reason.contains("xdg_wm_base"), "\(reason)")
        let order = try lines("didBecomeHidden", "windowDidClose", "applicationDidDisconnect").compactMap(\.event)
        #expect(Array(order.prefix(3)) == ["didBecomeHidden", "windowDidClose", "applicationDidDisconnect"])
        #expect(try lines("didBecomeHidden").first?.title == "left", "it is gone by then")
    }

    @Test("every event is described: its fields, and which of them are always there")
    func described() throws {
        let screen = try fixture.server.plug(ScreenSpecification(parsing: "80x60,name=B"))
        let client = try fixture.connect("app")
        client.application.send(.setName(name: "editor"))
        let window = client.window("w").color(0xffff_0000)
        window.show()
        window.makeKey()
        try fixture.pump()
        for body in [#"{"level":5,"alpha":0.5}"#, #"{"screen":"B"}"#, #"{"title":"t"}"#, #"{"front":true}"#] {
            #expect(try control.send("PATCH", "/v1/windows/1", body).status == 200)
        }
        let input =
            #"[{"type":"tap","screen":"B","x":5,"y":5},{"type":"key","key":"a"},{"type":"scroll","deltaY":3},"#
            + #"{"type":"hover","screen":"B","x":5,"y":5},{"type":"click","screen":"B","x":5,"y":5},{"type":"shake"}]"#
        #expect(try control.send("POST", "/v1/input", input).status == 200)
        #expect(
            try control.send("PATCH", "/v1/screens/B", #"{"orientation":"landscapeLeft","duration":0}"#).status == 200)
        try fixture.server.disconnect(screen)
        try client.kill()
        try fixture.pump()
        var seen: Set<String> = []
        let document = try APIDocument()
        let check = document.check
        for line in try events() {
            let sent = try JSONDecoder().decode([String: Anything].self, from: Data(line.utf8))
            let name = try JSONDecoder().decode(Line.self, from: Data(line.utf8)).event ?? ""
            seen.insert(name)
            let schema = try #require(document.schemas[APIDocument.schema(ofEvent: name)], "\(name)")
            let value = try JSON(Array(line.utf8))
            #expect(check.mistakes(value, schema) == [], "\(line)")
            let described = schema["properties"]?.keys ?? []
            #expect(Set(sent.keys).subtracting(described) == [], "\(name) has fields without a description")
            guard case .array(let required)? = schema["required"] else { continue }
            for field in required {
                if case .string(let key) = field { #expect(sent[key] != nil, "\(name) lacks \(key): \(line)") }
            }
        }
        #expect(seen.count >= 20, "\(seen.sorted())")
    }

    /// Any value.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
