// How a request names a screen.

import WindowModel

/// A screen by id or stable name.
package struct ScreenReference: Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension DisplayServer {
    /// The connected screen of a reference, or the main one without a reference; nil if there is none.
    package func screen(_ reference: ScreenReference?) -> Screen? {
        guard let reference else { return model.mainScreen.flatMap { model.screen($0) } }
        return try? screen(reference.text)
    }
}
