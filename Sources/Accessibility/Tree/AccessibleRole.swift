// The roles of widgets, by AT-SPI's numbers.

/// A widget's role: the name that web tests use for it (ARIA's), and AT-SPI's own.
package struct AccessibleRole: Hashable, Sendable {
    /// AtspiRole.
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let label = AccessibleRole(rawValue: 29)
    package static let menu = AccessibleRole(rawValue: 33)

    /// ARIA's name, or AT-SPI's where ARIA has none.
    package var name: String { Self.webNames[nativeName] ?? nativeName }

    /// AT-SPI's name.
    package var nativeName: String {
        rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : "role \(rawValue)"
    }

    /// Whether users edit its text, where the program says that it is editable.
    package var hasText: Bool { ["textbox", "terminal", "paragraph", "document", "spinbutton"].contains(name) }

    /// Whether it stands for a number.
    package var hasValue: Bool {
        ["slider", "spinbutton", "progressbar", "scrollbar", "meter"].contains(name)
    }

    /// Whether users enter a value, which a label beside it may name.
    var isField: Bool { ["textbox", "spinbutton", "combobox", "slider"].contains(name) }

    /// Whether a label in it is its name.
    var hasLabel: Bool { ["button", "checkbox", "radio", "switch", "link", "tab", "menuitem"].contains(name) }

    /// Whether its description names it where nothing else does.
    var isNamedByDescription: Bool {
        hasLabel || isField
            || [
                "menuitemcheckbox", "menuitemradio", "treeitem", "listitem", "cell", "img", "progressbar", "meter",
                "toolbar", "scrollbar", "region",
            ].contains(name)
    }

    /// Whether users scroll its contents.
    package var scrolls: Bool {
        ["scroll pane", "viewport", "list", "listbox", "table", "tree", "treegrid", "document"].contains(name)
    }

    /// Whether nothing of its contents shows outside of it.
    package var clips: Bool { scrolls || ["window", "dialog", "menubar"].contains(name) }

    /// Whether its contents are elsewhere, in a pop-up.
    package var popsUp: Bool { ["menu", "menubar", "menuitem"].contains(name) }

    /// All names that a role can have.
    package static let allNames: Set<String> = Set(names.map { webNames[$0] ?? $0 } + names)

    private static let names = [
        "invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas", "check box",
        "check menu item", "color chooser", "column header", "combo box", "date editor", "desktop icon",
        "desktop frame", "dial", "dialog", "directory pane", "drawing area", "file chooser", "filler",
        "focus traversable", "font chooser", "frame", "glass pane", "html container", "icon", "image",
        "internal frame", "label", "layered pane", "list", "list item", "menu", "menu bar", "menu item", "option pane",
        "page tab", "page tab list", "panel", "password text", "popup menu", "progress bar", "push button",
        "radio button", "radio menu item", "root pane", "row header", "scroll bar", "scroll pane", "separator",
        "slider", "spin button", "split pane", "status bar", "table", "table cell", "table column header",
        "table row header", "tearoff menu item", "terminal", "text", "toggle button", "tool bar", "tool tip", "tree",
        "tree table", "unknown", "viewport", "window", "extended", "header", "footer", "paragraph", "ruler",
        "application", "autocomplete", "edit bar", "embedded", "entry", "chart", "caption", "document frame",
        "heading", "page", "section", "redundant object", "form", "link", "input method window", "table row",
        "tree item", "document spreadsheet", "document presentation", "document text", "document web",
        "document email", "comment", "list box", "grouping", "image map", "notification", "info bar", "level bar",
        "title bar", "block quote", "audio", "video", "definition", "article", "landmark", "log", "marquee", "math",
        "rating", "timer", "static", "math fraction", "math root", "subscript", "superscript", "description list",
        "description term", "description value", "footnote", "content deletion", "content insertion", "mark",
        "suggestion", "push button menu", "switch",
    ]

    private static let webNames = [
        "check box": "checkbox", "check menu item": "menuitemcheckbox", "column header": "columnheader",
        "combo box": "combobox", "autocomplete": "combobox", "file chooser": "dialog", "color chooser": "dialog",
        "font chooser": "dialog", "filler": "generic", "section": "generic", "frame": "window", "icon": "img",
        "image": "img", "list item": "listitem", "menu bar": "menubar", "menu item": "menuitem",
        "tearoff menu item": "menuitem", "page tab": "tab", "page tab list": "tablist", "panel": "group",
        "grouping": "group", "password text": "textbox", "text": "textbox", "entry": "textbox", "popup menu": "menu",
        "progress bar": "progressbar", "push button": "button", "push button menu": "button",
        "toggle button": "button", "radio button": "radio", "radio menu item": "menuitemradio",
        "row header": "rowheader", "scroll bar": "scrollbar", "dial": "slider", "spin button": "spinbutton",
        "status bar": "status", "table cell": "cell", "table column header": "columnheader",
        "table row header": "rowheader", "tool bar": "toolbar", "tool tip": "tooltip", "tree table": "treegrid",
        "tree item": "treeitem", "table row": "row", "document frame": "document", "document web": "document",
        "document text": "document", "document spreadsheet": "document", "document presentation": "document",
        "document email": "document", "list box": "listbox", "level bar": "meter", "block quote": "blockquote",
        "content deletion": "deletion", "content insertion": "insertion", "static": "label", "landmark": "region",
    ]
}
