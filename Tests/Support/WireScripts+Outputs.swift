// The session of the fuzz corpus that administers screens.

import MullionWayland

extension WireScripts {
    /// Tests every property of a head, and applies changes that other clients do not notice.
    static func outputManagement(_ client: TestClient, _ fixture: ServerFixture) throws {
        let manager = try TestOutputManager(client)
        try fixture.pump()
        let (a, b) = (try manager.head("A"), try manager.head("B"))
        let test = manager.configuration()
        test.enable(
            a, .setMode(mode: a.modes[0].proxy.id), .setPosition(x: -5, y: 9), .setTransform(transform: .flipped90),
            .setScale(scale: Fixed(rounding: 1.5)), .setAdaptiveSync(state: .disabled))
        test.disable(b)
        test.proxy.send(.test)
        try fixture.pump()
        test.proxy.send(.destroy)
        let failing = manager.configuration()
        failing.enable(a)
        failing.enable(b, .setCustomMode(width: 1, height: 1, refresh: 60_000))
        failing.proxy.send(.apply)
        try fixture.pump()
        let moving = manager.configuration()
        moving.enable(a)
        moving.enable(b, .setCustomMode(width: 64, height: 48, refresh: 0), .setPosition(x: 200, y: 0))
        moving.proxy.send(.apply)
        let outdated = manager.configuration(serial: 0)
        outdated.disable(b)
        outdated.proxy.send(.apply)
        try fixture.pump()
        b.release()
        failing.proxy.send(.destroy)
        manager.manager.send(.stop)
        try fixture.pump()
        moving.proxy.send(.destroy)
        a.release()
        try fixture.pump()
    }
}
