// The section `keyboard` of the configuration. Unknown keys are errors.

import DisplayServer
import JSON5
import MullionKeymaps

extension KeyboardConfiguration: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case rules, model, layout, variant, options, applications, `repeat`
    }

    /// `{layout, variant, options, model, rules, repeat: {rate, delay}, applications: {NAME: {layout, …}}}`; properties
    /// that an application omits are those of the common layout.
    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        layout = try KeyboardLayoutChange(from: container) { CodingKeys(rawValue: $0.rawValue) }.applied(to: layout)
        let changes = try container.decodeIfPresent([String: KeyboardLayoutChange].self, forKey: .applications) ?? [:]
        applications = changes.mapValues { [layout] in $0.applied(to: layout) }
        if let change = try container.decodeIfPresent(KeyboardRepeatChange.self, forKey: .repeat) {
            change.apply(to: &self)
        }
        do {
            try checkRepeat()
        } catch {
            throw DecodingError.dataCorruptedError(
                forKey: .repeat, in: container, debugDescription: "\(error)")
        }
    }
}

/// A change of some of a layout's properties; the others stay as they are.
package struct KeyboardLayoutChange: Equatable {
    var rules: String?
    var model: String?
    var layout: String?
    var variant: String?
    var options: String?

    package var isEmpty: Bool { self == KeyboardLayoutChange() }

    package func applied(to old: KeyboardLayout) -> KeyboardLayout {
        var new = old
        new.rules = rules ?? old.rules
        new.model = model ?? old.model
        new.layout = layout ?? old.layout
        // A variant belongs to its layout, so a new layout resets it.
        new.variant = variant ?? (new.layout == old.layout ? old.variant : "")
        new.options = options ?? old.options
        return new
    }
}

extension KeyboardLayoutChange: Decodable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case rules, model, layout, variant, options }

    package init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        try self.init(from: try decoder.container(keyedBy: CodingKeys.self)) { $0 }
    }

    /// Reads the properties from a container that has other keys too.
    package init<K: CodingKey>(from container: KeyedDecodingContainer<K>, _ key: (CodingKeys) -> K?) throws {
        func find(_ name: CodingKeys) throws -> String? {
            try key(name).flatMap { try container.decodeIfPresent(String.self, forKey: $0) }
        }
        rules = try find(.rules)
        model = try find(.model)
        layout = try find(.layout)
        variant = try find(.variant)
        options = try find(.options)
    }
}

/// `{rate, delay}`, each optional.
package struct KeyboardRepeatChange: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case rate, delay }

    var rate: Int32?
    var delay: Int32?

    package init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rate = try container.decodeIfPresent(Int32.self, forKey: .rate)
        delay = try container.decodeIfPresent(Int32.self, forKey: .delay)
    }

    package func apply(to configuration: inout KeyboardConfiguration) {
        configuration.repeatRate = rate ?? configuration.repeatRate
        configuration.repeatDelay = delay ?? configuration.repeatDelay
    }
}
