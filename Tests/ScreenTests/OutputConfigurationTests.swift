// wlr-output-management: refusals, outdated configurations, unplugged heads, and clients without the right.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct OutputConfigurationTests {
    @Test("S1, S3: a configuration that one screen cannot have fails as a whole", arguments: 0..<5)
    func failed(index: Int) throws {
        let request: ZwlrOutputConfigurationHeadV1.Request =
            [
                .setCustomMode(width: 1024, height: 768, refresh: 0),
                .setCustomMode(width: 640, height: 480, refresh: 75_000), .setPosition(x: .max, y: 0),
                .setScale(scale: Fixed(rounding: 65)), .setAdaptiveSync(state: .enabled),
            ][index]
        for final in [ZwlrOutputConfigurationV1.Request.apply, .test] {
            let setup = try OutputFixture()
            let before = try [setup.screen("PANEL"), setup.screen("TV")]
            _ = setup.manager.takeLines()
            let configuration = setup.manager.configuration()
            configuration.enable(try setup.manager.head("PANEL"), .setPosition(x: 99, y: 99))
            configuration.enable(try setup.manager.head("TV"), request)
            configuration.proxy.send(final)
            try setup.fixture.pump()
            #expect(setup.manager.takeLines() == ["failed"])
            #expect(try [setup.screen("PANEL"), setup.screen("TV")] == before)
            #expect(setup.client.isOpen && setup.client.takeEvents() == [])
        }
    }

    @Test("S1: a test reports whether a configuration can be applied, and changes nothing")
    func test() throws {
        let setup = try OutputFixture()
        let before = try [setup.screen("PANEL"), setup.screen("TV")]
        _ = setup.manager.takeLines()
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("PANEL"), .setTransform(transform: ._90))
        configuration.disable(try setup.manager.head("TV"))
        configuration.proxy.send(.test)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["succeeded"])
        #expect(try [setup.screen("PANEL"), setup.screen("TV")] == before)
    }

    @Test("S9: a configuration older than a screen's last change is cancelled, even if it names unplugged heads")
    func cancelled() throws {
        let setup = try OutputFixture()
        let (panel, tv) = (try setup.manager.head("PANEL"), try setup.manager.head("TV"))
        let old = setup.manager.configuration()
        old.enable(panel, .setPosition(x: 5, y: 5))
        try setup.fixture.pump()
        try setup.fixture.server.disconnect(setup.screen("TV").id)
        // The client has not read the change yet: its head, mode and serial are outdated.
        old.enable(tv, .setMode(mode: tv.modes[0].proxy.id))
        old.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(old.answer == "cancelled")
        #expect(try setup.screen("PANEL").position == .zero)
        tv.release()
        let new = setup.manager.configuration()
        new.enable(panel, .setPosition(x: 5, y: 5))
        new.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(new.answer == "succeeded")
        #expect(try setup.screen("PANEL").position == Point(x: 5, y: 5))
    }

    @Test("S6: a screen plugged in the same turn of the loop cancels a configuration without it")
    func sameTurn() throws {
        let setup = try OutputFixture()
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("PANEL"))
        configuration.disable(try setup.manager.head("TV"))
        configuration.proxy.send(.apply)
        try setup.client.flush()
        try setup.fixture.model.connect(ScreenDescription(name: "NEW", modes: OutputFixture.modes))
        try setup.fixture.pump()
        #expect(configuration.answer == "cancelled")
        #expect(setup.fixture.model.screens.count == 3)
    }

    /// Makes a mistake in a new fixture, and expects the protocol's error for it and no change.
    private func expect(
        _ code: UInt32, _ words: String, _ mistake: (TestConfiguration, _ panel: TestHead, _ tv: TestHead) -> Void
    ) throws {
        let setup = try OutputFixture()
        let before = try [setup.screen("PANEL"), setup.screen("TV")]
        mistake(setup.manager.configuration(), try setup.manager.head("PANEL"), try setup.manager.head("TV"))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == code, "\(words): \(String(describing: setup.client.error))")
        #expect(setup.client.protocolError?.message.contains(words) == true, "\(words)")
        #expect(try [setup.screen("PANEL"), setup.screen("TV")] == before, "\(words)")
    }

    @Test("every head must be enabled or disabled exactly once; the error names the head")
    func heads() throws {
        typealias Code = ZwlrOutputConfigurationV1.Error
        try expect(Code.alreadyConfiguredHead.rawValue, "TV") { configuration, _, tv in
            configuration.enable(tv)
            configuration.enable(tv)
        }
        try expect(Code.alreadyConfiguredHead.rawValue, "TV") { configuration, _, tv in
            configuration.enable(tv)
            configuration.disable(tv)
        }
        try expect(Code.alreadyConfiguredHead.rawValue, "PANEL") { configuration, panel, _ in
            configuration.disable(panel)
            configuration.disable(panel)
        }
        try expect(Code.unconfiguredHead.rawValue, "missing: TV") { configuration, panel, _ in
            configuration.enable(panel)
            configuration.proxy.send(.apply)
        }
        try expect(Code.unconfiguredHead.rawValue, "missing: PANEL") { configuration, _, tv in
            configuration.disable(tv)
            configuration.proxy.send(.test)
        }
    }

    @Test("after test or apply only destroy is valid")
    func used() throws {
        for use in [ZwlrOutputConfigurationV1.Request.apply, .test] {
            let later: [(TestConfiguration, TestHead, Proxy<ZwlrOutputConfigurationHeadV1>) -> Void] = [
                { configuration, _, _ in configuration.proxy.send(.apply) },
                { configuration, _, _ in configuration.proxy.send(.test) },
                { configuration, head, _ in configuration.enable(head) },
                { configuration, head, _ in configuration.disable(head) },
                { _, _, change in change.send(.setPosition(x: 0, y: 0)) },
            ]
            for request in later {
                try expect(ZwlrOutputConfigurationV1.Error.alreadyUsed.rawValue, "only be destroyed") {
                    configuration, panel, tv in
                    configuration.enable(panel)
                    let change = configuration.enable(tv)
                    configuration.proxy.send(use)
                    request(configuration, panel, change)
                }
            }
        }
    }

    @Test("setting a property twice, or to an invalid value, is an error that states what is allowed")
    func properties() throws {
        typealias Code = ZwlrOutputConfigurationHeadV1.Error
        let mistakes: [(Code, String, (_ panel: TestHead, _ tv: TestHead) -> [ZwlrOutputConfigurationHeadV1.Request])] =
            [
                (.alreadySet, "position", { _, _ in [.setPosition(x: 0, y: 0), .setPosition(x: 0, y: 0)] }),
                (
                    .alreadySet, "mode",
                    { panel, _ in
                        [
                            .setMode(mode: panel.modes[0].proxy.id),
                            .setCustomMode(width: 9, height: 9, refresh: 0),
                        ]
                    }
                ),
                (
                    .alreadySet, "transform",
                    { _, _ in [.setTransform(transform: ._90), .setTransform(transform: ._90)] }
                ),
                (.alreadySet, "scale", { _, _ in [.setScale(scale: Self.one), .setScale(scale: Self.one)] }),
                (
                    .alreadySet, "adaptive",
                    { _, _ in [.setAdaptiveSync(state: .disabled), .setAdaptiveSync(state: .disabled)] }
                ),
                (.invalidMode, "TV", { _, tv in [.setMode(mode: tv.modes[0].proxy.id)] }),
                (.invalidCustomMode, "0x9", { _, _ in [.setCustomMode(width: 0, height: 9, refresh: 0)] }),
                (.invalidCustomMode, "9x-1", { _, _ in [.setCustomMode(width: 9, height: -1, refresh: 0)] }),
                (.invalidCustomMode, "-1 mHz", { _, _ in [.setCustomMode(width: 9, height: 9, refresh: -1)] }),
                (.invalidTransform, "0 to 7", { _, _ in [.setTransform(transform: .init(rawValue: 8))] }),
                (.invalidScale, "greater than 0", { _, _ in [.setScale(scale: Fixed(rawValue: 0))] }),
                (.invalidScale, "greater than 0", { _, _ in [.setScale(scale: Fixed(rawValue: -1))] }),
                (
                    .invalidAdaptiveSyncState, "enabled (1)",
                    { _, _ in [.setAdaptiveSync(state: .init(rawValue: 2))] }
                ),
            ]
        for (code, words, requests) in mistakes {
            try expect(code.rawValue, words) { configuration, panel, tv in
                let change = configuration.enable(panel)
                for request in requests(panel, tv) { change.send(request) }
            }
        }
    }

    private static let one = Fixed(rounding: 1)

    @Test("requests of the latest version require that version")
    func versions() throws {
        let setup = try OutputFixture(version: 3)
        let change = setup.manager.configuration().enable(try setup.manager.head("PANEL"))
        change.send(.setAdaptiveSync(state: .disabled))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == WlDisplay.Error.invalidMethod.rawValue)
    }

    @Test(
        "S9: heads of every version receive finished once; the client stays connected",
        arguments: 1...4 as ClosedRange<UInt32>)
    func finished(version: UInt32) throws {
        let setup = try OutputFixture(version: version)
        let lines = setup.manager.takeLines()
        #expect(lines.contains("TV make Example") == (version >= 2))
        #expect(lines.contains("TV adaptive 0") == (version >= 4))
        let tv = try setup.manager.head("TV")
        try setup.fixture.server.disconnect(setup.screen("TV").id)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["TV finished", "done"])
        #expect(tv.modes.allSatisfy { $0.text.hasSuffix("finished") })
        if version >= 3 { tv.release() }
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("PANEL"), .setPosition(x: 3, y: 3))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        configuration.proxy.send(.destroy)
        setup.manager.manager.send(.stop)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["succeeded", "PANEL position 3,3", "done", "finished"])
        try setup.fixture.server.plug(ScreenSpecification(parsing: "320x200,name=NEW"))
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == [] && setup.client.isOpen)
    }

    @Test("S9: heads and modes that the client has released receive no more events")
    func released() throws {
        let setup = try OutputFixture()
        _ = setup.manager.takeLines()
        let (panel, tv) = (try setup.manager.head("PANEL"), try setup.manager.head("TV"))
        tv.release()
        panel.modes[1].proxy.send(.release)
        try setup.fixture.pump()
        try setup.fixture.model.setMode(OutputFixture.modes[1], of: setup.screen("PANEL").id)
        try setup.fixture.model.setMode(OutputFixture.modes[1], of: setup.screen("TV").id)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["done"])
        try setup.fixture.server.disconnect(setup.screen("TV").id)
        try setup.fixture.pump()
        #expect(setup.manager.takeLines() == ["done"] && setup.client.isOpen)
    }

    @Test("without the right to administer, the global is not announced and cannot be bound")
    func rights() throws {
        let fixture = try ServerFixture()
        let known = try #require(try fixture.connect().globals.first { $0.interface == ZwlrOutputManagerV1.name })
        for policy in [PeerPolicy(rules: []), PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .inject])])] {
            fixture.server.peerPolicy = policy
            let client = try fixture.connect("stranger")
            #expect(!client.globals.contains { $0.interface == ZwlrOutputManagerV1.name })
            let manager = try client.bind(ZwlrOutputManagerV1.self, name: known.name)
            try fixture.pump()
            #expect(!client.isOpen && manager.isAlive)
            #expect(client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
            #expect(client.protocolError?.message == "\(known.name) is not a global")
        }
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .administer)])
        #expect(try fixture.connect().globals.contains { $0.interface == ZwlrOutputManagerV1.name })
    }
}
