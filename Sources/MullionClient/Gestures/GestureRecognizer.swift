// The base of all gesture recognisers.

import MullionGeometry

/// Recognises a gesture from the touches in a view and in its subviews (UIKit: UIGestureRecognizer).
///
/// ```swift
/// view.addGestureRecognizer(
///     PanGestureRecognizer { [unowned view] pan in
///         view.center = view.center + pan.translation(in: view.superview)
///         pan.setTranslation(.zero, in: view.superview)
///     })
/// ```
///
/// A discrete gesture goes from `possible` to `ended` or `failed`; a continuous one to `began`, any number of
/// `changed`, and `ended` or `cancelled`. When a gesture is recognised, other recognisers that see one of its touches
/// fail, unless both may recognise simultaneously, and the views do not get its touches any more. Of two that recognise
/// at the same moment, that of the inner view wins. Afterwards the recogniser is reset to `possible` and ignores the
/// touches that are still down; new ones begin a new attempt.
///
/// Times are judged by the timestamps of events, that is by the server's clock. When its view is removed from the
/// window or hidden, the recogniser is reset without a further call.
///
/// Subclasses override `touchesBegan` and its like, set `state`, and forget what they know in `reset()`.
@MainActor open class GestureRecognizer: GestureActions {
    /// The states of a recogniser, with UIKit's numbers.
    public enum State: Int, Sendable {
        /// Nothing is recognised yet.
        case possible = 0
        /// A continuous gesture has begun.
        case began
        /// A continuous gesture has changed.
        case changed
        /// A gesture was recognised and is over.
        case ended
        /// A continuous gesture was aborted and must be undone: by the server (E2) or by `isEnabled`.
        case cancelled
        /// The touches are not this gesture.
        case failed

        /// The name for discrete gestures.
        public static var recognized: State { .ended }
    }

    /// The view that it is attached to; see `View.addGestureRecognizer`.
    public internal(set) weak var view: View?
    /// A name for logs.
    public var name: String?

    /// Whether views lose the touches of the gesture when it is recognised: they get `touchesCancelled`, and nothing
    /// afterwards. Initially true.
    public var cancelsTouchesInView = true
    /// Whether views get touches only once this recogniser has failed; initially false.
    public var delaysTouchesBegan = false
    /// Whether views learn of the end of touches only once this recogniser has failed, so that recognition can still
    /// cancel them, as a double tap does with its first tap; initially true.
    public var delaysTouchesEnded = true
    /// The pointer's buttons that make it a touch for this recogniser, exactly; initially the primary one. Fingers and
    /// pencils have no buttons.
    public var buttonMaskRequired = Event.ButtonMask.primary

    /// Decides whether the gesture may begin, instead of overriding `shouldBegin`.
    public var onShouldBegin: (() -> Bool)?
    /// Decides whether the recogniser sees a touch, instead of overriding `shouldReceive`.
    public var onShouldReceive: ((Touch) -> Bool)?
    /// Decides about simultaneous recognition, instead of overriding `shouldRecognizeSimultaneously`.
    public var onShouldRecognizeSimultaneously: ((GestureRecognizer) -> Bool)?

    /// What it competes for, in order of appearance, including touches that ended in this attempt.
    var contacts: [Contact] = []
    /// The state that arbitration knows.
    var current = State.possible
    /// The state of the action that is being called.
    var announced: State?
    /// The state that it will have as soon as the recognisers fail that it requires to fail.
    var pending: State?
    /// What counts as the touches of a gesture whose touches did not all end together; nil: `contacts`.
    var finishedTouches: [Touch]?
    /// Whether an attempt is in progress.
    var isCompeting = false
    /// Increases with every attempt; what was queued in an earlier one does not happen.
    var attempt = 0
    var requirements: [WeakRecognizer] = []
    /// A call of the actions for `changed` is queued.
    var willReportChange = false
    private var alarm: GestureAlarm?
    private let actions = Observers<State>()

    /// A recogniser that is attached to no view and has no action.
    public required init() {}

    // MARK: State

    /// The state; in an action, that which the action is called for. Subclasses set it while touches are delivered, or
    /// later: `began`, `changed`, `ended` and `failed` as described above, `ended` at once for discrete gestures.
    /// Changes that are impossible do nothing. It stays `possible` while a recogniser that has to fail may recognise,
    /// and becomes `failed` when another recogniser prevents this one.
    public var state: State {
        get { announced ?? current }
        set { arbiter?.transition(self, to: newValue) }
    }

    /// Whether it sees touches; setting it to false cancels a gesture in progress. Initially true.
    public var isEnabled = true {
        didSet {
            guard !isEnabled, isCompeting else { return }
            arbiter?.transition(self, to: current == .possible ? .failed : .cancelled)
        }
    }

    var arbiter: GestureArbiter? { view?.window?.application.eventDelivery.arbiter }

    // MARK: Actions

    /// Calls `body` whenever the gesture is recognised: at `ended` of a discrete one, at `began`, `changed`, `ended`
    /// and `cancelled` of a continuous one. `body` may do anything. See `onChange` for the recogniser's own type.
    @discardableResult
    public final func observe(_ body: @escaping (State) -> Void) -> Observation { actions.add(body) }

