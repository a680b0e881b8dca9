// xdg_surface.set_window_geometry with decorations that sub-surfaces draw around the content.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct WindowGeometryTests {
    @Test("decorations around the content are part of the window: its frame covers both, with the content inside")
    func decorations() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 100, height: 50, to: toplevel.surface)
        let title = try TestSubsurface(
            client, of: toplevel.surface, argb: 0xffff0000, x: 0, y: -20, width: 100, height: 20)
        toplevel.xdg.send(.setWindowGeometry(x: 0, y: -20, width: 100, height: 70))
        toplevel.surface.send(.commit)
        try fixture.pump()
        let window = try #require(fixture.model.windows.first)
        let frame = try #require(fixture.model.frame(of: window))
        #expect(frame.size == Size(width: 100, height: 70))
        let (x, y) = (Int(frame.minX), Int(frame.minY))
        #expect(try fixture.color(x: x + 50, y: y + 1) == 0xff0000)
        #expect(try fixture.color(x: x + 50, y: y + 21) == 0x00ff00)
        #expect(try fixture.color(x: x + 50, y: y + 71) == 0)
        title.subsurface.send(.destroy)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(fixture.model.frame(of: window)?.size == Size(width: 100, height: 50), "clipped to the surface")
    }
}
