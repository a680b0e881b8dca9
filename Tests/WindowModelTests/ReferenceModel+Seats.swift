// Seats in the slow model: their screens and key windows (K1–K7).

import MullionGeometry
import WindowModel

extension ReferenceModel {
    /// The receiver of a sequence.
    struct Aim {
        var window: Window.ID
        var surface: Surface.ID?
    }

    struct Finger {
        let id: Int32
        let screen: Screen.ID
        var point: Point
        var attributes: Event.TouchAttributes
        var aim: Aim?
    }

    struct Run {
        var aim: Aim?
        var rest: Event.Detail
    }

    final class Person {
        let id: Seat.ID
        let screens: [String]
        var key: Window.ID?
        /// K8, L2: what key was taken from, and what asked while it could not be key, in this order.
        var memory: [Window.ID] = []
        var fingers: [Finger] = []
        var pencils: [Finger] = []
        var pressed: [UInt32] = []
        var pointer: (screen: Screen.ID, point: Point)?
        var buttons: [UInt32] = []
        var grab: Aim?
        var hover: Aim?
        var scroll: Run?
        var gesture: Run?
        var shake: Run?

        init(_ id: Seat.ID, _ screens: [String]) {
            self.id = id
            self.screens = screens
        }
    }

    /// The seat of a connected screen.
    func seat(_ screen: Screen.ID?) -> Person? {
        (self.screen(screen)?.name).map(seat(named:))
    }
    func seat(named name: String) -> Person { seats.first { $0.screens.contains(name) } ?? seats[0] }

    func keySeat(_ w: Win) -> Person? { seats.first { $0.key == w.id } }

    func addSeat(_ id: Seat.ID, _ names: [String]) {
        let first = seats[0]
        let person = Person(id, names)
        person.memory = first.memory
        seats.append(person)
        for index in asked.indices where asked[index].isWish && asked[index].seats.contains(first.id) {
            asked[index].seats.append(id)
        }
        for screen in screenList where self.screen(screen).map({ names.contains($0.name) }) ?? false {
            if let key = window(first.key), key.screen == screen { inherit(first) }
            cancel { self.window($0.window)?.screen == screen }
            person.fingers += first.fingers.filter { $0.screen == screen }
            first.fingers.removeAll { $0.screen == screen }
            losePencils(first, on: screen)
            if first.pointer?.screen == screen { losePointer(first) }
        }
        holdersTakeKey()
    }

    func setKey(_ next: Win?, _ seat: Person) {
        if let old = window(seat.key) {
            let aim = Aim(window: old.id, surface: old.root?.id)
            for code in seat.pressed { event(seat, .presses, .cancelled, .key(code), aim, old.screen) }
            seat.pressed = []
            if seat.shake?.aim != nil { event(seat, .motion, .cancelled, .shake, seat.shake?.aim, old.screen) }
            seat.shake?.aim = nil
            notify(.didResignKey(old.id, old.application, seat: seat.id))
        }
        seat.key = next?.id
        if restriction == nil, next?.holds != true { seat.memory = [] }
        if let next {
            withdraw(next)
            notify(.didBecomeKey(next.id, next.application, seat: seat.id))
        }
    }

    /// K2: also on the key window, a request voids the wishes of others.
    func ask(_ w: Win) {
        guard let seat = keySeat(w) else { return request(w) }
        asked.append((number: asked.count, seats: [seat.id], isWish: true))
    }

    func request(_ w: Win) {
        if !w.canBecomeKey { return }
        guard w.visible, let seat = seat(w.screen) else { return wish(w) }
        if seat.key == w.id { return }
        if !admits(w) { return wish(w) }
        if let holder = holder(seat), holder !== w { return wish(w) }
        if w.holds {
            if let key = window(seat.key) { wish(key, of: seat) }
        } else {
            asked.append((number: asked.count, seats: [seat.id], isWish: false))
        }
        setKey(w, seat)
    }

    /// Remembers that the window asked.
    /// - Parameter person: its seat, if that of its screen may be unknown already.
    func wish(_ w: Win, of person: Person? = nil) {
        w.wish = asked.count
        // Nobody can tell the seat of a window that waits for just any screen.
        let name = screen(w.screen)?.name ?? w.awaits
        let concerned = name.map { [seat(named: $0)] } ?? seats
        asked.append((number: asked.count, seats: concerned.map(\.id), isWish: true))
        guard w.visible, let seat = person ?? seat(w.screen) else { return }
        seat.memory.removeAll { $0 == w.id }
        seat.memory.append(w.id)
    }

    func withdraw(_ w: Win) {
        w.wish = nil
        for seat in seats { seat.memory.removeAll { $0 == w.id } }
    }

    /// The windows that can be key, back to front.
    func able(_ seat: Person) -> [Win] {
        sorted(
            windows.filter {
                $0.visible && $0.canBecomeKey && $0.application != dying && self.seat($0.screen) === seat && admits($0)
            })
    }

    /// K8: the window that has to be key.
    func holder(_ seat: Person) -> Win? { able(seat).last(where: \.holds) }

    func holdersTakeKey() {
        if returning != nil { return }
        for seat in seats {
            if let holder = holder(seat), holder.id != seat.key { request(holder) }
        }
    }

    /// K8, L2: the last of these that asked, or that key was taken from.
    func remembered(_ seat: Person, _ able: [Win]) -> Win? {
        seat.memory.compactMap { id in able.first { $0.id == id } }.last
    }

    func inherit(_ seat: Person, leaving: [Win] = []) {
        let old = window(seat.key)
        let able = able(seat).filter { w in w !== old && !leaving.contains { $0 === w } }
        if let next = able.last(where: \.holds) ?? remembered(seat, able) { return setKey(next, seat) }
        // K5: interaction is asked of heirs only.
        let heirs = able.filter(\.interactive)
        setKey(heirs.last { $0.application == old?.application } ?? heirs.last, seat)
    }
}