    /// Calls the actions.
    func announce(_ state: State) {
        let outer = announced
        announced = state
        actions.notify(state)
        announced = outer
    }

    // MARK: Relations

    /// Makes this recogniser wait until another one, which sees the same touches, has failed; it fails when the other
    /// one recognises. A single tap that must not be half a double tap needs it.
    public func require(toFail other: GestureRecognizer) {
        requirements.removeAll { $0.recognizer == nil || $0.recognizer === other }
        if other !== self { requirements.append(WeakRecognizer(recognizer: other)) }
    }

    /// Whether the gesture may begin, or a discrete one be recognised; false makes it fail. Asked once it is clear what
    /// gesture it is. Initially what `onShouldBegin` says, else true.
    open func shouldBegin() -> Bool { onShouldBegin?() ?? true }
    /// Whether the recogniser sees a touch that begins. Initially what `onShouldReceive` says, else true.
    open func shouldReceive(_ touch: Touch) -> Bool { onShouldReceive?(touch) ?? true }
    /// Whether both may recognise at the same time; enough if one of the two says so. Initially what
    /// `onShouldRecognizeSimultaneously` says, else false.
    open func shouldRecognizeSimultaneously(with other: GestureRecognizer) -> Bool {
        onShouldRecognizeSimultaneously?(other) ?? false
    }
    /// Whether recognition makes another one fail that sees the same touches; initially true.
    open func canPrevent(_ other: GestureRecognizer) -> Bool { true }
    /// Whether another one that recognises makes this one fail; initially true.
    open func canBePrevented(by other: GestureRecognizer) -> Bool { true }

    // MARK: Touches

    /// Touches began that the recogniser sees; to be overridden.
    open func touchesBegan(_ touches: [Touch], with event: Event) {}
    /// Touches moved, or changed in force; to be overridden.
    open func touchesMoved(_ touches: [Touch], with event: Event) {}
    /// Touches ended; to be overridden.
    open func touchesEnded(_ touches: [Touch], with event: Event) {}
    /// The server cancelled touches (E2): cancels a continuous gesture that has begun, and makes any other fail.
    open func touchesCancelled(_ touches: [Touch], with event: Event) {
        state = current == .possible ? .failed : .cancelled
    }
    /// Called after each attempt, in whatever state it was; to be overridden to forget it.
    open func reset() {}

    /// Does not see this touch any more (UIKit: ignore(_:for:)): its view gets it as if the recogniser did not exist.
    public func ignore(_ touch: Touch, for event: Event) {
        contacts.removeAll { $0.touch?.id == touch.id && !$0.isOver }
    }

    /// Whether the recogniser sees something that begins. Touches do not mix with scrolling and gestures on a trackpad.
    func accepts(_ contact: Contact) -> Bool {
        guard let touch = contact.touch, contacts.allSatisfy({ $0.touch != nil }) else { return false }
        if touch.tool == .indirectPointer, touch.buttonMask != buttonMaskRequired { return false }
        return shouldReceive(touch)
    }

    /// A gesture on a trackpad, or scrolling, began, changed or ended.
    func sequenceChanged(_ contact: Contact, with event: Event) {}

    // MARK: Times

    /// The time in seconds of the server's clock when `deadlineDidPass` is to be called; nil: never. Events that occur
    /// later come after it.
    private(set) var deadline: Double?

    /// Sets the deadline this many seconds after a time; nil removes it.
    func setDeadline(_ seconds: Double?, after time: Double = 0) {
        alarm?.cancel()
        (alarm, deadline) = (nil, seconds.map { time + $0 })
        guard let seconds, let deadline, seconds > 0, seconds.isFinite, let window = view?.window else { return }
        alarm = GestureAlarm(window, deadline, within: seconds) { [weak self] in
            guard let self, self.deadline == deadline else { return }
            self.arbiter?.expire(at: deadline, self)
        }
    }

    func deadlineDidPass() {}
}

/// What lets an action name the type of its recogniser; all recognisers have it.
@MainActor public protocol GestureActions: AnyObject {
    /// A recogniser that is attached to no view and has no action.
    init()
    /// Calls `body` whenever the gesture is recognised.
    @discardableResult
    func observe(_ body: @escaping (GestureRecognizer.State) -> Void) -> Observation
}

extension GestureActions {
    /// A recogniser that is attached to no view; see `View.addGestureRecognizer`.
    /// - Parameter action: as in `onChange`.
    public init(_ action: @escaping (Self) -> Void) {
        self.init()
        onChange(action)
    }

    /// Calls `body` whenever the gesture is recognised: at `ended` of a discrete one, at `began`, `changed`, `ended`
    /// and `cancelled` of a continuous one. `body` may do anything, such as remove the view or dispatch.
    @discardableResult
    public func onChange(_ body: @escaping (Self) -> Void) -> Observation {
        observe { [unowned self] _ in body(self) }
    }
}

/// A weak reference to a recogniser.
struct WeakRecognizer {
    weak var recognizer: GestureRecognizer?
}
