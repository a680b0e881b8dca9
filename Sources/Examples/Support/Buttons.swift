// Named areas that can be tapped with fingers and the pointer.

import MullionClient

/// The tappable areas of a window. A tap is a touch (or a click) that begins and ends in the same area.
public final class Buttons {
    /// The areas, in points of the window.
    public var areas: [(name: String, rect: Rect)] = []
    /// Called with the name of the tapped area.
    public var onTap: ((String) -> Void)?
    /// Called when `pressed` changes.
    public var onPress: (() -> Void)?
    private var held: [Touch.ID: String] = [:]

    /// Receives the touches and clicks of that window.
    public init(_ window: Window) {
        window.onTouches = { [weak self] touches, _ in
            for touch in touches { self?.follow(touch) }
        }
    }

    /// The areas being pressed.
    public var pressed: Set<String> { Set(held.values) }

    private func name(at point: Point) -> String? { areas.first { $0.rect.contains(point) }?.name }

    private func follow(_ touch: Touch) {
        switch touch.phase {
        // Only the pointer's primary button counts.
        case .began where touch.tool == .indirectPointer && touch.buttons != 1: break
        case .began: press(touch.id, touch.location)
        case .moved, .stationary: break
        case .ended: lift(touch.id, touch.location)
        case .cancelled: lift(touch.id, nil)
        }
    }

    private func press(_ id: Touch.ID, _ point: Point) {
        guard let name = name(at: point) else { return }
        held[id] = name
        onPress?()
    }

    private func lift(_ id: Touch.ID, _ point: Point?) {
        guard let name = held.removeValue(forKey: id) else { return }
        onPress?()
        if let point, self.name(at: point) == name { onTap?(name) }
    }
}
