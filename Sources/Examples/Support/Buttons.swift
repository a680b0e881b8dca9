// Named areas that can be tapped, by any number of fingers and by the pointer.

import MullionClient

/// The tappable areas of a window. A tap is a touch (or a click) that begins and ends in the same area.
public final class Buttons {
    /// The areas, in points of the window.
    public var areas: [(name: String, rect: Rect)] = []
    /// Called with the name of the area that was tapped.
    public var onTap: ((String) -> Void)?
    /// Called when `pressed` changed.
    public var onPress: (() -> Void)?
    private var held: [Int32: String] = [:]
    /// No touch has this number.
    private static let pointer = Int32.min

    /// Takes the touches and clicks of that window.
    public init(_ window: Window) {
        window.onTouch = { [weak self] touch in
            switch touch.phase {
            case .began: self?.press(touch.id, touch.location)
            case .moved: break
            case .ended: self?.lift(touch.id, touch.location)
            case .cancelled: self?.lift(touch.id, nil)
            }
        }
        window.onPointer = { [weak self] event in
            guard let self else { return }
            switch event.kind {
            case .button(code: 272, isPressed: true): press(Self.pointer, event.location)
            case .button(code: 272, isPressed: false): lift(Self.pointer, event.location)
            case .left: lift(Self.pointer, nil)
            default: break
            }
        }
    }

    /// The areas that are held down.
    public var pressed: Set<String> { Set(held.values) }

    private func name(at point: Point) -> String? { areas.first { $0.rect.contains(point) }?.name }

    private func press(_ id: Int32, _ point: Point) {
        guard let name = name(at: point) else { return }
        held[id] = name
        onPress?()
    }

    private func lift(_ id: Int32, _ point: Point?) {
        guard let name = held.removeValue(forKey: id) else { return }
        onPress?()
        if let point, self.name(at: point) == name { onTap?(name) }
    }
}
