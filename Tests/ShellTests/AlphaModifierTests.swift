// wp_alpha_modifier_v1: surfaces that are translucent as a whole.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct AlphaModifierTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let manager: Proxy<WpAlphaModifierV1>

    init() throws {
        fixture = try ServerFixture.handingOver(screens: ["80x60"])
        client = try fixture.connect()
        manager = try client.bind(WpAlphaModifierV1.self)
    }

    private func modifier(_ surface: Proxy<WlSurface>) -> Proxy<WpAlphaModifierSurfaceV1> {
        let object = Proxy<WpAlphaModifierSurfaceV1>(client.connection, version: 1)
        manager.send(.getSurface(id: object.id, surface: surface.id))
        return object
    }

    /// A blue window in front of a red one, both as large as the screen.
    private func windows() throws -> TestWindow {
        client.window("below").color(0xffff_0000).frame(0, 0, 80, 60).show()
        let window = client.window("above").frame(0, 0, 80, 60)
        try client.attach(0xff00_00ff, width: 80, height: 60, to: window.surface)
        let region = client.region([(0, 0, 80, 60)])
        window.surface.send(.setOpaqueRegion(region: region.id))
        window.show()
        try fixture.pump()
        return window
    }

    /// The colour in the middle, and that every pixel has it.
    private func color() throws -> UInt32 {
        let picture = try fixture.screenshot()
        let colors = Set(picture.pixels.map { $0 & 0xff_ffff })
        #expect(colors.count == 1)
        return colors.first ?? 0
    }

    @Test("C4: from the commit on, the factor multiplies the surface's alpha, whatever is declared opaque")
    func factor() throws {
        let window = try windows()
        let modifier = modifier(window.surface)
        modifier.send(.setMultiplier(factor: 0x8000_0000))
        #expect(try color() == 0xff, "not before the commit")
        window.commit()
        #expect(try color() == 0x7f_0080)
        for (factor, seen) in [(0x3333_3333, 0xcc_0033), (0, 0xff_0000), (UInt32.max, 0xff)] as [(UInt32, UInt32)] {
            modifier.send(.setMultiplier(factor: factor))
            window.commit()
            #expect(try color() == seen, "\(factor)")
        }
        modifier.send(.setMultiplier(factor: 0x8000_0000))
        window.commit()
        // W1: the window's own alpha fades the result.
        window.window.send(.setAlpha(alpha: 0x8000_0000))
        window.commit()
        #expect(try color() == 0xbf_0040)
        window.window.send(.setAlpha(alpha: .max))
        window.commit()
        modifier.send(.destroy)
        #expect(try color() == 0x7f_0080, "the end of the object waits for a commit too")
        window.commit()
        #expect(try color() == 0xff)
    }

    @Test("C4: the factor of a synchronised sub-surface takes effect with the parent's commit")
    func subsurface() throws {
        let window = try windows()
        let child = try TestSubsurface(
            client, of: window.surface, argb: 0xff00_ff00, x: 0, y: 0, width: 80, height: 60)
        window.commit()
        #expect(try color() == 0xff00)
        modifier(child.surface).send(.setMultiplier(factor: 0x8000_0000))
        child.surface.send(.commit)
        #expect(try color() == 0xff00)
        window.commit()
        #expect(try color() == 0x00_807f)
    }

    @Test("input is not affected, not even by 0")
    func input() throws {
        let window = try windows()
        modifier(window.surface).send(.setMultiplier(factor: 0))
        window.commit()
        try fixture.pump()
        let routing = try fixture.tap(x: 40, y: 30)
        #expect(routing.hit?.window == fixture.model.windows.last)
    }

    @Test("a surface has one modifier at a time, which is inert without it; anything else is an error")
    func errors() throws {
        let surface = client.surface()
        modifier(surface).send(.destroy)
        let second = modifier(surface)
        surface.send(.destroy)
        second.send(.destroy)
        let orphan = modifier(client.surface())
        try fixture.pump()
        #expect(client.isOpen)
        let lost = client.surface()
        let late = modifier(lost)
        lost.send(.destroy)
        late.send(.setMultiplier(factor: 1))
        try fixture.pump()
        #expect(client.protocolError?.code == WpAlphaModifierSurfaceV1.Error.noSurface.rawValue)
        _ = orphan
        let other = try AlphaModifierTests()
        let twice = other.client.surface()
        _ = (other.modifier(twice), other.modifier(twice))
        try other.fixture.pump()
        #expect(other.client.protocolError?.code == WpAlphaModifierV1.Error.alreadyConstructed.rawValue)
    }

    @Test("over a restart the factor and a pending one remain")
    func handOver() throws {
        let window = try windows()
        let modifier = modifier(window.surface)
        modifier.send(.setMultiplier(factor: 0x8000_0000))
        window.commit()
        modifier.send(.setMultiplier(factor: 0x3333_3333))
        try fixture.pump()
        try fixture.handOver()
        #expect(try color() == 0x7f_0080)
        window.commit()
        #expect(try color() == 0xcc_0033)
        modifier.send(.destroy)
        window.commit()
        #expect(try color() == 0xff)
    }
}
