// The configuration of a keyboard: layouts, the applications that use them, and key repetition.

import MullionKeymaps
import MullionSystem
import WindowModel

/// The configuration of a seat's keyboard.
public struct KeyboardConfiguration: Hashable, Sendable {
    /// For all applications without their own layout.
    public var layout = KeyboardLayout()
    /// By the name of the application or its program.
    public var applications: [String: KeyboardLayout] = [:]
    /// Repetitions per second of a held key; 0: keys do not repeat.
    public var repeatRate: Int32 = 25
    /// Milliseconds from the press to the first repetition.
    public var repeatDelay: Int32 = 600

    static let rates: ClosedRange<Int32> = 0...1000
    static let delays: ClosedRange<Int32> = 0...60_000

    public init() {}

    /// Compiles every layout without using it.
    /// - Parameter compiled: those that are compiled already.
    /// - Throws: E3, with the error and the allowed values.
    public func check(_ compiled: CompiledLayouts = CompiledLayouts()) throws(ModelError) {
        try checkRepeat()
        for layout in layouts { _ = try layout.compiled(compiled) }
    }

    /// The layout of an application, or of its program; nil without an own one.
    func layout(of name: String) -> KeyboardLayout? {
        applications[name]
            ?? applications.filter { ProcessName.isMeant(name, by: $0.key) }.min { $0.key < $1.key }?.value
    }

    /// All layouts, without duplicates.
    var layouts: Set<KeyboardLayout> { Set(applications.values).union([layout]) }

    /// - Throws: E3 for a rate or a delay out of range.
    package func checkRepeat() throws(ModelError) {
        for (name, value, range) in [("rate", repeatRate, Self.rates), ("delay", repeatDelay, Self.delays)]
        where !range.contains(value) {
            throw ModelError(
                kind: .invalidValue, rule: .e3,
                message: "\(value) is not a repeat.\(name); use \(range.lowerBound)…\(range.upperBound)")
        }
    }
}

extension KeyboardLayout {
    /// The layout's keymap.
    /// - Parameter compiled: the layouts that are compiled already.
    /// - Throws: E3, with what XKB does not know.
    func compiled(_ compiled: CompiledLayouts) throws(ModelError) -> Keymap {
        do throws(KeyboardLayoutError) {
            return try compiled.keymap(of: self)
        } catch {
            throw ModelError(kind: .invalidValue, rule: .e3, message: error.description)
        }
    }
}
