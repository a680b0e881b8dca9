// The states of widgets, by AT-SPI's numbers.

/// What a program says about a widget.
package struct AccessibleStates: OptionSet, Hashable, Sendable {
    /// Bit n is AtspiStateType's n.
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// From AT-SPI's words, the lower one first.
    init(words: [UInt32]) { self.init(rawValue: words.prefix(2).reversed().reduce(0) { $0 << 32 | UInt64($1) }) }

    package static let defunct = AccessibleStates(rawValue: 1 << 6)
    package static let editable = AccessibleStates(rawValue: 1 << 7)
    package static let enabled = AccessibleStates(rawValue: 1 << 8)
    package static let sensitive = AccessibleStates(rawValue: 1 << 24)
    package static let showing = AccessibleStates(rawValue: 1 << 25)
    package static let transient = AccessibleStates(rawValue: 1 << 28)
    package static let visible = AccessibleStates(rawValue: 1 << 30)
    package static let managesDescendants = AccessibleStates(rawValue: 1 << 31)

    /// The names of the states.
    package var names: [String] { Self.allNames.indices.filter { rawValue >> $0 & 1 == 1 }.map { Self.allNames[$0] } }

    /// By number.
    package static let allNames = [
        "invalid", "active", "armed", "busy", "checked", "collapsed", "defunct", "editable", "enabled", "expandable",
        "expanded", "focusable", "focused", "hasTooltip", "horizontal", "iconified", "modal", "multiLine",
        "multiselectable", "opaque", "pressed", "resizable", "selectable", "selected", "sensitive", "showing",
        "singleLine", "stale", "transient", "vertical", "visible", "managesDescendants", "indeterminate", "required",
        "truncated", "animated", "invalidEntry", "supportsAutocompletion", "selectableText", "isDefault", "visited",
        "checkable", "hasPopup", "readOnly",
    ]
}
