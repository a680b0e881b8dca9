// The layout of a keyboard.

/// The names that make up an XKB configuration; empty ones mean the system's defaults.
public struct KeyboardLayout: Hashable, Sendable {
    public var rules = ""
    public var model = ""
    /// One or several, separated by commas.
    public var layout = "us"
    /// One for each layout, separated by commas.
    public var variant = ""
    /// Separated by commas.
    public var options = ""

    public init() {}
}
