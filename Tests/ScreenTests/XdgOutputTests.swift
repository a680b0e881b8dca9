// wl_output and zxdg_output_v1: the events of a screen, in which order and how often.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

/// A wl_output with its zxdg_output_v1, and the events of both, in order.
private final class OutputReader {
    let output: Proxy<WlOutput>
    let logical: Proxy<ZxdgOutputV1>
    private var events: [String] = []
    private let fixture: ServerFixture

    init(
        _ client: TestClient, _ fixture: ServerFixture, name: UInt32? = nil, version: UInt32 = 3,
        outputVersion: UInt32 = 4
    ) throws {
        self.fixture = fixture
        output = try client.bind(WlOutput.self, version: outputVersion, name: name)
        let manager = try client.bind(ZxdgOutputManagerV1.self, version: version)
        logical = Proxy(client.connection, version: version)
        output.onEvent = { [unowned self] event in
            switch event {
            case .geometry(let x, let y, _, _, _, _, _, let transform):
                events.append("geometry \(x),\(y) \(transform.rawValue)")
            case .mode(_, let width, let height, _): events.append("mode \(width)x\(height)")
            case .scale(let factor): events.append("scale \(factor)")
            case .name(let name): events.append("name \(name)")
            case .description: events.append("description")
            case .done: events.append("done")
            }
        }
        logical.onEvent = { [unowned self] event in
            switch event {
            case .logicalPosition(let x, let y): events.append("at \(x),\(y)")
            case .logicalSize(let width, let height): events.append("size \(width)x\(height)")
            case .name(let name): events.append("logical name \(name)")
            case .description: events.append("logical description")
            case .done: events.append("logical done")
            }
        }
        manager.send(.getXdgOutput(id: logical.id, output: output.id))
        manager.send(.destroy)
    }

    func take() throws -> [String] {
        try fixture.pump()
        defer { events = [] }
        return events
    }
}

@Suite struct XdgOutputTests {
    @Test("S4: position and size are in points and follow scale and orientation")
    func values() throws {
        for (screen, size, transform) in [
            ("1280x800", "1280x800", 0), ("1280x800,scale=2", "640x400", 0), ("1280x800,scale=1.5", "853x533", 0),
            ("1280x800,scale=1.5,orientation=landscapeLeft", "533x853", 1),
            ("1280x800,scale=2,orientation=portraitUpsideDown", "640x400", 2),
            ("1280x800,orientation=landscapeRight", "800x1280", 3),
        ] {
            let fixture = try ServerFixture(screens: [screen])
            let reader = try OutputReader(try fixture.connect(), fixture)
            let events = try reader.take()
            #expect(events.first == "geometry 0,0 \(transform)", "\(screen)")
            #expect(events.contains("mode 1280x800"), "\(screen): pixels never rotate")
            #expect(events.contains("size \(size)"), "\(screen)")
        }
    }

