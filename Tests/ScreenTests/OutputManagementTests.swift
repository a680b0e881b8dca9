// wlr-output-management: what is sent, what can be changed, and by whom.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

/// Two screens, an application on them, and a manager that knows them.
struct OutputFixture {
    let fixture: ServerFixture
    let client: TestClient
    let manager: TestOutputManager

    static let modes = [
        Screen.Mode(width: 800, height: 600), Screen.Mode(width: 640, height: 480),
        Screen.Mode(width: 640, height: 480, refresh: 59_940),
    ]

    init(version: UInt32 = 4) throws {
        fixture = try ServerFixture(screens: [])
        try fixture.server.connect(
            ScreenDescription(
                name: "PANEL", kind: .builtIn, vendor: "Example", model: "Panel", modes: Self.modes,
                preferredMode: Self.modes[1], currentMode: Self.modes[0]))
        try fixture.server.connect(
            ScreenDescription(
                name: "TV", vendor: "Example", model: "Television", serial: "0042", modes: Self.modes, scale: 1.3333,
                position: Point(x: 800.4, y: 0), physicalSize: Size(width: 1020, height: 570)))
        client = try fixture.connect()
        manager = try TestOutputManager(client, version: version)
        try fixture.pump()
    }

    func screen(_ name: String) throws -> Screen { try #require(fixture.model.screen(named: name)) }
}

@Suite struct OutputManagementTests {
    @Test("S1: a manager receives every property of every screen once, followed by done")
    func description() throws {
        let setup = try OutputFixture()
        #expect(
            setup.manager.takeLines() == [
                "PANEL description Example Panel (PANEL)", "PANEL make Example", "PANEL model Panel",
                "PANEL adaptive 0", "PANEL enabled 1", "PANEL mode 800x600@60000", "PANEL position 0,0",
                "PANEL transform 0", "PANEL scale 1.0", "TV description Example Television 0042 (TV)",
                "TV size 1020x570",
                "TV make Example", "TV model Television", "TV serial 0042", "TV adaptive 0", "TV enabled 1",
                "TV mode 800x600@60000!", "TV position 800,0", "TV transform 0", "TV scale 1.33203125", "done",
            ])
        #expect(
            try setup.manager.head("PANEL").modes.map(\.text) == ["800x600@60000", "640x480@60000!", "640x480@59940"])
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == [])
    }

    @Test(
        "S9: before version 3 the ids of heads and modes that are gone are never used again, or by the next server",
        arguments: [1, 2] as [UInt32])
    func retiredIDs(version: UInt32) throws {
        let setup = try OutputFixture(version: version)
        setup.fixture.server.isHandOverPossible = true
        let television = try setup.screen("TV")
        func ids() throws -> Set<ObjectID> {
            let head = try setup.manager.head("TV")
            return Set([head.proxy.id] + head.modes.map(\.proxy.id))
        }
        var used = try ids()
        for isNext in [false, true] {
            if isNext { try setup.fixture.handOver() }
            try setup.fixture.server.disconnect(#require(setup.fixture.model.screen(named: "TV")).id)
            try setup.fixture.server.connect(television.properties)
            try setup.fixture.pump()
            let new = try ids()
            #expect(new.count == 4 && used.isDisjoint(with: new))
            used.formUnion(new)
        }
        #expect(setup.client.isOpen)
    }

    @Test("S6: each change is sent at once, and nothing else")
    func changes() throws {
        let setup = try OutputFixture()
        let (model, server) = (setup.fixture.model, setup.fixture.server)
        let tv = try setup.screen("TV").id
        func lines(_ body: () throws -> Void) throws -> [String] {
            _ = setup.manager.takeLines()
            let serial = setup.manager.serial
            try body()
            try setup.fixture.pump()
            let lines = setup.manager.takeLines()
            #expect((setup.manager.serial != serial) == !lines.isEmpty)
            return lines
        }
        #expect(try lines { try model.setMode(OutputFixture.modes[2], of: tv) } == ["TV mode 640x480@59940", "done"])
        #expect(try lines { try model.setBrightness(0.5, of: tv) } == [])
        #expect(try lines { try model.setPosition(Point(x: 800.3, y: 0), of: tv) } == [], "equal after rounding")
        #expect(try lines { try server.rotate(tv, to: .landscapeLeft) } == ["TV transform 1", "done"])
        let several = try lines {
            try model.setScale(2, of: tv)
            try model.setPosition(Point(x: -5.6, y: 7), of: tv)
            try model.setFlipped(true, of: tv)
        }
        #expect(
            several == ["PANEL position 234,0", "TV position -6,7", "TV transform 5", "TV scale 2.0", "done"],
            "the other screen makes room")
        let plugged = try lines { try server.plug(ScreenSpecification(parsing: "320x200,name=NEW")) }
        #expect(plugged.contains("NEW mode 320x200@60000!") && plugged.last == "done")
        #expect(try lines { try server.disconnect(tv) } == ["TV finished", "done"])
    }

    @Test("S3, S6, R1: one configuration changes several screens; applications are notified as of any other change")
    func apply() throws {
        let setup = try OutputFixture()
        let (panel, tv) = (try setup.manager.head("PANEL"), try setup.manager.head("TV"))
        _ = setup.manager.takeLines()
        _ = setup.client.takeEvents()
        let configuration = setup.manager.configuration()
        configuration.enable(panel, .setPosition(x: 640, y: 0), .setAdaptiveSync(state: .disabled))
        configuration.enable(
            tv, .setMode(mode: tv.modes[1].proxy.id), .setPosition(x: 0, y: 10), .setTransform(transform: .flipped270),
            .setScale(scale: Fixed(rounding: 1.5)))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(
            setup.manager.takeLines() == [
                "succeeded", "PANEL position 640,0", "TV mode 640x480@60000", "TV position 0,10", "TV transform 7",
                "TV scale 1.5", "done",
            ])
        let screen = try setup.screen("TV")
        #expect(screen.currentMode == OutputFixture.modes[1] && screen.scale == 1.5)
        #expect(screen.orientation == .landscapeRight && screen.properties.isFlipped)
        #expect(screen.position == Point(x: 0, y: 10))
        #expect(try setup.screen("PANEL").position == Point(x: 640, y: 0))
        let received = setup.client.takeEvents()
        #expect(received.first == "willChange 0 3 300 reads 0", "R1: sent while the old orientation is still current")
        #expect(received.contains("modeDidChange 640x480"))
        try setup.fixture.wait(for: "the end of the turn") {
            setup.client.events.contains("didChange 0 3 reads 3")
        }
        #expect(setup.manager.takeLines() == [])
    }

    @Test("S6: a position counts as set if it is sent with one that is new, since together they are a layout")
    func layout() throws {
        let setup = try OutputFixture()
        for (x, isSet) in [(Int32(800), false), (12, true)] {
            let configuration = setup.manager.configuration()
            configuration.enable(try setup.manager.head("PANEL"), .setPosition(x: 0, y: 0))
            configuration.enable(try setup.manager.head("TV"), .setPosition(x: x, y: 0))
            configuration.proxy.send(.apply)
            try setup.fixture.pump()
            #expect(try setup.screen("PANEL").properties.isPositioned == isSet)
            #expect(try setup.screen("TV").properties.isPositioned == isSet)
        }
        #expect(try setup.screen("PANEL").position == .zero)
        #expect(try setup.screen("TV").position == Point(x: 12, y: 0))
    }

    @Test("R1: every transform is an orientation, flipped or not", arguments: 0...7 as ClosedRange<UInt32>)
    func transforms(value: UInt32) throws {
        let setup = try OutputFixture()
        _ = setup.manager.takeLines()
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("PANEL"))
        configuration.enable(
            try setup.manager.head("TV"), .setTransform(transform: WlOutput.Transform(rawValue: value)))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["succeeded"] + (value == 0 ? [] : ["TV transform \(value)", "done"]))
        let screen = try setup.screen("TV")
        let turns: [Screen.Orientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
        #expect(screen.orientation == turns[Int(value % 4)] && screen.properties.isFlipped == (value >= 4))
    }

    @Test("S1: applying the values that were sent changes nothing, not even what the wire rounds")
    func rounding() throws {
        let setup = try OutputFixture()
        let before = try setup.screen("TV")
        _ = setup.manager.takeLines()
        let tv = try setup.manager.head("TV")
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("PANEL"))
        configuration.enable(
            tv, .setMode(mode: tv.modes[0].proxy.id), .setPosition(x: 800, y: 0), .setTransform(transform: .normal),
            .setScale(scale: Fixed(rounding: before.scale)))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["succeeded"])
        #expect(try setup.screen("TV") == before)
        #expect(setup.client.takeEvents() == [])
    }

    @Test("S3: a custom mode is one of the screen's modes, at any rate or within a hundredth of a hertz")
    func customModes() throws {
        let setup = try OutputFixture()
        let modes: [(Int32, Int32, Int32, Screen.Mode)] = [
            (640, 480, 0, OutputFixture.modes[1]), (640, 480, 59_939, OutputFixture.modes[2]),
            (640, 480, 0, OutputFixture.modes[2]), (800, 600, 60_000, OutputFixture.modes[0]),
        ]
        for (width, height, refresh, mode) in modes {
            let configuration = setup.manager.configuration()
            configuration.enable(
                try setup.manager.head("TV"), .setCustomMode(width: width, height: height, refresh: refresh))
            configuration.enable(try setup.manager.head("PANEL"))
            configuration.proxy.send(.apply)
            try setup.fixture.pump()
            #expect(configuration.answer == "succeeded")
            #expect(try setup.screen("TV").currentMode == mode)
        }
    }
}
