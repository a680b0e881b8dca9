// How a request names a screen.

/// A screen by id or stable name.
package struct ScreenReference: Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }
}