    @Test("wl_output: first geometry, mode, scale, name, description, done; then one group for any change")
    func order() throws {
        let fixture = try ServerFixture(screens: [])
        let modes = [Screen.Mode(width: 1280, height: 960), Screen.Mode(width: 640, height: 480)]
        let id = try fixture.server.connect(ScreenDescription(name: "S", modes: modes))
        let reader = try OutputReader(try fixture.connect(), fixture)
        #expect(
            try reader.take() == [
                "geometry 0,0 0", "mode 1280x960", "scale 1", "name S", "description", "done",
                "at 0,0", "size 1280x960", "logical name S", "logical description", "done",
            ])
        // Whatever the order and number of the changes, the client receives one group.
        try fixture.model.setPosition(Point(x: 9.5, y: -20.2), of: id)
        try fixture.model.setScale(1.5, of: id)
        try fixture.model.setMode(modes[1], of: id)
        try fixture.model.setPosition(Point(x: 10.4, y: -20), of: id)
        #expect(
            try reader.take() == [
                "geometry 10,-20 0", "mode 640x480", "scale 2", "at 10,-20", "size 427x320", "done",
            ])
        try fixture.model.setScale(2, of: id)
        #expect(
            try reader.take() == [
                "geometry 10,-20 0", "mode 640x480", "scale 2", "at 10,-20", "size 320x240", "done",
            ])
        try fixture.model.setBrightness(0.5, of: id)
        try fixture.model.setPosition(Point(x: 10.1, y: -20), of: id)
        #expect(try reader.take() == [], "nothing that the protocol has events for")
        try fixture.model.setScale(3, of: id)
        try fixture.model.setScale(2, of: id)
        #expect(try reader.take() == [])
    }

    @Test("R1: a turn with a new mode, scale and flip is one group of events, the axes swapped in points only")
    func rotation() throws {
        let fixture = try ServerFixture(screens: ["1280x800"])
        let reader = try OutputReader(try fixture.connect(), fixture)
        _ = try reader.take()
        let screen = fixture.mainScreen
        try fixture.server.rotate(screen, to: .landscapeLeft)
        #expect(
            try reader.take() == ["geometry 0,0 1", "mode 1280x800", "scale 1", "at 0,0", "size 800x1280", "done"])
        var wanted = try #require(fixture.model.screen(screen)).properties
        wanted.orientation = .landscapeRight
        wanted.isFlipped = true
        wanted.scale = 1.6
        wanted.position = Point(x: 5, y: 6)
        try fixture.server.change(screen, to: wanted)
        #expect(
            try reader.take() == ["geometry 5,6 7", "mode 1280x800", "scale 2", "at 5,6", "size 500x800", "done"])
    }

    @Test("before version 3 zxdg_output_v1 has a done of its own, before version 2 no name")
    func versions() throws {
        for version in 1...2 as ClosedRange<UInt32> {
            for outputVersion in [1, 4] as [UInt32] {
                let fixture = try ServerFixture(screens: ["640x480,name=S"])
                let reader = try OutputReader(
                    try fixture.connect(), fixture, version: version, outputVersion: outputVersion)
                let names = version == 1 ? [] : ["logical name S", "logical description"]
                #expect(
                    try reader.take().suffix(3 + names.count) == ["at 0,0", "size 640x480"] + names + ["logical done"])
                try fixture.model.setScale(2, of: fixture.mainScreen)
                let rest = outputVersion == 1 ? [] : ["scale 2"]
                let done = outputVersion == 1 ? [] : ["done"]
                #expect(
                    try reader.take() == ["geometry 0,0 0", "mode 640x480"] + rest
                        + ["at 0,0", "size 320x240", "logical done"] + done)
            }
        }
    }

    @Test("S9: unplugged, released or bound too late it is inert, which is not an error")
    func inert() throws {
        let fixture = try ServerFixture(screens: ["640x480", "640x480,external,name=TV"])
        let client = try fixture.connect()
        let name = try #require(client.screens.last?.globalName)
        let before = try OutputReader(client, fixture, name: name)
        let released = try OutputReader(client, fixture)
        #expect(try before.take().contains("logical name TV"))
        _ = try released.take()
        released.output.send(.release)
        try fixture.server.disconnect(fixture.model.screens[1])
        let after = try OutputReader(client, fixture, name: name)
        #expect(try after.take() == [] && before.take() == [])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,scale=2,name=TV"))
        try fixture.model.setScale(2, of: fixture.mainScreen)
        #expect(try after.take() == [] && before.take() == [] && released.take() == [])
        for reader in [before, after, released] { reader.logical.send(.destroy) }
        before.output.send(.release)
        try fixture.model.setScale(1, of: fixture.mainScreen)
        try fixture.pump()
        #expect(client.isOpen)
    }

    @Test("S9: inert objects, which a client cannot release before version 3, do not count against its limit")
    func inertForEver() throws {
        var limits = Limits()
        limits.bindings = 8
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        let manager = try client.bind(ZxdgOutputManagerV1.self)
        for _ in 0..<100 {
            let id = try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV"))
            try fixture.pump()
            let name = try #require(client.globals.last).name
            let early = try client.bind(WlOutput.self, version: 2, name: name)
            manager.send(.getXdgOutput(id: Proxy<ZxdgOutputV1>(client.connection, version: 3).id, output: early.id))
            try fixture.pump()
            try fixture.server.disconnect(id)
            // The client has not read the withdrawal yet.
            let late = try client.bind(WlOutput.self, version: 2, name: name)
            manager.send(.getXdgOutput(id: Proxy<ZxdgOutputV1>(client.connection, version: 3).id, output: late.id))
            try fixture.pump()
        }
        #expect(client.protocolError == nil && client.isOpen)
        for _ in 0..<9 { _ = try client.bind(WlOutput.self) }
        try fixture.pump()
        #expect(client.protocolError?.message.contains("limit reached: 8") == true, "live objects count")
    }
}
