// Late clients: requests on a screen that has just been unplugged have no effect and are no error (S9).

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

/// A client's use of a screen, step by step.
private final class LateClient {
    let client: TestClient
    private let name: UInt32
    private let screen: TestScreen
    private let toplevel: TestToplevel
    private var output: Proxy<WlOutput>?
    private var logical: Proxy<ZxdgOutputV1>?
    private var window: TestWindow?

    init(_ fixture: ServerFixture) throws {
        client = try fixture.connect("late")
        screen = try #require(client.screens.last)
        name = screen.globalName
        toplevel = try TestToplevel.map(client, fixture)
    }

    /// Each may come before or after the screen is unplugged and plugged in again.
    var steps: [() throws -> Void] {
        [
            { [self] in output = try client.bind(WlOutput.self, name: name) },
            { [self] in
                guard let output else { return }
                let manager = try client.bind(ZxdgOutputManagerV1.self)
                let logical = Proxy<ZxdgOutputV1>(client.connection, version: manager.version)
                manager.send(.getXdgOutput(id: logical.id, output: output.id))
                manager.send(.destroy)
                self.logical = logical
            },
            { [self] in
                toplevel.toplevel.send(.setFullscreen(output: output?.id))
                toplevel.surface.send(.commit)
            },
            { [self] in window = client.window("w", on: screen).color(0xff00ff00) },
            { [self] in window?.show() },
            { [self] in
                screen.proxy.send(.setMode(width: 640, height: 480, refresh: 0))
                screen.proxy.send(.setScale(scale: Fixed(rounding: 2)))
                screen.proxy.send(.setOrientation(orientation: .landscapeLeft))
                screen.proxy.send(.setOverscan(compensation: .none))
                screen.proxy.send(.setBrightness(brightness: 0))
                screen.proxy.send(.setMirroring(mirroring: .off, name: nil))
            },
            { [self] in window?.window.send(.setScreen(screen: screen.proxy.id)) },
            { [self] in window?.commit() },
            { [self] in
                toplevel.toplevel.send(.unsetFullscreen)
                toplevel.surface.send(.commit)
            },
            { [self] in output?.send(.release) },
            { [self] in logical?.send(.destroy) },
            { [self] in screen.proxy.send(.destroy) },
            { [self] in window?.destroy() },
        ]
    }
}

@Suite struct HotplugRaceTests {
    private static let screens = ["800x600", "640x480,external,name=TV"]

