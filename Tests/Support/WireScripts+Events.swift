// The sessions of the fuzz corpus that receive input as UIKit's events.

import MullionWayland

extension WireScripts {
    /// Two listeners on two windows, one of which is destroyed during a grab of the pointer; tokens that outlive it.
    static func windowEvents(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (first, second) = (
            client.window("a").color(0xffff_0000).frame(0, 0, 40, 40),
            client.window("b").color(0xff00_ff00).frame(40, 0, 30, 40)
        )
        let listeners = [TestEvents(client, first, second), TestEvents(client, second, types: [.touches, .hover])]
        first.makeKeyAndVisible()
        second.show()
        for listener in listeners { listener.proxy.send(.beginReceivingRemoteControlEvents) }
        try fixture.use(.move(x: 10, y: 10))
        try fixture.use(.press)
        try fixture.press(30)
        try fixture.tap(x: 50, y: 5)
        let tokens = [first, second].map { window in
            let token = Proxy<MullionInteractionV1>(client.connection, version: 1)
            window.window.send(.disableInteraction(id: token.id))
            return token
        }
        try fixture.use(.move(x: 50, y: 10))
        tokens[0].send(.destroy)
        listeners[0].ask(second, [])
        listeners[1].ask(first, [.presses, .motion, .scroll, .transform])
        try fixture.pump()
        first.surface.send(.destroy)
        try fixture.use(.release)
        listeners[0].ask(first)
        listeners[0].proxy.send(.endReceivingRemoteControlEvents)
        listeners[0].proxy.send(.destroy)
        try fixture.pump()
        second.destroy()
        tokens[1].send(.destroy)
        first.window.send(.destroy)
        listeners[1].proxy.send(.endReceivingRemoteControlEvents)
        try fixture.pump()
    }

    /// Remote control does not belong to a window.
    static func badEventTypes(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w")
        let listener = TestEvents(client)
        listener.ask(window, MullionEventsV1.EventTypes(rawValue: 1 << 2))
    }
}
