// A push button.

import MullionClient
import MullionDrawing

/// A view that is tapped: pressed by a touch or the pointer's primary button, and released inside.
public final class Button: View {
    /// The text on it.
    public let title: String
    /// Whether it is being pressed.
    public private(set) var isPressed = false {
        didSet { if isPressed != oldValue { setNeedsDisplay() } }
    }
    private let paint: (Canvas, Button) -> Void
    private let action: () -> Void

    /// - Parameters:
    ///   - paint: draws the button.
    ///   - action: called when it was tapped.
    public init(_ title: String, paint: @escaping (Canvas, Button) -> Void, action: @escaping () -> Void) {
        self.title = title
        self.paint = paint
        self.action = action
        super.init()
    }

    public override func draw(_ pixels: PixelBuffer) { paint(Canvas(pixels), self) }

    public override func touchesBegan(_ touches: [Touch], with event: Event) {
        isPressed = touches.contains { $0.tool != .indirectPointer || $0.buttons == 1 }
    }

    public override func touchesMoved(_ touches: [Touch], with event: Event) {}

    public override func touchesEnded(_ touches: [Touch], with event: Event) {
        guard isPressed else { return }
        isPressed = false
        if touches.contains(where: { bounds.contains($0.location(in: self)) }) { action() }
    }

    public override func touchesCancelled(_ touches: [Touch], with event: Event) { isPressed = false }
}
