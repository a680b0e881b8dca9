// Pans.

import MullionGeometry

/// Recognises fingers that drag, and scrolling where that is allowed (UIKit: UIPanGestureRecognizer); continuous. It
/// begins when the middle of enough touches has moved by 10 points, changes as long as there are enough, and ends when
/// all are lifted. Fingers may come and go meanwhile without a jump.
open class PanGestureRecognizer: GestureRecognizer {
    /// How far the middle of the touches moves before a pan begins, in points of the screen.
    static let threshold = 10.0

    /// The smallest number of touches; initially 1.
    public var minimumNumberOfTouches = 1
    /// The largest number of touches: more make it fail, or are ignored once it has begun. Initially unlimited.
    public var maximumNumberOfTouches = Int.max

    /// The scrolling that is a pan, too; initially none. The translation is the way of the content; the minimum and
    /// the maximum number of touches do not matter.
    public var allowedScrollTypesMask: ScrollTypeMask = []

    /// Kinds of scrolling (UIKit: UIScrollTypeMask).
    public struct ScrollTypeMask: OptionSet, Hashable, Sendable {
        /// UIKit's numbers.
        public let rawValue: Int

        /// - Parameter rawValue: UIKit's numbers.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// By single steps, as with a wheel: each begins and ends a pan.
        public static let discrete = ScrollTypeMask(rawValue: 1)
        /// From a beginning to an end, as with fingers on a trackpad.
        public static let continuous = ScrollTypeMask(rawValue: 2)
        /// All of them.
        public static let all: ScrollTypeMask = [.discrete, .continuous]
    }

    private var motion = TouchMotion()
    /// In points of the screen.
    private var moved = Point.zero
    private var path = Point.zero
    private var meter = Speedometer()

    /// The movement since enough touches were down, or since `setTranslation`, in points of a view, a window or a
    /// screen; nil means the screen. The way before the pan began is part of it, so that what follows the finger does
    /// not lag behind.
    public func translation(in space: (any CoordinateSpace)?) -> Point {
        space?.distance(fromScreen: moved) ?? moved
    }

    /// Replaces the translation, usually with zero after it was applied; the velocity stays.
    public func setTranslation(_ translation: Point, in space: (any CoordinateSpace)?) {
        moved = space?.distanceOnScreen(translation) ?? translation
    }

    /// The velocity in points of a view, a window or a screen per second, measured over the last 0.1 s; nil means the
    /// screen.
    public func velocity(in space: (any CoordinateSpace)?) -> Point {
        space?.distance(fromScreen: meter.speed) ?? meter.speed
    }

    open override func touchesBegan(_ touches: [Touch], with event: Event) {
        if activeTouches.count > maximumNumberOfTouches {
            guard isRunning else {
                state = .failed
                return
            }
            for touch in touches.suffix(activeTouches.count - maximumNumberOfTouches) { ignore(touch, for: event) }
        }
        follow(event)
    }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        follow(event)
        guard activeTouches.count >= minimumNumberOfTouches else { return }
        if isRunning {
            state = .changed
        } else if moved.length >= Self.threshold {
            state = .began
        }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) {
        follow(event)
        if activeTouches.isEmpty { state = isRunning ? .ended : .failed }
    }

    private func follow(_ event: Event) {
        let way = motion.update(activeTouches).translation
        guard activeTouches.count >= minimumNumberOfTouches else { return meter.forget(before: event.timestamp) }
        add(way, event)
    }

    private func add(_ way: Point, _ event: Event) {
        moved = moved + way
        path = path + way
        meter.add(path, at: event.timestamp)
    }

    override func accepts(_ contact: Contact) -> Bool {
        guard contact.scroll != nil else { return super.accepts(contact) }
        return contacts.isEmpty && allowedScrollTypesMask.contains(contact.isStep ? .discrete : .continuous)
    }

    override func sequenceChanged(_ contact: Contact, with event: Event) {
        guard let scroll = contact.scroll else { return }
        if scroll.phase == .cancelled { return touchesCancelled([], with: event) }
        add(.zero - scroll.delta, event)
        if contact.isStep || !isRunning && moved.length >= Self.threshold {
            state = .began
        } else if scroll.phase == .moved {
            state = isRunning ? .changed : .possible
        }
        if contact.ends { state = isRunning ? .ended : .failed }
    }

    open override func reset() {
        motion = TouchMotion()
        (moved, path) = (.zero, .zero)
        meter = Speedometer()
    }
}
