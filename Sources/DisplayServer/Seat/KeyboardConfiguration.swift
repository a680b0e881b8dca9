// The keyboard as it is configured: layouts, whose they are, and how keys repeat.

import Keymaps
import WindowModel

/// What the seat's keyboard is like.
public struct KeyboardConfiguration: Hashable, Sendable {
    /// For every application that has none of its own.
    public var layout = KeyboardLayout()
    /// By the name of the application, or of its program.
    public var applications: [String: KeyboardLayout] = [:]
    /// Repetitions a second of a key that is held; 0: keys do not repeat.
    public var repeatRate: Int32 = 25
    /// Milliseconds from the press to the first repetition.
    public var repeatDelay: Int32 = 600

    static let rates: ClosedRange<Int32> = 0...1000
    static let delays: ClosedRange<Int32> = 0...60_000

    public init() {}

    /// Tries every layout, without doing anything.
    /// - Throws: E3, which names what is wrong and what is allowed.
    public func check() throws(ModelError) {
        try checkRepeat()
        for layout in layouts { _ = try layout.compiled() }
    }

    /// Each layout once.
    var layouts: Set<KeyboardLayout> { Set(applications.values).union([layout]) }

    func checkRepeat() throws(ModelError) {
        for (name, value, range) in [("rate", repeatRate, Self.rates), ("delay", repeatDelay, Self.delays)]
        where !range.contains(value) {
            throw ModelError(
                kind: .invalidValue, rule: .e3,
                message: "repeat.\(name) is \(range.lowerBound)…\(range.upperBound), not \(value)")
        }
    }
}

/// Some of a layout's names, the others being as they were.
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
        // A variant is one of its layout's: it does not outlive it.
        new.variant = variant ?? (new.layout == old.layout ? old.variant : "")
        new.options = options ?? old.options
        return new
    }
}

extension KeyboardLayout {
    /// Its keymap.
    /// - Throws: E3, which names what XKB does not know.
    func compiled() throws(ModelError) -> Keymap {
        do throws(KeyboardLayoutError) {
            return try keymap()
        } catch {
            throw ModelError(kind: .invalidValue, rule: .e3, message: error.description)
        }
    }
}
