// wp_color_manager_v1: everything is sRGB, which programs can read, and say of their surfaces.

import Displays
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ColorManagementTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let manager: Proxy<WpColorManagerV1>

    init() throws {
        fixture = try ServerFixture.handingOver(screens: ["80x60", "80x60"])
        client = try fixture.connect()
        manager = try client.bind(WpColorManagerV1.self)
    }

    /// An image description, and what its client hears of it and of its parameters.
    private final class Description {
        let proxy: Proxy<WpImageDescriptionV1>
        private(set) var events: [String] = []

        init(_ client: TestClient) {
            proxy = Proxy(client.connection, version: 1)
            proxy.onEvent = { [weak self] event in
                switch event {
                case .ready(let identity): self?.events.append("ready \(identity)")
                case .failed(let cause, let message): self?.events.append("failed \(cause.rawValue): \(message)")
                }
            }
        }

        func askForInformation() {
            let information = Proxy<WpImageDescriptionInfoV1>(proxy.connection, version: 1)
            information.onEvent = { [weak self] in self?.events.append("\($0)") }
            proxy.send(.getInformation(information: information.id))
        }
    }

    private func output(_ index: Int = 0) throws -> Proxy<WlOutput> {
        let names = client.globals.filter { $0.interface == WlOutput.name }.map(\.name)
        return try client.bind(WlOutput.self, name: names[index])
    }

    private func colors(of output: Proxy<WlOutput>) -> Proxy<WpColorManagementOutputV1> {
        let object = Proxy<WpColorManagementOutputV1>(client.connection, version: 1)
        manager.send(.getOutput(id: object.id, output: output.id))
        return object
    }

    private func colors(of surface: Proxy<WlSurface>) -> Proxy<WpColorManagementSurfaceV1> {
        let object = Proxy<WpColorManagementSurfaceV1>(client.connection, version: 1)
        manager.send(.getSurface(id: object.id, surface: surface.id))
        return object
    }

    private func feedback(_ surface: Proxy<WlSurface>) -> Proxy<WpColorManagementSurfaceFeedbackV1> {
        let object = Proxy<WpColorManagementSurfaceFeedbackV1>(client.connection, version: 1)
        manager.send(.getSurfaceFeedback(id: object.id, surface: surface.id))
        return object
    }

    private func description(of output: Proxy<WpColorManagementOutputV1>) -> Description {
        let description = Description(client)
        output.send(.getImageDescription(imageDescription: description.proxy.id))
        return description
    }

    private func creator() -> Proxy<WpImageDescriptionCreatorParamsV1> {
        let creator = Proxy<WpImageDescriptionCreatorParamsV1>(client.connection, version: 1)
        manager.send(.createParametricCreator(obj: creator.id))
        return creator
    }

    /// sRGB as a client describes it.
    private func made(
        _ function: WpColorManagerV1.TransferFunction = .srgb,
        _ more: WpImageDescriptionCreatorParamsV1.Request...
    ) -> Description {
        let creator = creator()
        creator.send(.setPrimariesNamed(primaries: .srgb))
        creator.send(.setTfNamed(tf: function))
        for request in more { creator.send(request) }
        let description = Description(client)
        creator.send(.create(imageDescription: description.proxy.id))
        return description
    }

    @Test("the manager names what it supports: the perceptual intent, parameters, and the two names of sRGB")
    func supported() throws {
        let manager = try client.bind(WpColorManagerV1.self)
        var events: [String] = []
        manager.onEvent = { event in
            switch event {
            case .supportedIntent(let intent): events.append("intent \(intent.rawValue)")
            case .supportedFeature(let feature): events.append("feature \(feature.rawValue)")
            case .supportedTfNamed(let function): events.append("function \(function.rawValue)")
            case .supportedPrimariesNamed(let primaries): events.append("primaries \(primaries.rawValue)")
            case .done: events.append("done")
            }
        }
        try fixture.pump()
        #expect(events == ["intent 0", "feature 1", "function 9", "function 2", "primaries 1", "done"])
    }

    @Test("screens, and what is best for surfaces, are sRGB, with all of its parameters")
    func own() throws {
        let feedback = feedback(client.surface())
        let (best, parametric) = (Description(client), Description(client))
        feedback.send(.getPreferred(imageDescription: best.proxy.id))
        feedback.send(.getPreferredParametric(imageDescription: parametric.proxy.id))
        let all = [description(of: colors(of: try output())), best, parametric]
        for description in all { description.askForInformation() }
        try fixture.pump()
        let coordinates =
            "rX: 640000, rY: 330000, gX: 300000, gY: 600000, bX: 150000, bY: 60000, wX: 312700, wY: 329000"
        for description in all {
            let events = description.events
            #expect(events.count == 8 && events.first == "ready 9" && events.last == "done", "\(events)")
            #expect(events.contains("primaries(\(coordinates))"))
            #expect(events.contains("targetPrimaries(\(coordinates))"))
            #expect(events.contains("luminances(minLum: 2000, maxLum: 80, referenceLum: 80)"))
            #expect(events.contains("targetLuminance(minLum: 2000, maxLum: 80)"))
            #expect(events.contains { $0.hasPrefix("primariesNamed") && $0.contains("rawValue: 1)") })
            #expect(events.contains { $0.hasPrefix("tfNamed") && $0.contains("rawValue: 9)") })
        }
    }

    @Test("a surface that is described as sRGB, by either name, looks as before")
    func surfaces() throws {
        let top = try TestToplevel.map(client, fixture, "picture", argb: 0xff80_4020)
        let before = try fixture.screenshot()
        let colors = colors(of: top.surface)
        for description in [made(.srgb), made(.gamma22), made(.srgb, .setMaxCll(maxCll: 80), .setMaxFall(maxFall: 1))] {
            colors.send(.setImageDescription(imageDescription: description.proxy.id, renderIntent: .perceptual))
            description.proxy.send(.destroy)
            top.surface.send(.commit)
            try fixture.pump()
            #expect(try fixture.screenshot() == before)
        }
        colors.send(.unsetImageDescription)
        colors.send(.destroy)
        // It may have another one now.
        self.colors(of: top.surface).send(.unsetImageDescription)
        top.surface.send(.commit)
        try fixture.pump()
        #expect(try fixture.screenshot() == before)
        let (first, second) = (made(.srgb), made(.gamma22))
        try fixture.pump()
        #expect(first.events == ["ready 9"] && second.events == ["ready 2"], "the first one is that of the screens")
        #expect(client.isOpen)
    }

    @Test("S9: an unplugged screen has no description any more; those that a client has remain")
    func unplugged() throws {
        let (output, other) = (try output(1), try output(0))
        let (colors, inert) = (colors(of: output), colors(of: other))
        let before = description(of: colors)
        try fixture.pump()
        // A client may release the wl_output.
        output.send(.release)
        let released = description(of: colors)
        try fixture.pump()
        #expect(released.events == ["ready 9"])
        let screens = fixture.model.screens
        try fixture.server.disconnect(screens[1])
        let after = description(of: colors)
        before.askForInformation()
        try fixture.pump()
        #expect(after.events == ["failed 3: the screen was unplugged"] && before.events.last == "done")
        try fixture.server.disconnect(screens[0])
        // Before the client knows.
        let late = self.colors(of: other)
        let descriptions = [description(of: late), description(of: inert)]
        try fixture.pump()
        #expect(descriptions.allSatisfy { $0.events == after.events })
        try fixture.server.plug(ScreenSpecification(parsing: "80x60"))
        try fixture.handOver()
        let last = description(of: inert)
        for object in [late, inert, colors] { object.send(.destroy) }
        for description in descriptions + [before, after] { description.proxy.send(.destroy) }
        try fixture.pump()
        #expect(last.events == after.events && client.isOpen)
    }

    @Test("over a restart all objects remain, half-made descriptions too")
    func handOver() throws {
        let surface = client.surface()
        let (colors, feedback, screen) = (colors(of: surface), feedback(surface), colors(of: try output()))
        let lost = client.surface()
        let (lostColors, lostFeedback) = (self.colors(of: lost), self.feedback(lost))
        lost.send(.destroy)
        let creator = creator()
        creator.send(.setTfNamed(tf: .gamma22))
        let (own, made) = (description(of: screen), made())
        try fixture.pump()
        try fixture.handOver()
        creator.send(.setPrimariesNamed(primaries: .srgb))
        creator.send(.setMaxCll(maxCll: 40))
        try fixture.pump()
        try fixture.handOver()
        let finished = Description(client)
        creator.send(.create(imageDescription: finished.proxy.id))
        for description in [finished, made, own] {
            colors.send(.setImageDescription(imageDescription: description.proxy.id, renderIntent: .perceptual))
        }
        own.askForInformation()
        let best = Description(client)
        feedback.send(.getPreferred(imageDescription: best.proxy.id))
        let again = description(of: screen)
        lostColors.send(.destroy)
        lostFeedback.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
        #expect(finished.events == ["ready 2"] && best.events == ["ready 9"] && again.events == ["ready 9"])
        #expect(own.events.last == "done")
        _ = self.colors(of: surface)
        try fixture.pump()
        #expect(client.protocolError?.code == WpColorManagerV1.Error.surfaceExists.rawValue)
    }

    // MARK: Errors

    /// - Parameter body: ends with the mistake.
    private static func expect(
        _ code: UInt32, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (ColorManagementTests) throws -> Void
    ) throws {
        let test = try ColorManagementTests()
        try body(test)
        try test.fixture.pump()
        let error = test.client.protocolError
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(test.fixture.model.checkInvariants() == [], sourceLocation: sourceLocation)
    }

    @Test("what is not supported is an error of the manager; so is a second object of a surface")
    func managerErrors() throws {
        let unsupported = WpColorManagerV1.Error.unsupportedFeature.rawValue
        try Self.expect(unsupported, "ICC profiles") { $0.manager.send(.createIccCreator(obj: $0.client.surface().id)) }
        try Self.expect(unsupported, "scRGB") {
            $0.manager.send(.createWindowsScrgb(imageDescription: Description($0.client).proxy.id))
        }
        try Self.expect(WpColorManagerV1.Error.surfaceExists.rawValue, "already has") {
            let surface = $0.client.surface()
            _ = ($0.feedback(surface), $0.feedback(surface), $0.colors(of: surface), $0.colors(of: surface))
        }
    }

    @Test("a surface takes descriptions that are ready, with the perceptual intent, while it exists")
    func surfaceErrors() throws {
        typealias Code = WpColorManagementSurfaceV1.Error
        for intent: UInt32 in [1, 2, 3, 4, 5, .max] {
            try Self.expect(Code.renderIntent.rawValue, "\(intent) is not") {
                $0.colors(of: $0.client.surface()).send(
                    .setImageDescription(imageDescription: $0.made().proxy.id, renderIntent: .init(rawValue: intent)))
            }
        }
        func failed(_ test: ColorManagementTests) throws -> Description {
            let colors = test.colors(of: try test.output(1))
            try test.fixture.server.disconnect(test.fixture.model.screens[1])
            return test.description(of: colors)
        }
        try Self.expect(Code.imageDescription.rawValue, "is not ready") {
            let description = try failed($0)
            $0.colors(of: $0.client.surface()).send(
                .setImageDescription(imageDescription: description.proxy.id, renderIntent: .perceptual))
        }
        try Self.expect(WpImageDescriptionV1.Error.notReady.rawValue, "is not ready") {
            try failed($0).askForInformation()
        }
        try Self.expect(WpImageDescriptionV1.Error.noInformation.rawValue, "the client itself") {
            $0.made().askForInformation()
        }
        for isSet in [true, false] {
            try Self.expect(Code.inert.rawValue, "the surface was destroyed") {
                let surface = $0.client.surface()
                let (colors, description) = ($0.colors(of: surface), $0.made())
                surface.send(.destroy)
                colors.send(
                    isSet
                        ? .setImageDescription(imageDescription: description.proxy.id, renderIntent: .perceptual)
                        : .unsetImageDescription)
            }
        }
        for isParametric in [true, false] {
            try Self.expect(WpColorManagementSurfaceFeedbackV1.Error.inert.rawValue, "the surface was destroyed") {
                let surface = $0.client.surface()
                let feedback = $0.feedback(surface)
                surface.send(.destroy)
                let id = Description($0.client).proxy.id
                feedback.send(
                    isParametric ? .getPreferredParametric(imageDescription: id) : .getPreferred(imageDescription: id))
            }
        }
    }

    @Test("parameters are those of sRGB by name, each set once, and complete")
    func creatorErrors() throws {
        typealias Code = WpImageDescriptionCreatorParamsV1.Error
        typealias Request = WpImageDescriptionCreatorParamsV1.Request
        func refused(_ code: Code, _ words: String, _ requests: Request...) throws {
            try Self.expect(code.rawValue, words) {
                let creator = $0.creator()
                for request in requests { creator.send(request) }
            }
        }
        func incomplete(_ words: String, _ requests: Request...) throws {
            try Self.expect(Code.incompleteSet.rawValue, words) {
                let creator = $0.creator()
                for request in requests { creator.send(request) }
                creator.send(.create(imageDescription: Description($0.client).proxy.id))
            }
        }
        try incomplete("no transfer function")
        try incomplete("no transfer function", .setPrimariesNamed(primaries: .srgb), .setMaxCll(maxCll: 80))
        try incomplete("no primaries", .setTfNamed(tf: .srgb))
        for function: UInt32 in [0, 1, 10, 11, 14, .max] {
            try refused(.invalidTf, "\(function) is not", .setTfNamed(tf: .init(rawValue: function)))
        }
        for primaries: UInt32 in [0, 2, 6, 10, .max] {
            try refused(
                .invalidPrimariesNamed, "\(primaries) are not",
                .setPrimariesNamed(primaries: .init(rawValue: primaries)))
        }
        try refused(.alreadySet, "transfer function", .setTfNamed(tf: .srgb), .setTfNamed(tf: .srgb))
        try refused(
            .alreadySet, "primaries", .setPrimariesNamed(primaries: .srgb), .setPrimariesNamed(primaries: .srgb))
        try refused(.alreadySet, "content light", .setMaxCll(maxCll: 1), .setMaxCll(maxCll: 2))
        try refused(.alreadySet, "frame-average", .setMaxFall(maxFall: 1), .setMaxFall(maxFall: 1))
        try refused(.unsupportedFeature, "set_tf_power", .setTfPower(eexp: 22_000))
        try refused(
            .unsupportedFeature, "set_primaries", .setPrimaries(rX: 0, rY: 0, gX: 0, gY: 0, bX: 0, bY: 0, wX: 0, wY: 0))
        try refused(.unsupportedFeature, "set_luminances", .setLuminances(minLum: 0, maxLum: 1, referenceLum: 1))
        try refused(
            .unsupportedFeature, "set_mastering_display_primaries",
            .setMasteringDisplayPrimaries(rX: 0, rY: 0, gX: 0, gY: 0, bX: 0, bY: 0, wX: 0, wY: 0))
        try refused(.unsupportedFeature, "set_mastering_luminance", .setMasteringLuminance(minLum: 0, maxLum: 1))
        for light: UInt32 in [0, 81, .max] {
            try Self.expect(Code.invalidLuminance.rawValue, "\(light) is not") {
                _ = $0.made(.srgb, .setMaxCll(maxCll: light))
            }
            try Self.expect(Code.invalidLuminance.rawValue, "\(light) is not") {
                _ = $0.made(.srgb, .setMaxFall(maxFall: light))
            }
        }
        try Self.expect(Code.invalidLuminance.rawValue, "brighter than") {
            _ = $0.made(.srgb, .setMaxCll(maxCll: 40), .setMaxFall(maxFall: 41))
        }
    }
}
