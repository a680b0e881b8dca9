// What must hold of seats between any two calls (K, E).

extension WindowModel {
    func checkSeats(_ check: Check) {
        check(seatNodes.first?.id == .first, "\(Rule.k1): the first seat is missing")
        check(Set(seatNodes.map(\.value.name)).count == seatNodes.count, "\(Rule.k1): two seats have one name")
        for screen in screenNodes {
            let owners = seatNodes.filter { $0.value.screens.contains(screen.value.name) }
            check(owners.count <= 1, "\(Rule.k1): screen \(screen.id) belongs to \(owners.count) seats")
            check(screen.seat === owners.first ?? seatNodes[0], "\(Rule.k1): screen \(screen.id) has another seat")
        }
        for window in windowNodes.values {
            let seats = seatNodes.count { $0.key === window }
            check(seats == (window.value.isKey ? 1 : 0), "\(Rule.k1): window \(window.id) is key on \(seats) seats")
        }
        let receivers = remoteReceivers.map(\.value.id)
        check(Set(receivers).count == receivers.count, "\(Rule.e4): an application receives twice")
        for application in applicationNodes.values {
            check(
                application.value.receivesRemoteControlEvents == receivers.contains(application.value.id),
                "\(Rule.e4): application \(application.value.id) reads wrongly")
        }
        check(receivers.allSatisfy { applicationNodes[$0] != nil }, "\(Rule.e4): an application that is gone receives")
        check(touchGroup == nil, "\(Rule.e1): a group of touches is open")
    }

    func checkKey(of seat: SeatNode, _ check: Check) {
        guard let key = seat.key else {
            check(seat.keys.isEmpty, "\(Rule.e3): seat \(seat.id): keys are down without a key window")
            check(seat.shake?.target == nil, "\(Rule.e3): seat \(seat.id): a shake goes on without a key window")
            return
        }
        check(windowNodes[key.id] === key, "\(Rule.k5): the key window is destroyed")
        check(key.value.isVisible, "\(Rule.k5): the key window is invisible")
        check(key.value.canBecomeKey, "\(Rule.k4): the key window declines")
        check(key.screen?.seat === seat, "\(Rule.k1): the key window of seat \(seat.id) is on another's screen")
        check(
            seat.shake?.target.map { $0.window === key } ?? true,
            "\(Rule.e2): a shake goes on in a window that is not key")
        check(Set(seat.keys).count == seat.keys.count, "\(Rule.e3): a key is down twice")
    }

    func checkInput(of seat: SeatNode, _ check: Check) {
        func checkTarget(_ target: SeatNode.Target?, at screen: Screen.ID? = nil) {
            guard let target else { return }
            let window = target.window
            check(windowNodes[window.id] === window, "\(Rule.e2): a target is destroyed")
            check(window.value.isVisible, "\(Rule.e2): target \(window.id) is invisible")
            check(window.screen?.seat === seat, "\(Rule.k1): target \(window.id) is on another seat's screen")
            check(screen == nil || screen == window.screen?.id, "\(Rule.e2): target \(window.id) has left its touch")
            if let surface = target.surface {
                let owner = surfaces.index(surface).flatMap { surfaces.window(of: $0) }
                check(owner === window, "\(Rule.e2): a target surface has left window \(window.id)")
            }
        }
        for touch in seat.touches {
            checkTarget(touch.target, at: touch.screen)
            let screen = screenNode(touch.screen)
            check(screen == nil || screen?.seat === seat, "\(Rule.k1): touch \(touch.id) is on another seat's screen")
            check(screen != nil || touch.target == nil, "\(Rule.e2): touch \(touch.id) goes on without its screen")
        }
        for target in [seat.grab, seat.hover, seat.scroll?.target, seat.gesture?.target] { checkTarget(target) }
        check(seat.grab == nil || !seat.buttons.isEmpty, "\(Rule.e5): a grab without a button")
        check(seat.grab == nil || seat.pointerScreen != nil, "\(Rule.e2): a grab without a pointer")
        check(Set(seat.buttons).count == seat.buttons.count, "\(Rule.e5): a button is down twice")
        check(Set(seat.touches.map(\.id)).count == seat.touches.count, "\(Rule.e1): a touch is down twice")
        let screen = seat.pointerScreen.map { screenNode($0) }
        check(
            screen.map { $0?.seat === seat } ?? true,
            "\(Rule.k1), \(Rule.s8): the pointer is on a lost or another seat's screen")
        check(seat.focus == nil || seat.focus?.seat == seat.id, "\(Rule.e5): the focus names another seat")
    }
}