    @Test("S9: a client survives unplug and replug of its screen at any of its steps", arguments: [true, false])
    func orders(readsAtOnce: Bool) throws {
        let count = 13
        for gone in 0...count {
            for back in gone...count {
                let fixture = try ServerFixture(screens: Self.screens)
                let late = try LateClient(fixture)
                let steps = late.steps
                #expect(steps.count == count)
                for index in 0...count {
                    if index == gone { try fixture.server.disconnect(fixture.model.screens[1]) }
                    if index == back { try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1])) }
                    guard index < count else { break }
                    try steps[index]()
                    if readsAtOnce { try fixture.pump() }
                }
                try fixture.pump()
                #expect(late.client.isOpen, "gone \(gone), back \(back): \(String(describing: late.client.error))")
                #expect(fixture.model.windows.count == 1)
                #expect(fixture.server.outputs.count == 2)
                #expect(fixture.model.checkInvariants() == [], "gone \(gone), back \(back)")
            }
        }
    }

    @Test("S9: surfaces receive leave before the screen's wl_output global is removed, and no event for it afterwards")
    func leaving() throws {
        let fixture = try ServerFixture(screens: Self.screens)
        let client = try fixture.connect()
        var received: [String] = []
        let output = try client.bind(WlOutput.self, name: client.screens[1].globalName)
        let before = client.registry.onEvent
        client.registry.onEvent = { event in
            if case .globalRemove = event { received.append("removed") }
            before?(event)
        }
        let window = client.window("w", on: client.screens[1])
        try client.attach(0xff00ff00, width: 10, height: 10, to: window.surface)
        window.surface.onEvent = { event in
            switch event {
            case .enter(let id): received.append("enter \(id == output.id)")
            case .leave(let id): received.append("leave \(id == output.id)")
            case .preferredBufferScale, .preferredBufferTransform: break
            }
        }
        window.show()
        try fixture.pump()
        #expect(received == ["enter true"])
        for _ in 0..<3 {
            try fixture.server.disconnect(fixture.model.screens[1])
            try fixture.pump()
            try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1]))
            try fixture.pump()
        }
        #expect(received == ["enter true", "leave true", "removed", "removed", "removed"])
        let late = try client.bind(WlOutput.self, name: client.screens.last?.globalName)
        try fixture.pump()
        #expect(received.last == "enter false", "it is another object")
        #expect(late.id != output.id && client.isOpen)
    }

    @Test("S9: requests on an unplugged screen are ignored: no other screen changes, and nothing is refused")
    func inertScreens() throws {
        let fixture = try ServerFixture(screens: Self.screens)
        fixture.server.screenControl = .everyone
        let client = try fixture.connect()
        let gone = client.screens[1]
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1]))
        try fixture.pump()
        let states = fixture.model.screens.map { fixture.model.screen($0) }
        _ = client.takeEvents()
        gone.proxy.send(.setScale(scale: Fixed(rounding: 2)))
        gone.proxy.send(.setOrientation(orientation: .landscapeLeft))
        gone.proxy.send(.setOverscan(compensation: .none))
        gone.proxy.send(.setBrightness(brightness: 0))
        gone.proxy.send(.setMirroring(mirroring: .screen, name: "TV"))
        gone.proxy.send(.setMode(width: 1, height: 1, refresh: 0))
        try fixture.pump()
        #expect(client.takeEvents() == [] && client.isOpen)
        #expect(fixture.model.screens.map { fixture.model.screen($0) } == states)
        gone.proxy.send(.setOrientation(orientation: MullionScreenV1.Orientation(rawValue: 9)))
        try fixture.pump()
        #expect(client.protocolError?.code == MullionScreenV1.Error.invalidValue.rawValue, "invalid values still fail")
    }

    @Test("S9: programs that cannot release a wl_output survive any number of screens, at no cost to the server")
    func neverReleased() throws {
        var limits = Limits()
        limits.bindings = 20
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        for _ in 0..<100 {
            let id = try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1]))
            try fixture.pump()
            let output = try client.bind(WlOutput.self, version: 2, name: client.screens.last?.globalName)
            let manager = try client.bind(ZxdgOutputManagerV1.self)
            let logical = Proxy<ZxdgOutputV1>(client.connection, version: manager.version)
            manager.send(.getXdgOutput(id: logical.id, output: output.id))
            manager.send(.destroy)
            try fixture.pump()
            try fixture.server.disconnect(id)
        }
        try fixture.pump()
        #expect(client.isOpen, "\(String(describing: client.error))")
        let known = try #require(fixture.server.clients.values.first)
        #expect(known.resources(of: OutputResource.self).count == 100, "inert, but not destroyed")
        #expect(known.outputs.isEmpty, "none of them receives events")
        #expect(known.screens.count == 1, "nor do the mullion_screen_v1 objects")
        for _ in 0..<20 { _ = try client.bind(WlOutput.self) }
        try fixture.pump()
        #expect(client.isOpen)
        _ = try client.bind(WlOutput.self)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("20 objects of one kind") == true)
    }

    @Test("S9: names of globals are never reused; an old one can be bound, one that never existed cannot")
    func names() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        var names: [UInt32] = []
        for _ in 0..<2000 {
            let id = try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1]))
            names.append(fixture.server.outputs[id]?.globalName ?? 0)
            try fixture.server.disconnect(id)
        }
        try fixture.pump()
        #expect(Set(names).count == 2000 && client.removedGlobals == names)
        for name in [names[0], names[999], names[1999]] {
            let output = try client.bind(WlOutput.self, name: name)
            output.send(.release)
        }
        try fixture.pump()
        #expect(client.isOpen)
        let wrong = try fixture.connect("wrong")
        _ = try wrong.bind(WlSeat.self, name: names[0])
        let never = try fixture.connect("never")
        _ = try never.bind(WlOutput.self, name: names[1999] + 1)
        try fixture.pump()
        #expect(wrong.protocolError?.message == "global \(names[0]) is a wl_output, not a wl_seat")
        #expect(never.protocolError?.message == "\(names[1999] + 1) is not a global")
    }

    @Test("S8: a maximized window keeps its size when its screen is unplugged, and returns unchanged")
    func maximized() throws {
        let fixture = try ServerFixture(screens: Self.screens)
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture)
        let window = try #require(fixture.model.windows.first)
        try fixture.model.move(window, to: fixture.model.screens[1])
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 640, height: 480, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        let before = Places(fixture.model)
        #expect(toplevel.size == (640, 480))
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        #expect(toplevel.size == (640, 480) && toplevel.has(.maximized))
        try fixture.server.plug(ScreenSpecification(parsing: Self.screens[1]))
        try fixture.pump()
        #expect(toplevel.size == (640, 480) && toplevel.has(.maximized))
        #expect(Places(fixture.model).differences(from: before) == [])
    }
}
