// X11 programs that do what no program should.

import FoundationEssentials
import Glibc
import MullionGeometry
import MullionSystem
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import X11

/// An X11 program of requests.
final class XClient {
    let x: XConnection
    let setup: XSetup
    private let fixture: ServerFixture
    private(set) var events: [XEvent] = []

    init(_ display: X11Display, _ fixture: ServerFixture) throws {
        self.fixture = fixture
        let x = XConnection(socket: try UnixSocket.connect(to: "/tmp/.X11-unix/X\(display.name.dropFirst())"))
        self.x = x
        try Self.wait(fixture, x, "the X server") { x.setup != nil }
        setup = try #require(x.setup)
        x.onEvent = { [unowned self] in events.append($0) }
    }

    private static func wait(
        _ fixture: ServerFixture, _ x: XConnection, _ what: String, until condition: () throws -> Bool
    ) throws {
        try fixture.wait(for: what) {
            try x.flush()
            try x.receive()
            return try condition()
        }
    }

    func wait(for what: String, until condition: () throws -> Bool) throws {
        try Self.wait(fixture, x, what, until: condition)
    }

    /// Waits until the X server has handled everything.
    func sync() throws {
        var isDone = false
        x.afterRequests { isDone = true }
        try wait(for: "the X server's answer") { isDone }
    }

    func atom(_ name: String) throws -> XAtom {
        var found: XAtom?
        x.intern(name) { found = $0 }
        try wait(for: "an atom") { found != nil }
        return try #require(found)
    }

    func window(_ frame: XFrame, isFree: Bool = false) -> XWindowID {
        let id = x.newResource()
        x.send(1) {
            $0.put(id)
            $0.put(setup.root)
            $0.put(UInt16(truncatingIfNeeded: frame.x))
            $0.put(UInt16(truncatingIfNeeded: frame.y))
            $0.put(UInt16(truncatingIfNeeded: frame.width))
            $0.put(UInt16(truncatingIfNeeded: frame.height))
            // Border, class, visual; background, override-redirect, events.
            $0.put(UInt16(0))
            $0.put(UInt16(1))
            for value: UInt32 in [0, 0x2 | 0x200 | 0x800, 0xff00ff, isFree ? 1 : 0, 1 << 17] { $0.put(value) }
        }
        return id
    }

    func unmap(_ window: XWindowID) { x.send(10) { $0.put(window) } }

    func setTitle(_ window: XWindowID, _ title: String) {
        x.setProperty(window, .wmName, type: .string, format: 8, Array(title.utf8))
    }

    /// To the window manager.
    func tell(_ message: XClientMessage) {
        x.send(message, to: setup.root, mask: [.substructure, .substructureRedirect])
    }

    func close() { x.socket.close() }
}

