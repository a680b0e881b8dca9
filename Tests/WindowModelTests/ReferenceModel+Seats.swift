// Seats in the slow model: their screens and key windows (K1–K7).

import Geometry
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
        guard let name = self.screen(screen)?.name else { return nil }
        return seats.first { $0.screens.contains(name) } ?? seats[0]
    }

    func keySeat(_ w: Win) -> Person? { seats.first { $0.key == w.id } }

    func addSeat(_ id: Seat.ID, _ names: [String]) {
        let first = seats[0]
        let person = Person(id, names)
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
        if let next {
            next.wish = nil
            notify(.didBecomeKey(next.id, next.application, seat: seat.id))
        }
    }

    func request(_ w: Win) {
        if !w.canBecomeKey { return }
        guard w.visible, let seat = seat(w.screen) else { return wish(w) }
        if seat.key == w.id { return }
        if !admits(w) { return wish(w) }
        asked.append((number: asked.count, seats: [seat.id], isWish: false))
        setKey(w, seat)
    }

    /// Remembers that the window asked.
    func wish(_ w: Win) {
        w.wish = asked.count
        // Nobody can tell the seat of a window that waits for just any screen.
        let name = screen(w.screen)?.name ?? w.awaits
        let concerned = name.map { name in [seats.first { $0.screens.contains(name) } ?? seats[0]] } ?? seats
        asked.append((number: asked.count, seats: concerned.map(\.id), isWish: true))
    }

    /// The windows to which key can pass on, back to front.
    func able(_ seat: Person) -> [Win] {
        sorted(
            windows.filter {
                $0.id != seat.key && $0.visible && $0.canBecomeKey && $0.interactive && $0.application != dying
                    && self.seat($0.screen) === seat && admits($0)
            })
    }

    func inherit(_ seat: Person, leaving: [Win] = []) {
        let old = window(seat.key)
        let able = able(seat).filter { w in !leaving.contains { $0 === w } }
        if old.map({ !admits($0) }) ?? true, let next = lastToAsk(able, seat) { return setKey(next, seat) }
        setKey(able.last { $0.application == old?.application } ?? able.last, seat)
    }
}
