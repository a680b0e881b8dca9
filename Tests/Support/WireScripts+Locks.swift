// Sessions with locks, gamma tables and the power of screens.

import MullionWayland

extension WireScripts {
    /// A lock whose surface is replaced, another that is refused, and a second one.
    static func lock(_ client: TestClient, _ fixture: ServerFixture) throws {
        let output = try client.bind(WlOutput.self)
        let lock = try TestLock(client)
        let refused = try TestLock(client)
        let surface = try lock.surface(on: output).map(fixture)
        try surface.draw(0xffff00ff)
        _ = refused.surface(on: output)
        refused.lock.send(.destroy)
        surface.object.send(.destroy)
        surface.surface.send(.destroy)
        try lock.surface(on: output).map(fixture)
        try fixture.pump()
        lock.unlock()
        try fixture.pump()
        let again = try TestLock(client)
        _ = again.surface(on: output)
        try fixture.pump()
        again.unlock()
        try fixture.pump()
    }

    static func badLock(_ client: TestClient, _ fixture: ServerFixture) throws {
        let lock = try TestLock(client)
        let surface = try lock.surface(on: try client.bind(WlOutput.self)).map(fixture)
        surface.object.send(.ackConfigure(serial: .max))
        lock.lock.send(.destroy)
        try fixture.pump()
    }

    static func inputInhibitor(_ client: TestClient, _ fixture: ServerFixture) throws {
        let manager = try client.bind(ZwlrInputInhibitManagerV1.self)
        for _ in 0..<2 {
            let inhibitor = Proxy<ZwlrInputInhibitorV1>(client.connection, version: 1)
            manager.send(.getInhibitor(id: inhibitor.id))
            try fixture.tap(x: 4, y: 4)
            inhibitor.send(.destroy)
        }
        try fixture.pump()
    }

    static func gamma(_ client: TestClient, _ fixture: ServerFixture) throws {
        let output = try client.bind(WlOutput.self)
        let manager = try client.bind(ZwlrGammaControlManagerV1.self)
        let controls = (0..<2).map { _ in
            let control = Proxy<ZwlrGammaControlV1>(client.connection, version: 1)
            manager.send(.getGammaControl(id: control.id, output: output.id))
            return control
        }
        // Without tables: a session that is replayed has other files.
        try fixture.pump()
        manager.send(.destroy)
        for control in controls { control.send(.destroy) }
        try fixture.pump()
    }

    static func badGamma(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (manager, output) = (try client.bind(ZwlrGammaControlManagerV1.self), try client.bind(WlOutput.self))
        let control = Proxy<ZwlrGammaControlV1>(client.connection, version: 1)
        manager.send(.getGammaControl(id: control.id, output: output.id))
        control.send(.setGamma(fd: try client.memoryFile(words: 383, filledWith: 1)))
        try fixture.pump()
    }

    static func outputPower(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (manager, output) = (try client.bind(ZwlrOutputPowerManagerV1.self), try client.bind(WlOutput.self))
        let power = Proxy<ZwlrOutputPowerV1>(client.connection, version: 1)
        manager.send(.getOutputPower(id: power.id, output: output.id))
        power.send(.setMode(mode: .off))
        try fixture.pump()
        power.send(.setMode(mode: .on))
        manager.send(.destroy)
        power.send(.destroy)
        try fixture.pump()
    }

    static func badOutputPower(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (manager, output) = (try client.bind(ZwlrOutputPowerManagerV1.self), try client.bind(WlOutput.self))
        let power = Proxy<ZwlrOutputPowerV1>(client.connection, version: 1)
        manager.send(.getOutputPower(id: power.id, output: output.id))
        power.send(.setMode(mode: .init(rawValue: 7)))
        try fixture.pump()
    }
}
