// wl-copy and wl-paste as Debian ships them: scripts that copy and paste without a window.

import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct ClipboardProgramTests {
    private let fixture: ServerFixture
    private let owner: TestDataDevice

    init() throws {
        fixture = try ServerFixture()
        let client = try fixture.connect("owner")
        owner = try TestDataDevice(client)
        client.window("w").color(0xffff_0000).makeKeyAndVisible()
        try fixture.pump()
    }

    private func output(_ program: String, _ words: String...) throws -> String {
        let program = try fixture.spawn(program, words)
        try fixture.wait(for: "the end of \(words)") {
            if owner.requests.first != nil { _ = owner.provide("from a program") }
            return !program.isRunning
        }
        let text = program.readOutput()
        #expect(program.exitStatus == 0, "\(words): \(text)")
        return text
    }

    @Test("what wl-copy copies is pasted by a program and by wl-paste, and the key window stays the same")
    func copies() throws {
        let key = fixture.model.keyWindow
        let copier = try fixture.spawn("wl-copy", ["--foreground", "copied"])
        try fixture.wait(for: "the offer") {
            owner.selection.flatMap { owner.types[$0.id] }?.contains("text/plain;charset=utf-8") == true
        }
        let read = try owner.receive("text/plain;charset=utf-8", from: owner.selection)
        try fixture.wait(for: "the data") { TestPipe.read(read) == "copied" }
        #expect(try output("wl-paste", "--no-newline") == "copied")
        let primary = try TestPrimary(owner.client)
        let selector = try fixture.spawn("wl-copy", ["--primary", "--foreground", "selected"])
        try fixture.wait(for: "the primary selection") { primary.selection != nil }
        #expect(try output("wl-paste", "--primary", "--no-newline") == "selected")
        #expect(try output("wl-paste", "--no-newline") == "copied")
        #expect(fixture.model.keyWindow == key)
        _ = try output("wl-copy", "--clear")
        try fixture.wait(for: "the end of the cancelled wl-copy") { !copier.isRunning }
        #expect(owner.selection == nil && selector.isRunning)
    }

    @Test("clients settle while wl-copy and wl-paste --watch run, which bind xdg_wm_base and answer no ping")
    func settles() throws {
        let copier = try fixture.spawn("wl-copy", ["--foreground", "copied"])
        try fixture.wait(for: "the offer") { owner.selection != nil }
        let watcher = try fixture.spawn("wl-paste", ["--watch", "cat"])
        try fixture.wait(for: "what it pastes") { watcher.readOutput().contains("copied") }
        for _ in 1...3 { #expect(try fixture.settle(seconds: 5) == []) }
        #expect(copier.isRunning && watcher.isRunning)
    }

    @Test("wl-paste lists and reads what a program copied; wl-paste --watch reports every copy")
    func pastes() throws {
        let watcher = try fixture.spawn("wl-paste", ["--no-newline", "--watch", "sed", "s/$/;/"])
        func copy() throws {
            let source = owner.source(["text/plain", "image/png"], actions: nil)
            owner.device.send(.setSelection(source: source.id, serial: fixture.server.serial))
            try fixture.pump()
        }
        try copy()
        #expect(try output("wl-paste", "--list-types") == "text/plain\nimage/png\n")
        #expect(try output("wl-paste", "--no-newline") == "from a program")
        var seen = ""
        func wait(for count: Int) throws {
            try fixture.wait(for: "\(count) reports") {
                if owner.requests.first != nil { _ = owner.provide("from a program") }
                seen += watcher.readOutput()
                return seen.split(separator: "from a program;", omittingEmptySubsequences: false).count > count
            }
        }
        try wait(for: 1)
        try copy()
        try wait(for: 2)
        #expect(watcher.isRunning)
    }
}
