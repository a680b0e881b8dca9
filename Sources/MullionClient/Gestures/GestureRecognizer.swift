// Gestures.

/// Recognises a gesture from the touches in a view (UIKit: UIGestureRecognizer).
@MainActor open class GestureRecognizer {
    /// The view that it is attached to.
    public internal(set) weak var view: View?

    /// A recogniser that is attached to no view.
    public init() {}

    /// Forgets the touches.
    open func reset() {}

    /// Lets recognisers see touches.
    /// - Returns: the touches that they take from the views.
    static func deliver(
        _ touches: [Touch], _ event: Event, _ recognizers: (Touch) -> [GestureRecognizer]
    ) -> Set<Touch.ID> { [] }
}
