// The section "server" of a scenario.

import JSON5

/// The private server of a scenario.
struct ScenarioServer {
    private static let keys = ["accessibility", "clock", "profile", "screens", "x11"]
    private static let profiles = ["tests", "none"]

    /// Display models, as for `mulliond --screen`.
    var screens: [String] = []
    private var clock: String?
    private var profile: String?
    private var accessibility: Bool?
    private var x11: Bool?

    /// - Parameter note: called with the way to each mistake, from the section.
    init(_ section: JSON, note: ([JSON5Mistake.Key], String, _ isAboutKey: Bool) -> Void) {
        guard case .object(let fields) = section else {
            note([], "expected an object, such as { screens: [\"tv-1080p\"], clock: \"manual\" }", false)
            return
        }
        for key in fields.keys.sorted() where !Self.keys.contains(key) {
            note([.member(key)], ScenarioSource.unknownKey(key, Self.keys), true)
        }
        if let screens = fields["screens"] {
            let names = screens.elements.compactMap(\.string)
            if names.isEmpty || names.count != screens.elements.count {
                note([.member("screens")], "expected a list of display models, as for mulliond --screen", false)
            }
            self.screens = names
        }
        if let clock = fields["clock"] {
            if let mode = clock.string, ["real", "manual"].contains(mode) {
                self.clock = mode
            } else {
                note([.member("clock")], "\(clock.encoded) is not a clock; use \"real\" or \"manual\"", false)
            }
        }
        if let name = fields["profile"] {
            profile = name.string
            if !Self.profiles.contains(profile ?? "") {
                note([.member("profile")], "\(name.encoded) is not a profile; use \"tests\" or \"none\"", false)
            }
        }
        func flag(_ key: String) -> Bool? {
            guard let value = fields[key] else { return nil }
            guard case .bool(let flag) = value else {
                note([.member(key)], "\(value.encoded) is not a boolean; use true or false", false)
                return nil
            }
            return flag
        }
        accessibility = flag("accessibility")
        x11 = flag("x11")
    }

    /// Sets what the section says; the rest stays.
    func apply(to plan: inout RunPlan) {
        plan.options += screens.flatMap { ["--screen", $0] } + (clock.map { ["--clock", $0] } ?? [])
        if let profile { plan.isProfiled = profile == "tests" }
        if let accessibility { plan.accessibility = accessibility }
        if let x11 { plan.x11 = x11 }
    }
}
