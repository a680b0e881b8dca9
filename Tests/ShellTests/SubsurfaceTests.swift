// Sub-surfaces: when their commits take effect, and what happens to them when an object is destroyed.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct SubsurfaceTests {
    private struct Scene {
        let fixture: ServerFixture
        let client: TestClient
        let window: TestWindow

        init() throws {
            fixture = try ServerFixture(screens: ["100x100"])
            client = try fixture.connect()
            window = client.window("w").frame(0, 0, 100, 100)
            try client.attach(0xff111111, width: 100, height: 100, to: window.surface)
            window.show()
            try fixture.pump()
        }

        func child(of parent: Proxy<WlSurface>, _ argb: UInt32, x: Int32 = 0, y: Int32 = 0, size: Int32 = 50) throws
            -> TestSubsurface
        {
            try TestSubsurface(client, of: parent, argb: argb, x: x, y: y, width: size, height: size)
        }

        func paint(_ argb: UInt32, _ child: TestSubsurface, size: Int32 = 50) throws {
            try client.attach(argb, width: size, height: size, to: child.surface)
            child.surface.send(.commit)
        }
    }

    @Test("C1: sub-surfaces that wait for a commit are still added when their parent gets its role again before it")
    func parentAgain() throws {
        let scene = try Scene()
        let outer = try scene.child(of: scene.window.surface, 0xffff0000)
        scene.window.commit()
        let inner = try scene.child(of: outer.surface, 0xff0000ff, size: 20)
        outer.surface.send(.commit)
        // Its commit waits for the window's, and is discarded.
        outer.subsurface.send(.destroy)
        let again = TestSubsurface(bare: scene.client, surface: outer.surface, parent: scene.window.surface)
        try scene.paint(0xffff0000, outer)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x0000ff)
        #expect(try scene.fixture.color(x: 30, y: 30) == 0xff0000)
        withExtendedLifetime((again, inner)) {}
    }

    @Test("C1: a place beside a surface that is no sibling any more is no place, and no error of the server")
    func formerSibling() throws {
        let scene = try Scene()
        var entries: [LogEntry] = []
        scene.fixture.server.onLogEntry = { if $0.level != .debug { entries.append($0) } }
        let a = try scene.child(of: scene.window.surface, 0xffff0000)
        let b = try scene.child(of: scene.window.surface, 0xff0000ff)
        scene.window.commit()
        try scene.fixture.pump()
        a.subsurface.send(.placeAbove(sibling: b.surface.id))
        b.subsurface.send(.destroy)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0xff0000)
        #expect(entries.isEmpty && scene.client.isOpen, "\(entries)")
    }

    @Test(
        "C4: a synchronised sub-surface waits for its parent, a desynchronised one does not; the outer one decides")
    func modes() throws {
        let scene = try Scene()
        let outer = try scene.child(of: scene.window.surface, 0xffff0000)
        let inner = try scene.child(of: outer.surface, 0xff0000ff, size: 20)
        outer.surface.send(.commit)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x111111)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x0000ff)
        #expect(try scene.fixture.color(x: 30, y: 30) == 0xff0000)
        inner.subsurface.send(.setDesync)
        try scene.paint(0xff00ff00, inner, size: 20)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x0000ff, "the outer one is synchronised")
        outer.subsurface.send(.setDesync)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x00ff00, "it no longer waits")
        try scene.paint(0xffffffff, inner, size: 20)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0xffffff)
        outer.subsurface.send(.setSync)
        try scene.paint(0xff888888, outer)
        #expect(try scene.fixture.color(x: 30, y: 30) == 0xff0000)
        outer.subsurface.send(.setDesync)
        #expect(try scene.fixture.color(x: 30, y: 30) == 0x888888, "cached state is applied when it no longer waits")
    }

    @Test("C4: a position takes effect with the parent's commit")
    func position() throws {
        let scene = try Scene()
        let child = try scene.child(of: scene.window.surface, 0xffff0000, size: 10)
        child.subsurface.send(.setDesync)
        scene.window.commit()
        child.subsurface.send(.setPosition(x: 40, y: 40))
        child.surface.send(.commit)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0xff0000)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x111111)
        #expect(try scene.fixture.color(x: 45, y: 45) == 0xff0000)
        child.subsurface.send(.setPosition(x: .max, y: .min))
        scene.window.commit()
        #expect(try scene.fixture.color(x: 45, y: 45) == 0x111111)
        #expect(scene.client.isOpen && scene.fixture.model.checkInvariants() == [])
    }

    @Test("C1: place above and below take siblings and the parent only; cycles and second parents are refused")
    func errors() throws {
        func mistake(_ body: (Scene, TestSubsurface) throws -> Void) throws -> UInt32? {
            let scene = try Scene()
            let child = try scene.child(of: scene.window.surface, 0xffff0000)
            try body(scene, child)
            try scene.fixture.pump()
            #expect(scene.fixture.model.surfaceCount == 0 && scene.fixture.model.checkInvariants() == [])
            return scene.client.protocolError?.code
        }
        let order = WlSubsurface.Error.badSurface.rawValue
        let role = WlSubcompositor.Error.badSurface.rawValue
        #expect(try mistake { $1.subsurface.send(.placeAbove(sibling: $1.surface.id)) } == order)
        #expect(try mistake { $1.subsurface.send(.placeBelow(sibling: $0.client.surface().id)) } == order)
        #expect(
            try mistake { scene, child in
                let nephew = try scene.child(of: child.surface, 0xff00ff00)
                child.subsurface.send(.placeAbove(sibling: nephew.surface.id))
            } == order)
        #expect(
            try mistake { _ = TestSubsurface(bare: $0.client, surface: $1.surface, parent: $0.window.surface) } == role)
        #expect(
            try mistake { scene, _ in
                let surface = scene.client.surface()
                _ = TestSubsurface(bare: scene.client, surface: surface, parent: surface)
            } == role)
        #expect(
            try mistake { scene, child in
                let inner = scene.client.surface()
                let first = scene.client.surface()
                _ = TestSubsurface(bare: scene.client, surface: inner, parent: first)
                _ = TestSubsurface(bare: scene.client, surface: first, parent: inner)
            } == role)
        for bottomUp in [true, false] {
            #expect(
                try mistake { scene, _ in
                    var last = scene.client.surface()
                    for _ in 0..<100 {
                        let next = scene.client.surface()
                        _ = TestSubsurface(
                            bare: scene.client, surface: bottomUp ? last : next, parent: bottomUp ? next : last)
                        last = next
                    }
                } == role, "too deep, built from either end")
        }
    }

    @Test("destroying a sub-surface hides it at once; its surface can get the role again, without its old position")
    func destroyed() throws {
        let scene = try Scene()
        let child = try scene.child(of: scene.window.surface, 0xffff0000, size: 10)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0xff0000)
        child.subsurface.send(.destroy)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x111111)
        let other = try scene.child(of: scene.window.surface, 0xff0000ff, x: 50, y: 50)
        // Created, destroyed before the parent commits, and created under another parent.
        let first = TestSubsurface(bare: scene.client, surface: child.surface, parent: scene.window.surface)
        first.subsurface.send(.setPosition(x: 20, y: 20))
        first.subsurface.send(.destroy)
        let second = TestSubsurface(bare: scene.client, surface: child.surface, parent: other.surface)
        second.subsurface.send(.setPosition(x: 5, y: 5))
        try scene.paint(0xff00ff00, second, size: 10)
        other.surface.send(.commit)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 25, y: 25) == 0x111111)
        #expect(try scene.fixture.color(x: 56, y: 56) == 0x00ff00)
        // State cached for the old parent is dropped; what is committed under the new one takes effect.
        try scene.paint(0xffffffff, second, size: 10)
        second.subsurface.send(.destroy)
        let third = TestSubsurface(bare: scene.client, surface: child.surface, parent: scene.window.surface)
        try scene.paint(0xff888888, third, size: 10)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x888888)
        #expect(scene.client.isOpen && scene.fixture.model.checkInvariants() == [])
    }

    @Test("a parent that is destroyed first hides its sub-surfaces, which can be destroyed in any order")
    func parentFirst() throws {
        let scene = try Scene()
        let outer = try scene.child(of: scene.window.surface, 0xffff0000)
        let inner = try scene.child(of: outer.surface, 0xff0000ff, size: 20)
        outer.surface.send(.commit)
        scene.window.commit()
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x0000ff)
        outer.surface.send(.destroy)
        #expect(try scene.fixture.color(x: 5, y: 5) == 0x111111)
        inner.subsurface.send(.placeAbove(sibling: inner.surface.id))
        inner.subsurface.send(.placeBelow(sibling: scene.window.surface.id))
        try scene.fixture.pump()
        #expect(scene.client.isOpen, "it does nothing more")

        let next = try Scene()
        let a = try next.child(of: next.window.surface, 0xffff0000)
        let b = try next.child(of: a.surface, 0xff0000ff)
        next.window.surface.send(.destroy)
        a.surface.send(.commit)
        b.subsurface.send(.setPosition(x: 3, y: 3))
        a.subsurface.send(.destroy)
        b.surface.send(.destroy)
        a.surface.send(.destroy)
        b.subsurface.send(.destroy)
        try next.fixture.pump()
        #expect(next.client.isOpen && next.fixture.model.surfaceCount == 0 && next.fixture.model.windows.isEmpty)
    }

    @Test("requests that wait for a commit are limited")
    func bounded() throws {
        var limits = Limits()
        limits.surfaces = 50
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        let parent = client.surface()
        let child = TestSubsurface(bare: client, surface: client.surface(), parent: parent)
        for number in 0..<100 as Range<Int32> { child.subsurface.send(.setPosition(x: number, y: 0)) }
        try fixture.pump()
        #expect(client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
    }
}