@Suite(.enabled(if: X11Display.isPossible)) struct X11HostileTests {
    private let fixture: ServerFixture
    private let display: X11Display

    init() throws {
        fixture = try ServerFixture(screens: ["1000x700,name=A"])
        display = try X11Display(fixture)
    }

    /// Memory of the window manager in KiB.
    private func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(display.program.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }

    /// Other X11 programs work.
    private func expectHealth() throws {
        let terminal = try display.xterm("healthy")
        _ = try display.shows("healthy")
        terminal.kill(SIGKILL)
        try fixture.wait(for: "its window to go") { display.window("healthy") == nil }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }

    @Test("random requests about windows that come and go trap nothing and leave nothing")
    func random() throws {
        let client = try XClient(display, fixture)
        let types = try [
            "_NET_WM_STATE", "_NET_ACTIVE_WINDOW", "_NET_WM_MOVERESIZE", "_NET_MOVERESIZE_WINDOW", "WL_SURFACE_ID",
            "WL_SURFACE_SERIAL", "WM_CHANGE_STATE", "_NET_RESTACK_WINDOW", "_NET_REQUEST_FRAME_EXTENTS", "MANAGER",
        ].map { try client.atom($0) }
        let properties: [XAtom] =
            try [.wmName, .wmClass, .wmHints, .wmNormalHints, .wmTransientFor]
            + [
                "WM_PROTOCOLS", "_NET_WM_NAME", "_MOTIF_WM_HINTS", "_NET_WM_WINDOW_TYPE", "_NET_WM_STATE",
            ].map { try client.atom($0) }
        var random = SeededRandom()
        var windows: [XWindowID] = []
        func number() -> UInt32 {
            [
                0, 1, 2, 3, 8, 0x7fff_ffff, 0xffff_ffff, UInt32.random(in: 0 ... .max, using: &random),
                windows.last?.rawValue ?? 1,
            ]
            .randomElement(using: &random) ?? 0
        }
        func side() -> Int { [0, 1, 100, 700, 32767, 65535].randomElement(using: &random) ?? 0 }
        for step in 0..<4000 {
            let window = windows.randomElement(using: &random) ?? .none
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                let frame = XFrame(x: side(), y: side(), width: side() % 2000 + 1, height: side() % 2000 + 1)
                windows.append(client.window(frame, isFree: .random(using: &random)))
            case 2, 3: client.x.map(window)
            case 4: client.unmap(window)
            case 5:
                client.x.destroy(window)
                windows.removeAll { $0 == window }
            case 6, 7:
                client.x.configure(
                    window, XConfiguration(x: side() - 40_000, y: side(), width: side() % 3000, height: side() % 3000))
            case 8, 9:
                let property = properties.randomElement(using: &random) ?? .wmName
                let bytes = (0..<4 * Int.random(in: 0..<40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                client.x.setProperty(
                    window, property, type: [.string, .atom, .window].randomElement(using: &random) ?? .atom,
                    format: Bool.random(using: &random) ? 8 : 32, bytes)
            case 10:
                client.tell(
                    XClientMessage(
                        window: window, type: types.randomElement(using: &random) ?? .none,
                        data: (0..<5).map { _ in number() }))
            default: client.x.setFocus(window, time: 0)
            }
            if step % 100 == 0 { try client.sync() }
        }
        try client.sync()
        client.close()
        try fixture.wait(for: "its windows to go") { fixture.model.windows.isEmpty }
        try expectHealth()
    }

    @Test("endless changes of a title and of a position, and a property of 60 MB, cost the window manager no memory")
    func endless() throws {
        let client = try XClient(display, fixture)
        let window = client.window(XFrame(x: 10, y: 10, width: 100, height: 100))
        client.x.map(window)
        try client.sync()
        let before = try memory()
        for round in 0..<100_000 {
            client.setTitle(window, "title \(round)")
            client.x.configure(window, XConfiguration(x: round % 500, y: round % 300))
            if round % 1000 == 0 { try client.sync() }
        }
        let piece = [UInt8](repeating: 0x41, count: 60_000)
        for round in 0..<1000 {
            // Appends.
            client.x.send(18, 2) {
                $0.put(window)
                $0.put(XAtom.wmName)
                $0.put(XAtom.string)
                $0.put(UInt32(8))
                $0.put(UInt32(piece.count))
                $0.put(piece)
            }
            if round % 20 == 0 { try client.sync() }
        }
        try client.sync()
        try fixture.wait(for: "the last title") {
            fixture.model.windows.contains { fixture.model.window($0)?.title.hasPrefix("title 99999A") == true }
        }
        let growth = try memory() - before
        #expect(growth < 8 << 10, "it grew by \(growth) KiB")
        client.close()
        try fixture.wait(for: "its window to go") { fixture.model.windows.isEmpty }
        try expectHealth()
    }

    @Test("an X server that hangs delays X11 programs only; libxcb would wait for it")
    func hanging() throws {
        let terminal = try display.xterm("waiting")
        let window = try display.shows("waiting")
        let number = try display.run("xdotool", ["search", "--name", "^waiting$"])
            .split(whereSeparator: \.isWhitespace).joined()
        let server = try #require(display.xwayland)
        kill(server, SIGSTOP)
        // The window manager reads on, whatever waits for the X server: otherwise the server would disconnect it.
        for step in 0..<40_000 {
            try fixture.model.setFrame(Rect(x: Double(step % 200), y: 5, width: 300, height: 200), of: window.id)
            try fixture.pump()
        }
        #expect(display.program.isRunning && fixture.model.windows.count == 1)
        kill(server, SIGCONT)
        try fixture.wait(for: "the X server to follow") {
            try display.run("xdotool", ["getwindowgeometry", number]).contains("Position: 199,5")
        }
        #expect(terminal.isRunning)
    }

    @Test(
        "an owner of the clipboard that never writes what it offers: readers beyond a limit get nothing, its end ends all",
        .enabled(if: Program.isInstalled("wl-paste")))
    func silentOwner() throws {
        let client = try XClient(display, fixture)
        let window = client.window(XFrame(x: 10, y: 10, width: 100, height: 100))
        client.setTitle(window, "owner")
        client.x.map(window)
        let (clipboard, targets, text) = try (
            client.atom("CLIPBOARD"), client.atom("TARGETS"), client.atom("UTF8_STRING")
        )
        var unanswered = 0
        client.x.onEvent = { event in
            guard case .selectionRequest(let request) = event else { return }
            guard request.target == targets else {
                unanswered += 1
                return
            }
            client.x.setProperty(request.requestor, request.property, type: .atom, [text.rawValue])
            client.x.answer(request, property: request.property)
        }
        _ = try display.shows("owner")
        client.x.setSelectionOwner(window, of: clipboard)
        let selection = fixture.server.seat.selections.clipboard
        try client.wait(for: "the offer") { selection.source != nil }
        let readers = try (0..<20).map { _ in try fixture.spawn("wl-paste", ["-n", "-t", "text/plain;charset=utf-8"]) }
        try client.wait(for: "16 requests, and 4 readers without an answer") {
            unanswered == 16 && readers.count { !$0.isRunning } == 4
        }
        client.close()
        try fixture.wait(for: "the others") { readers.allSatisfy { !$0.isRunning } }
        try expectHealth()
    }
}
