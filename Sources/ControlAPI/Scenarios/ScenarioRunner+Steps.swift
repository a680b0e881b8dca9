// Performs the steps of a scenario.

import Compositor
import ControlProtocol
import DisplayServer
import Displays
import WindowModel

extension ScenarioRunner {
    /// Performs a step; `stepDidEnd` or `fail` follows, now or later.
    func perform(_ step: Scenario.Step) throws {
        switch step {
        case .plug(let specification):
            try server.plug(specification, by: user)
            stepDidEnd()
        case .unplug(let screen):
            try server.disconnect(try server.screen(screen.text).id)
            stepDidEnd()
        case .flap(let flap): try self.flap(flap)
        case .change(_, let screen, let settings, let duration):
            let screen = try server.screen(screen.text)
            try server.change(
                screen.id, to: try server.description(of: screen, changedBy: settings), duration: duration)
            stepDidEnd()
        case .input(let events): try inject(events, step.title)
        case .claim(let claim):
            try self.claim(claim)
            stepDidEnd()
        case .release(let title):
            try server.model.destroyWindow(try ownWindow(title).id)
            stepDidEnd()
        case .window(let title, let patch):
            try server.change(try ownWindow(title), by: patch)
            stepDidEnd()
        case .wait(.time(let microseconds)): try pass(microseconds) { [unowned self] in stepDidEnd() }
        case .wait(.settled): settle { [unowned self] in stepDidEnd() }
        case .wait(.idle): try self.step(.idle(limit: 10_000_000)) { [unowned self] in stepDidEnd() }
        case .wait(.conditions(let step)): wait(for: step)
        case .expect(let expectation): wait(for: expectation)
        case .pause(let name): pause(name)
        case .screenshot(let picture):
            try draw(picture) { bitmap, terms in
                try PNG.encode(terms.crop.apply(to: bitmap))
            } _: { [unowned self] png in
                show(picture.name, png)
                stepDidEnd()
            }
        case .compare(let picture): try compare(picture)
        }
    }

    /// A list with times steps the time itself when the clock is manual.
    private func inject(_ requests: [InputRequest], _ title: String) throws {
        let duration = (try? InputRequest.manualDuration(of: requests)) ?? 0
        // What is still pending: the list, and the time that it takes.
        var isOpen = [true, server.clock.mode == .manual && duration > 0]
        let isStepped = isOpen[1]
        func end(_ part: Int) {
            isOpen[part] = false
            if !isOpen.contains(true) { stepDidEnd() }
        }
        injection = server.injector.queue.inject(requests) { [weak self] outcome in
            guard let self, !isEnded else { return }
            switch outcome {
            case .success(let reports):
                let missed = reports.indices.first { requests[$0].mustHit != false && reports[$0].isMissed }
                guard let missed else { return end(0) }
                let seen = API.InputReport(reports[missed], in: server.model, .all).explanation
                let place = requests.count > 1 ? "event \(missed + 1)" : "the event"
                fail(Mismatch(place: place, expected: "to be received", seen: seen))
            case .failure(let refusal):
                var reason = refusal.reason
                if requests.count > 1 { reason.message = "event \(refusal.index + 1): \(reason.message)" }
                fail(Mismatch(place: title, expected: "to be possible", seen: "\(reason)"))
            }
        }
        if isStepped, !isEnded { try pass(duration) { end(1) } }
    }

    // MARK: Flapping

    private func flap(_ flap: Scenario.Flap) throws {
        let screen = try server.screen(flap.screen.text)
        var random = flap.seed.map { SplitMix(state: $0) }
        var options = server.plugOptions(of: screen.name)
        if flap.provokesRaces { options.provokesRaces = true }
        flapOnce(flap, screen.name, options, times: flap.times) { time in
            guard var generator = random else { return time }
            defer { random = generator }
            // Between half and one and a half times as long.
            return time / 2 + (time == 0 ? 0 : generator.next() % (time + 1))
        }
    }

    private func flapOnce(
        _ flap: Scenario.Flap, _ name: String, _ options: PlugOptions, times: Int,
        _ vary: @escaping (UInt64) -> UInt64
    ) {
        guard times > 0 else { return stepDidEnd() }
        attempt { [unowned self] in
            let connected = try server.screen(name)
            let display = connected.properties
            try server.disconnect(connected.id)
            pause(vary(flap.out)) { [unowned self] in
                attempt { [unowned self] in
                    try server.connect(display, options: options)
                    pause(vary(flap.in)) { [unowned self] in
                        flapOnce(flap, name, options, times: times - 1, vary)
                    }
                }
            }
        }
    }

    /// Even without a delay the loop turns, so that clients see each change.
    private func pause(_ microseconds: UInt64, _ body: @escaping () -> Void) {
        guard microseconds > 0 else { return after(0, body) }
        attempt { [unowned self] in try pass(microseconds, body) }
    }

    // MARK: Windows

    private func claim(_ claim: Scenario.Claim) throws(ModelError) {
        let model = server.model
        let screen = try claim.screen.map { (reference) throws(ModelError) in try server.screen(reference.text).id }
        let id = try model.createWindow(
            application: ownApplication(), screen: screen,
            options: Window.Options(frame: claim.frame, level: claim.level, title: claim.title))
        try model.setBackgroundColor(claim.color, of: id)
        try model.setAutoresizing(claim.autoresizing, of: id)
        try model.setAlpha(claim.alpha, of: id)
        try model.setUserInteractionEnabled(claim.isInteractive, of: id)
        if claim.becomesKey {
            try model.makeKeyAndVisible(id)
        } else {
            try model.setHidden(claim.isHidden, of: id)
        }
    }

    /// The window was claimed, but the control API may have closed it.
    private func ownWindow(_ title: String) throws(Mismatch) -> Window {
        let own = application.map { server.model.windows(of: $0) } ?? []
        guard let window = own.lazy.compactMap({ self.server.model.window($0) }).first(where: { $0.title == title })
        else { throw Mismatch(place: "window \(title)", expected: "to exist", seen: "it does not") }
        return window
    }
}

/// Generates the same numbers for the same seed on every machine.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension Scenario.Step {
    /// A description for people.
    var title: String {
        switch self {
        case .plug(let specification): "plug \(specification.name ?? specification.model ?? "a display")"
        case .unplug(let screen): "unplug \(screen.text)"
        case .flap(let flap): "flap \(flap.screen.text) \(flap.times) times"
        case .change(let verb, let screen, _, _): "\(verb) \(screen.text)"
        case .input(let events): "input " + events.map(\.event.type).joined(separator: ", ")
        case .claim(let claim): "claim \(claim.title)"
        case .release(let title): "release \(title)"
        case .window(let title, _): "window \(title)"
        case .wait(.time(let time)): "wait \(DurationText.text(time))"
        case .wait(.settled): "wait until settled"
        case .wait(.idle): "wait until idle"
        case .wait(.conditions(let step)): "wait for " + step.conditions.map { "\($0)" }.joined(separator: " and ")
        case .expect: "expect"
        case .pause(let name): "pause \(name)"
        case .screenshot(let picture): "screenshot \(picture.name)"
        case .compare(let picture): "compare \(picture.name)"
        }
    }
}
