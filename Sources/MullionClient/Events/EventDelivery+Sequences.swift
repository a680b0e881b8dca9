// Scrolling and gestures on a trackpad stay with the view where they began (E5), unless a gesture takes them.

extension EventDelivery {
    func deliver(_ transform: Transform, _ event: Event) {
        finishEarlier(event)
        guard !transform.place.window.isClosed else { return }
        var transform = transform
        let contact = contact(transforms[event.seat], transform.place, transform.phase, event)
        transform.place.view = contact.view
        contact.transform = transform
        transforms[event.seat] = contact.ends ? nil : contact
        deliver(contact, event) { [transform] in $0.transformed(transform, with: event) }
    }

    func deliver(_ scroll: Scroll, _ event: Event) {
        finishEarlier(event)
        guard !scroll.place.window.isClosed else { return }
        var scroll = scroll
        let running = scrolls[event.seat]
        let contact = contact(running, scroll.place, scroll.phase, event)
        scroll.place.view = contact.view
        contact.scroll = scroll
        contact.isStep = scroll.phase == .moved && contact !== running
        scrolls[event.seat] = contact.ends ? nil : contact
        deliver(contact, event) { [scroll] in $0.scrolled(scroll, with: event) }
    }

    /// What an event belongs to: what is running, or something new at the pointer.
    private func contact(
        _ running: Contact?, _ place: EventPlace, _ phase: Event.Phase, _ event: Event
    ) -> Contact {
        if phase != .began, let running, running.place.window === place.window {
            (running.place, running.event) = (place, event)
            return running
        }
        return Contact(hit(place, event), place, event)
    }

    /// Recognisers come first, then actions and the view.
    private func deliver(_ contact: Contact, _ event: Event, _ tell: @escaping (View) -> Void) {
        let ends = contact.ends
        arbiter.collect([contact], event)
        arbiter.enqueue {
            guard !contact.isTaken else { return }
            contact.isTold = !ends
            tell(contact.view)
        }
        arbiter.close(ends ? [contact] : [])
        arbiter.drain()
    }
}
