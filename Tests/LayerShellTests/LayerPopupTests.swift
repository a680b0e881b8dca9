// Pop-ups of layer surfaces (C3).

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LayerPopupTests {
    private func menu(
        _ client: TestClient, of panel: TestLayerSurface, x: Int32, y: Int32, seat: Proxy<WlSeat>? = nil
    ) -> TestPopup {
        let positioner = TestPopup.positioner(client, width: 60, height: 80, x: x, y: y)
        positioner.send(.setConstraintAdjustment(constraintAdjustment: .max))
        let popup = TestPopup(client, parent: nil, positioner: positioner)
        panel.layer.send(.getPopup(popup: popup.popup.id))
        if let seat { popup.popup.send(.grab(seat: seat.id, serial: 0)) }
        return popup
    }

    private func map(_ popup: TestPopup, _ client: TestClient, _ fixture: ServerFixture) throws {
        popup.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 60, height: 80, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
    }

    @Test("a pop-up is placed on the screen, follows its panel and is dismissed with it")
    func placed() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let bar = try TestLayerSurface(client).set(0, 30, at: [.bottom, .left, .right]).map(fixture)
        let popup = menu(client, of: bar, x: 790, y: 0)
        try map(popup, client, fixture)
        #expect(popup.place.map { "\($0)" } == "(x: 731, y: -79, width: 60, height: 80)", "flipped")
        #expect(try fixture.color(x: 735, y: 495) == 0x00ff00)
        bar.set(0, 30, at: .along).commit()
        try fixture.pump()
        #expect(try fixture.color(x: 735, y: 495) == 0)
        bar.surface.send(.attach(buffer: nil, x: 0, y: 0))
        bar.commit()
        try fixture.pump()
        #expect(popup.isDone && client.isOpen)
        popup.destroy()
        bar.destroy()
        try fixture.pump()
        #expect(client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("the menu of a panel that declines key may grab, and a press elsewhere closes it")
    func grab() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        let seat = try client.bind(WlSeat.self)
        _ = try TestToplevel.map(other, fixture)
        let bar = try TestLayerSurface(client).set(0, 30, at: [.bottom, .left, .right]).map(fixture)
        let popup = menu(client, of: bar, x: 700, y: 0, seat: seat)
        try map(popup, client, fixture)
        #expect(!popup.isDone)
        #expect(fixture.model.keyWindow == fixture.model.windows[0])
        let elsewhere = InputEvent.Place(screen: nil, point: Point(x: 40, y: 40))
        _ = try fixture.server.injector.inject([.tap(id: 7, elsewhere)])
        try fixture.pump()
        #expect(popup.isDone)
    }

    @Test("only a pop-up without a parent that is not committed yet gets one; a closed surface dismisses it")
    func mistakes() throws {
        for mistake in 0..<3 {
            let fixture = try ServerFixture(screens: ["800x600", "400x300,external"])
            let client = try fixture.connect()
            let bar = try TestLayerSurface(client).set(0, 30, at: .along).map(fixture)
            switch mistake {
            case 0:
                let toplevel = try TestToplevel.map(client, fixture)
                let popup = TestPopup(
                    client, parent: toplevel.xdg, positioner: TestPopup.positioner(client, width: 5, height: 5))
                bar.layer.send(.getPopup(popup: popup.popup.id))
            case 1:
                let popup = menu(client, of: bar, x: 0, y: 0)
                bar.layer.send(.getPopup(popup: popup.popup.id))
            default:
                try fixture.server.disconnect(fixture.mainScreen)
                let popup = menu(client, of: bar, x: 0, y: 0)
                popup.surface.send(.commit)
                try fixture.pump()
                #expect(bar.isClosed && popup.isDone && client.isOpen)
            }
            try fixture.pump()
            let code = mistake < 2 ? ZwlrLayerSurfaceV1.Error.invalidSurfaceState.rawValue : nil
            #expect(client.protocolError?.code == code)
        }
    }
}
