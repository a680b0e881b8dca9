// S10: the settings of a screen, however it came, outlive unplugging and a restart with hand-over.

import JSON5
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct RememberedSettingTests {
    /// Where a screen comes from.
    enum Origin: CaseIterable {
        /// The configuration, or `--screen`.
        case configured
        /// The same, for the first screen, which is taken for the built-in one.
        case builtIn
        case api
        case edid
    }

    /// What happens to it after it was set.
    enum Way: CaseIterable {
        case replug, handOver, handOverThenReplug, handOverUnplugged, twice
    }

    /// A server with a store of screens, as `mulliond` has.
    private final class Run {
        let fixture: ServerFixture
        private let folder = try? TemporaryFolder()
        private var keeper: ScreenMemoryKeeper?
        private let origin: Origin
        private let keepsFile: Bool
        private var wasPlugged = false

        init(_ origin: Origin, keepsFile: Bool) throws {
            (self.origin, self.keepsFile) = (origin, keepsFile)
            fixture = try ServerFixture.handingOver(screens: [], clock: .manual)
            keep()
            if origin != .builtIn { try plugOther() }
        }

        func plugOther() throws {
            try fixture.server.plug(ScreenSpecification(parsing: "400x300,name=A,external,mirroring=off"))
        }

        private func keep() {
            guard keepsFile, let folder else { return }
            keeper = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        }

        /// Plugs in the screen with one property as given, by the means of its origin. Only the start of a server plugs in
        /// what is configured: later somebody plugs the display in again.
        func plug(_ property: ScreenProperty, _ value: (json: String, text: String)?) throws {
            let name = property.name == "name" ? "" : ",name=TV"
            let given = value.map { ",\(property.name)=\($0.text)" } ?? ""
            switch origin {
            case .configured, .builtIn:
                let specification = try ScreenSpecification(parsing: "tv-1080p\(name)\(given)")
                try fixture.server.plug(specification, isConfigured: !wasPlugged)
            case .edid:
                let display = try ScreenSpecification(parsing: "tv-1080p").description(
                    from: fixture.server.displays, names: [], right: 0)
                let edid = "edid=\(Base64(display.edid).text)"
                try fixture.server.plug(ScreenSpecification(parsing: edid + name + given))
            case .api:
                let json = (name.isEmpty ? "" : #", "name": "TV""#)
                let given = value.map { #", "\#(property.name)": \#($0.json)"# } ?? ""
                let control = try TestControl(fixture)
                let answer = try control.send("POST", "/v1/screens", #"{"model": "tv-1080p"\#(json)\#(given)}"#)
                try #require(answer.status == 201, "\(answer)")
            }
            wasPlugged = true
            if origin == .builtIn, fixture.model.pluggedScreen(named: "A") == nil { try plugOther() }
            try fixture.pump()
        }

        var screen: Screen {
            get throws { try #require(fixture.model.pluggedScreens.first { $0.name != "A" }) }
        }

        func set(_ property: ScreenProperty, _ value: (json: String, text: String)) throws {
            var settings = ScreenSettings()
            try property.set(text: value.text, in: &settings)
            var wanted = try screen.properties
            try settings.apply(to: &wanted, of: "TV")
            try fixture.server.change(screen.id, to: wanted, duration: 0)
        }

        func unplug() throws { try fixture.server.unplug(screen.name) }

        func handOver() throws {
            // Its store is written after it has handed over.
            try withExtendedLifetime(fixture.server) {
                try fixture.handOver()
                keeper?.flush()
                keeper = nil
            }
            keep()
        }
    }

    /// Takes the way and returns what the screen has then.
    private func take(_ way: Way, _ run: Run, _ plug: () throws -> Void) throws {
        switch way {
        case .replug:
            try run.unplug()
            try plug()
        case .handOver: try run.handOver()
        case .handOverThenReplug:
            try run.handOver()
            try run.unplug()
            try plug()
        case .handOverUnplugged:
            try run.unplug()
            try run.handOver()
            try plug()
        case .twice:
            try run.unplug()
            try run.handOver()
            try run.handOver()
            try plug()
            try run.handOver()
            try run.unplug()
            try plug()
        }
    }

    @Test(
        "S10: every property of a screen, however it came, outlives unplugging and a hand-over, with and without a file",
        arguments: Origin.allCases, Way.allCases)
    func every(origin: Origin, way: Way) throws {
        for property in ScreenProperty.all {
            var seen: [ScreenProperty.Value?] = []
            for (index, value) in try #require(ScreenPropertyTests.values[property.name]).enumerated() {
                let run = try Run(origin, keepsFile: index == 0)
                // What identifies or describes the display is stated again by whoever plugs it in.
                let stated = property.lifetime == .changeable ? nil : value
                try run.plug(property, stated)
                // In the same turn as what follows, so that nothing is delivered in between.
                if stated == nil { try run.set(property, value) }
                let before = property.value(of: try run.screen.properties)
                seen.append(before)
                try take(way, run) { try run.plug(property, stated) }
                let after = property.value(of: try run.screen.properties)
                #expect(after == before, "\(property.name)=\(value.text)")
                #expect(try run.screen.name == (property.name == "name" ? value.text : "TV"))
            }
            #expect(seen.count == 2 && seen[0] != seen[1], "\(property.name)")
        }
    }

    @Test("S10: a display that does not say is built in, or external, as it was before", arguments: Way.allCases)
    func kind(way: Way) throws {
        for origin in Origin.allCases {
            let run = try Run(origin, keepsFile: false)
            let mode = try #require(ScreenProperty.all.first { $0.name == "mode" })
            try run.plug(mode, nil)
            // The only screen, or one of two, when it comes back: what it was taken for first does not depend on that.
            if origin != .builtIn { try run.fixture.server.unplug("A") }
            try take(way, run) { try run.plug(mode, nil) }
            #expect(try run.screen.kind == (origin == .builtIn ? .builtIn : .external), "\(origin)")
            #expect(run.fixture.model.checkInvariants() == [])
        }
    }

    @Test("S10: a server that takes over knows the screens that are not plugged in, and stores only those of run time")
    func stored() throws {
        let fixture = try ServerFixture.handingOver(screens: [])
        for (name, isConfigured) in [("A", true), ("B", false), ("C", true)] {
            let specification = try ScreenSpecification(parsing: "640x480,name=\(name),scale=2")
            try fixture.server.plug(specification, isConfigured: isConfigured)
        }
        try fixture.pump()
        for name in ["B", "C"] { try fixture.server.unplug(name) }
        let before = fixture.server.screenMemory
        try fixture.handOver()
        let memory = fixture.server.screenMemory
        #expect(memory !== before && memory.records == before.records)
        #expect(memory.kept.map(\.name) == ["B"])
        // An older file adds what is missing, and changes nothing else.
        let older = ScreenMemory()
        try older.restore(before.state)
        #expect(older.records == before.records && older.configured == before.configured)
        try memory.restore(older.state)
        #expect(memory.records == before.records)
    }
}
