// What recognisers and views compete for.

/// A touch, a gesture on a trackpad, or scrolling, from beginning to end.
@MainActor final class Contact {
    /// The view where it began (E1, E5).
    let view: View
    /// The recognisers that may see it: those of the view and of everything that contains it, from the inside out.
    let recognizers: [GestureRecognizer]
    /// The latest values, with one of `touch`, `transform` and `scroll`.
    var place: EventPlace
    var touch: Touch? {
        didSet { if let touch, touch.buttons != 0 { buttons = touch.buttonMask } }
    }
    /// The pointer's buttons that were pressed last.
    private(set) var buttons: Event.ButtonMask = []
    var transform: Transform?
    var scroll: Scroll?
    /// Scrolling by a single step, which is its own beginning and end.
    var isStep = false
    var event: Event
    /// The views get nothing of it any more: a gesture was recognised, or its view is gone.
    var isTaken = false
    /// It has ended, and what it caused has happened.
    var isOver = false
    /// Whether the view has received its beginning, but not its end.
    var isTold = false
    /// What the view gets once no recogniser delays it.
    var held: [(touch: Touch, event: Event)] = []

    init(_ view: View, _ place: EventPlace, _ event: Event) {
        self.view = view
        self.place = place
        self.event = event
        var (list, ancestor): ([GestureRecognizer], View?) = ([], view)
        while let current = ancestor {
            list += current.gestureRecognizers
            ancestor = current.superview
        }
        recognizers = list
    }

    /// Keeps the views from getting the rest.
    func take() {
        isTaken = true
        held = []
    }

    /// Tells the views, once each, that the rest will not come.
    static func cancelInViews(_ contacts: [Contact]) {
        var told = contacts.filter(\.isTold)
        for contact in told { contact.isTold = false }
        while let first = told.first {
            let group = told.filter { $0.view === first.view }
            told.removeAll { $0.view === first.view }
            let touches = group.compactMap { contact in
                contact.touch.map { touch in
                    var touch = touch
                    touch.phase = .cancelled
                    return touch
                }
            }
            if !touches.isEmpty { first.view.touchesCancelled(touches, with: first.event) }
            for contact in group {
                if var transform = contact.transform {
                    (transform.phase, transform.delta) = (.cancelled, .zero)
                    contact.view.transformed(transform, with: contact.event)
                } else if var scroll = contact.scroll {
                    (scroll.phase, scroll.delta, scroll.stepsX, scroll.stepsY) = (.cancelled, .zero, 0, 0)
                    contact.view.scrolled(scroll, with: contact.event)
                }
            }
        }
    }

    /// What has happened to it.
    var phase: Event.Phase { touch?.phase ?? transform?.phase ?? scroll?.phase ?? .stationary }
    /// Whether this is its first event.
    var begins: Bool { phase == .began || isStep }
    /// Whether this is its last event.
    var ends: Bool { phase == .ended || phase == .cancelled || isStep }

    /// Whether a recogniser that may still recognise keeps this phase from the view.
    func isDelayed(_ phase: Event.Phase) -> Bool {
        recognizers.contains { recognizer in
            guard recognizer.sees(self), recognizer.current == .possible else { return false }
            switch phase {
            case .began: return recognizer.delaysTouchesBegan
            case .ended: return recognizer.delaysTouchesEnded
            case .moved, .stationary, .cancelled: return false
            }
        }
    }
}

extension GestureRecognizer {
    /// Whether it has accepted the contact in this attempt.
    func sees(_ contact: Contact) -> Bool { isCompeting && contacts.contains { $0 === contact } }

    func sharesContact(with other: GestureRecognizer) -> Bool {
        contacts.contains { contact in other.contacts.contains { $0 === contact } }
    }
}
