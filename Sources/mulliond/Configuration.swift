// The configuration file.

import ConfigurationSections
import ControlAPI
import DisplayServer
import Displays
import JSON5
import WindowModel

/// `mullion.json5`, decoded strictly: unknown keys, wrong types and impossible values are errors.
struct Configuration: Decodable {
    /// Screens at start, as on the command line; each in the syntax of `ScreenSpecification`. Empty: no screen (S2). Nil:
    /// whatever is the default.
    var screens: [String]?
    /// Display models in addition to the monitor library.
    var displays: [DisplayModel] = []
    var policy = Policy()
    var screenControl = ScreenControl.owner
    var fixedRotation: Set<String> = []
    var decorations = Decorations.none
    var peerPolicy = PeerPolicy.standard
    var limits = LimitsSection()
    var keyboard = KeyboardConfiguration()
    /// K1: seats in addition to the first one.
    var seats: [SeatConfiguration] = []
    var x11 = X11Configuration()
    var http = HTTPConfiguration()
    var logLevel = DisplayServer.LogLevel.info

    init() {}

    enum CodingKeys: String, CodingKey, CaseIterable { case screens, displays, policy, keyboard, seats, x11, http, log }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screens = try container.decodeIfPresent([String].self, forKey: .screens)
        for text in screens ?? [] {
            do {
                _ = try ScreenSpecification(parsing: text)
            } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: .screens, in: container, debugDescription: "\"\(text)\": \(error.message)")
            }
        }
        displays = try container.decodeIfPresent([DisplayModel].self, forKey: .displays) ?? []
        if let section = try container.decodeIfPresent(PolicySection.self, forKey: .policy) {
            policy = section.policy
            screenControl = section.screenControl
            fixedRotation = section.fixedRotation
            decorations = section.decorations
            peerPolicy = section.peerPolicy
            limits = section.limits
        }
        keyboard = try container.decodeIfPresent(KeyboardConfiguration.self, forKey: .keyboard) ?? keyboard
        seats = try SeatConfiguration.decode(from: container, forKey: .seats)
        x11 = try container.decodeIfPresent(X11Configuration.self, forKey: .x11) ?? x11
        http = try container.decodeIfPresent(HTTPConfiguration.self, forKey: .http) ?? http
        logLevel = try container.decodeIfPresent(LogSection.self, forKey: .log)?.level ?? logLevel
    }

    /// Validates the file and the command line without applying them: the screens must be possible together, and all
    /// keyboard layouts must compile.
    /// - Parameter compiled: the layouts that are compiled already.
    func check(_ options: Options, _ compiled: CompiledLayouts = CompiledLayouts()) throws {
        do {
            try keyboard.check(compiled)
        } catch {
            throw DaemonError(description: "keyboard: \(error)")
        }
        for (index, seat) in seats.enumerated() {
            do {
                try seat.keyboard?.check(compiled)
            } catch {
                throw DaemonError(description: "seats[\(index)].keyboard: \(error)")
            }
        }
        let library = DisplayLibrary()
        library.own = displays
        var names: Set<String> = []
        for specification in try specifications(options) ?? [] {
            names.insert(try specification.description(from: library, names: names, right: 0).checked().name)
        }
    }

    /// All keyboards.
    var keyboards: [KeyboardConfiguration] { [keyboard] + seats.compactMap(\.keyboard) }

    /// The initial screens: those of the command line if it has any; nil: the default one.
    func specifications(_ options: Options) throws -> [ScreenSpecification]? {
        if options.screens.isEmpty { return try screens?.map { try ScreenSpecification(parsing: $0) } }
        if options.screens == [Options.noScreen] { return [] }
        guard !options.screens.contains(Options.noScreen) else {
            throw DaemonError(description: "--screen none cannot be combined with other screens; use it alone")
        }
        return try options.screens.map { text in
            do {
                return try ScreenSpecification(parsing: text)
            } catch {
                throw DaemonError(description: "--screen \(text): \(error)")
            }
        }
    }
}

private struct PolicySection: Decodable {
    var policy = Policy()
    var screenControl = ScreenControl.owner
    var fixedRotation: Set<String> = []
    var decorations = Decorations.none
    var peerPolicy = PeerPolicy.standard
    var limits = LimitsSection()

    enum CodingKeys: String, CodingKey, CaseIterable {
        case keyOnTouch, orphans, screenControl, fixedRotation, decorations, peers, limits
    }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        policy.keyOnTouch = try container.decodeIfPresent(Bool.self, forKey: .keyOnTouch) ?? policy.keyOnTouch
        if let text = try container.decodeIfPresent(String.self, forKey: .orphans) {
            guard let orphans = Policy.Orphans(rawValue: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .orphans, in: container,
                    debugDescription: "\"\(text)\" is not a policy for orphans; use \"keep\" or \"main\"")
            }
            policy.orphans = orphans
        }
        if let text = try container.decodeIfPresent(String.self, forKey: .screenControl) {
            guard let control = ScreenControl(rawValue: text) else {
                let all = ScreenControl.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: .screenControl, in: container,
                    debugDescription: "\"\(text)\" is not a value of screenControl; use one of \(all)")
            }
            screenControl = control
        }
        fixedRotation = Set(try container.decodeIfPresent([String].self, forKey: .fixedRotation) ?? [])
        if let text = try container.decodeIfPresent(String.self, forKey: .decorations) {
            guard let decorations = Decorations(rawValue: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .decorations, in: container,
                    debugDescription: "\"\(text)\" is not a kind of decorations; use \"none\" or \"bar\"")
            }
            self.decorations = decorations
        }
        // The file's rules come first; the built-in rules apply to everything they do not mention.
        let rules = try container.decodeIfPresent([PeerRule].self, forKey: .peers) ?? []
        peerPolicy.rules = rules + peerPolicy.rules
        limits = try container.decodeIfPresent(LimitsSection.self, forKey: .limits) ?? limits
    }
}

private struct LogSection: Decodable {
    var level = DisplayServer.LogLevel.info

    enum CodingKeys: String, CodingKey, CaseIterable { case level }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let text = try container.decodeIfPresent(String.self, forKey: .level) else { return }
        guard let found = DisplayServer.LogLevel.allCases.first(where: { "\($0)" == text }) else {
            let all = DisplayServer.LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: .level, in: container, debugDescription: "\"\(text)\" is not a level; use one of \(all)")
        }
        level = found
    }
}
