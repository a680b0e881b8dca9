// xdg-foreign: windows with parents of other programs.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct XDGForeignTests {
    /// A toplevel that one program exports.
    private final class Export {
        let proxy: Proxy<ZxdgExportedV2>
        var handle = ""

        init(_ client: TestClient, _ surface: Proxy<WlSurface>) throws {
            let exporter = try client.bind(ZxdgExporterV2.self)
            proxy = Proxy(client.connection, version: 1)
            exporter.send(.exportToplevel(id: proxy.id, surface: surface.id))
            proxy.onEvent = { [weak self] in if case .handle(let handle) = $0 { self?.handle = handle } }
        }
    }

    /// The same toplevel, imported by another program.
    private final class Import {
        let proxy: Proxy<ZxdgImportedV2>
        var ends = 0

        init(_ client: TestClient, _ handle: String) throws {
            let importer = try client.bind(ZxdgImporterV2.self)
            proxy = Proxy(client.connection, version: 1)
            importer.send(.importToplevel(id: proxy.id, handle: handle))
            proxy.onEvent = { [weak self] in if case .destroyed = $0 { self?.ends += 1 } }
        }
    }

    private let fixture: ServerFixture
    private let one: TestClient
    private let two: TestClient
    private let main: TestToplevel
    private let dialog: TestToplevel

    init() throws {
        fixture = try ServerFixture.handingOver()
        one = try fixture.connect("one")
        two = try fixture.connect("two")
        main = try TestToplevel.map(one, fixture, "main")
        dialog = try TestToplevel.map(two, fixture, "dialog")
    }

    private func window(_ title: String) throws -> Window {
        try #require(fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title })
    }

    private func export() throws -> Export {
        let export = try Export(one, main.surface)
        try fixture.pump()
        return export
    }

    /// Makes the first program's window the parent of the second's.
    private func connect(_ export: Export) throws -> Import {
        let imported = try Import(two, export.handle)
        imported.proxy.send(.setParentOf(surface: dialog.surface.id))
        try fixture.pump()
        return imported
    }

    @Test("W3: a window in front of another program's, also when that comes to the front")
    func parent() throws {
        let export = try export()
        #expect(export.handle.utf8.count > 16)
        let imported = try connect(export)
        #expect(try window("dialog").parent == window("main").id && imported.ends == 0)
        let other = try TestToplevel.map(one, fixture, "other")
        try fixture.model.bringToFront(window("main").id)
        try fixture.pump()
        let titles = fixture.model.windows(on: fixture.mainScreen).compactMap { fixture.model.window($0)?.title }
        #expect(titles == ["other", "main", "dialog"])
        _ = other
        // A window that is not mapped yet opens over its parent.
        let late = two.toplevel("late")
        imported.proxy.send(.setParentOf(surface: late.surface.id))
        late.surface.send(.commit)
        try fixture.pump()
        try two.attach(0xff00_00ff, width: 100, height: 50, to: late.surface)
        late.surface.send(.commit)
        try fixture.pump()
        #expect(try window("late").frame.center == window("main").frame.center)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K2: a window with a parent of another program takes key if that has it", arguments: [true, false])
    func key(parentIsKey: Bool) throws {
        let imported = try connect(export())
        try fixture.model.makeKey(window(parentIsKey ? "main" : "dialog").id)
        try fixture.model.leaveFamily(window("dialog").id)
        let client = try fixture.connect("three")
        let late = client.toplevel("late")
        let third = try Import(client, export().handle)
        third.proxy.send(.setParentOf(surface: late.surface.id))
        late.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_00ff, width: 100, height: 50, to: late.surface)
        late.surface.send(.commit)
        try fixture.pump()
        #expect(try window("late").parent == window("main").id && window("late").isKey == parentIsKey)
        _ = imported
    }

    @Test("the relation ends with the exported object, its toplevel, its program, or the imported object")
    func ends() throws {
        let first = try export()
        let gone = try connect(first)
        first.proxy.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == nil && gone.ends == 1)
        // It is of no use any more, and neither is its handle.
        gone.proxy.send(.setParentOf(surface: dialog.surface.id))
        try fixture.pump()
        #expect(try window("dialog").parent == nil && two.isOpen)
        #expect(try connect(first).ends == 1)

        let second = try export()
        #expect(second.handle != first.handle)
        let imported = try connect(second)
        imported.proxy.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == nil && imported.ends == 0)

        let third = try connect(second)
        // Its own program has given it another parent: that one remains.
        let other = try TestToplevel.map(two, fixture, "other")
        dialog.toplevel.send(.setParent(parent: other.toplevel.id))
        try fixture.pump()
        third.proxy.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == window("other").id)

        let fourth = try connect(second)
        #expect(try window("dialog").parent == window("main").id)
        main.toplevel.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == nil && fourth.ends == 1)
        second.proxy.send(.destroy)
        try fixture.pump()
        #expect(one.isOpen && two.isOpen)

        let again = try TestToplevel.map(one, fixture, "again")
        let last = try Export(one, again.surface)
        try fixture.pump()
        let fifth = try connect(last)
        #expect(try window("dialog").parent == window("again").id)
        try one.kill()
        #expect(try window("dialog").parent == nil && fifth.ends == 1 && two.isOpen)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("a toplevel is exported and imported any number of times; its parents are no circle (W3)")
    func many() throws {
        let (a, b) = (try export(), try export())
        #expect(a.handle != b.handle)
        let (x, y) = (try connect(a), try connect(b))
        a.proxy.send(.destroy)
        try fixture.pump()
        #expect(try x.ends == 1 && y.ends == 0 && window("dialog").parent == window("main").id)
        let own = try Import(one, b.handle)
        own.proxy.send(.setParentOf(surface: main.surface.id))
        try fixture.pump()
        #expect(one.protocolError?.code == XdgToplevel.Error.invalidParent.rawValue)
    }

    @Test("surfaces that are no toplevels are errors")
    func errors() throws {
        _ = try Export(one, one.surface())
        try fixture.pump()
        #expect(one.protocolError?.code == ZxdgExporterV2.Error.invalidSurface.rawValue)
        let imported = try Import(two, "nobody's")
        try fixture.pump()
        #expect(imported.ends == 1)
        imported.proxy.send(.setParentOf(surface: two.surface().id))
        try fixture.pump()
        #expect(two.protocolError?.code == ZxdgImportedV2.Error.invalidSurface.rawValue)
    }

    @Test("version 1 of the protocol does the same, also together with version 2")
    func version1() throws {
        let exporter = try one.bind(ZxdgExporterV1.self)
        let exported = Proxy<ZxdgExportedV1>(one.connection, version: 1)
        var handle = ""
        exported.onEvent = { if case .handle(let text) = $0 { handle = text } }
        exporter.send(.export(id: exported.id, surface: main.surface.id))
        try fixture.pump()
        let importer = try two.bind(ZxdgImporterV1.self)
        let imported = Proxy<ZxdgImportedV1>(two.connection, version: 1)
        var ends = 0
        imported.onEvent = { if case .destroyed = $0 { ends += 1 } }
        importer.send(.import(id: imported.id, handle: handle))
        imported.send(.setParentOf(surface: dialog.surface.id))
        let other = try Import(two, handle)
        try fixture.pump()
        #expect(try window("dialog").parent == window("main").id)
        try fixture.handOver()
        exported.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == nil && ends == 1 && other.ends == 1)
    }

    @Test("over a restart the handles and the relations remain")
    func handOver() throws {
        let export = try export()
        let imported = try connect(export)
        try fixture.handOver()
        #expect(try window("dialog").parent == window("main").id && imported.ends == 0)
        let second = try connect(export)
        imported.proxy.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == window("main").id, "the later one set it again")
        export.proxy.send(.destroy)
        try fixture.pump()
        #expect(try window("dialog").parent == nil && second.ends == 1)
    }
}
