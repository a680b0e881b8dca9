// Touches stay with the view where they began (E1), unless a gesture takes them.

extension EventDelivery {
    /// What happened to a touch, and whether that matters to its view.
    private struct Update {
        let contact: Contact
        let touch: Touch
        /// The method that reports it; nil: nothing changed.
        let phase: Event.Phase?
    }

    /// Recognisers see touches first; then actions are called, and at last the views.
    func deliver(_ touches: [Touch], _ event: Event) {
        finishEarlier(event)
        var updates: [Update] = []
        // A callback before this may have closed the window.
        for var touch in touches where touch.isConcerned && !touch.window.isClosed {
            if touch.phase == .began {
                self.touches[touch.id]?.take()
                self.touches[touch.id] = Contact(hit(touch.place, event), touch.place, event)
            }
            guard let contact = self.touches[touch.id] else { continue }
            touch.place.view = contact.view
            let isUnchanged = touch.phase == .stationary && touch.buttons == contact.touch?.buttons
            (contact.touch, contact.place, contact.event) = (touch, touch.place, event)
            let phase = touch.phase == .stationary ? Event.Phase.moved : touch.phase
            updates.append(Update(contact: contact, touch: touch, phase: isUnchanged ? nil : phase))
            if touch.phase == .ended || touch.phase == .cancelled { self.touches[touch.id] = nil }
        }
        arbiter.collect(updates.map(\.contact), event)
        arbiter.enqueue { [unowned self] in tell(updates, event) }
        arbiter.close(updates.lazy.map(\.contact).filter(\.ends))
        arbiter.drain()
    }

    /// What is left of an earlier event, when one of its calls dispatches (E9), and deadlines before this one.
    func finishEarlier(_ event: Event) {
        arbiter.drain()
        arbiter.expire(at: event.timestamp)
    }

    private func tell(_ updates: [Update], _ event: Event) {
        for phase in [Event.Phase.began, .moved, .ended, .cancelled] {
            var groups: [(view: View, updates: [Update])] = []
            for update in updates where update.phase == phase && !update.contact.isTaken {
                let contact = update.contact
                if phase == .cancelled {
                    // What a recogniser held back never happened.
                    contact.held = []
                    if !contact.isTold { continue }
                } else if !contact.held.isEmpty || contact.isDelayed(phase) {
                    arbiter.hold(contact, update.touch, event)
                    continue
                }
                if let index = groups.firstIndex(where: { $0.view === contact.view }) {
                    groups[index].updates.append(update)
                } else {
                    groups.append((contact.view, [update]))
                }
            }
            for group in groups {
                // A view that was notified earlier may have removed this one.
                let part = group.updates.filter { !$0.contact.isTaken }
                for update in part { update.contact.isTold = phase == .began || phase == .moved }
                if !part.isEmpty { Self.call(group.view, phase, part.map(\.touch), event) }
            }
        }
    }

    /// Tells a view what was held back.
    static func tell(_ contact: Contact, _ touch: Touch, _ event: Event) {
        guard !contact.isTaken else { return }
        contact.isTold = touch.phase != .ended
        call(contact.view, touch.phase, [touch], event)
    }

    private static func call(_ view: View, _ phase: Event.Phase, _ touches: [Touch], _ event: Event) {
        switch phase {
        case .began: view.touchesBegan(touches, with: event)
        case .moved, .stationary: view.touchesMoved(touches, with: event)
        case .ended: view.touchesEnded(touches, with: event)
        case .cancelled: view.touchesCancelled(touches, with: event)
        }
    }

    // MARK: Views that go

    /// E2: resets the recognisers of a view that is removed or hidden and of the views inside, and cancels the touches
    /// that began there; their rest goes to no view.
    func abandon(_ view: View) {
        let gone = contacts { view.contains($0.view) }
        for contact in gone { contact.take() }
        arbiter.reset { view.contains($0) }
        Contact.cancelInViews(gone)
    }

    /// Forgets everything in a window that was closed.
    func forget(_ window: Window) {
        for contact in contacts(where: { $0.place.window === window }) { contact.take() }
        arbiter.reset { $0.window === window }
        touches = touches.filter { $0.value.place.window !== window }
        transforms = transforms.filter { $0.value.place.window !== window }
        scrolls = scrolls.filter { $0.value.place.window !== window }
    }

    /// Those in progress and those whose end a view still waits for.
    private func contacts(where isIncluded: (Contact) -> Bool) -> [Contact] {
        let down = touches.values.sorted { ($0.touch?.id.number ?? 0) < ($1.touch?.id.number ?? 0) }
        return (arbiter.holding + down + transforms.values + scrolls.values).filter { isIncluded($0) && !$0.isTaken }
    }
}

extension Window {
    /// Resets its recognisers and those of its views. The server cancels the touches itself (E2), if it is still hidden
    /// at the commit.
    func resetGestures() { application.eventDelivery.arbiter.reset { $0.window === self } }
}
