// Views that are drawn with a canvas.

import MullionClient

extension View {
    /// Draws the view with this function, now and whenever it has to be drawn again (see `setNeedsDisplay`). In a
    /// subclass, override `draw(_:)` instead and make a `Canvas` of its pixels.
    public func paint(_ body: @escaping (Canvas) -> Void) {
        onDraw = {
            let canvas = Canvas($0)
            body(canvas)
            // The pixels go, even if the canvas is kept.
            canvas.finish()
        }
    }
}
