// Invariants of seats that hold between any two calls (K, E).

extension WindowModel {
    func checkSeats(_ check: Check) {
        check(seatNodes.first?.id == .first, "\(Rule.k1): the first seat is missing")
        check(Set(seatNodes.map(\.value.name)).count == seatNodes.count, "\(Rule.k1): two seats have the same name")
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
        check(Set(receivers).count == receivers.count, "\(Rule.e4): an application is listed twice as receiver")
        for application in applicationNodes.values {
            check(
                application.value.receivesRemoteControlEvents == receivers.contains(application.value.id),
                "\(Rule.e4): application \(application.value.id) has a wrong receiver flag")
        }
        check(receivers.allSatisfy { applicationNodes[$0] != nil }, "\(Rule.e4): a removed application is a receiver")
        check(
            [lockHolder, inputOwner].allSatisfy { $0.map { applicationNodes[$0] != nil } ?? true },
            "\(Rule.l3): a removed application holds the lock or the input")
        check(touchGroup == nil, "\(Rule.e1): a group of touches is open")
        check(
            keyHolderCount == windowNodes.values.count(where: \.value.holdsKey),
            "\(Rule.k8): \(keyHolderCount) windows are said to hold key")
    }

    func checkKey(of seat: SeatNode, _ check: Check) {
        let keys = input[seat].keys
        check(
            keyHolder(of: seat).map { $0 === seat.key } ?? true,
            "\(Rule.k8): seat \(seat.id): a window that holds key is not key")
        guard let key = seat.key else {
            check(keys.isEmpty, "\(Rule.e3): seat \(seat.id): keys are down without a key window")
            check(seat.shake == nil, "\(Rule.e3): seat \(seat.id): a shake goes on without a key window")
            return
        }
        check(windowNodes[key.id] === key, "\(Rule.k5): the key window is destroyed")
        check(key.value.isVisible, "\(Rule.k5): the key window is invisible")
        check(admits(key), "\(Rule.l2): the key window must not receive events")
        check(key.value.canBecomeKey, "\(Rule.k4): the key window cannot become key")
        check(key.screen?.seat === seat, "\(Rule.k1): the key window of seat \(seat.id) is on another seat's screen")
        check(seat.shake.map { $0.window === key } ?? true, "\(Rule.e2): a shake goes on in a window that is not key")
        check(Set(keys).count == keys.count, "\(Rule.e3): a key is down twice")
        check(
            seat.shake == nil || input[seat].isShaking, "\(Rule.e3): seat \(seat.id): a shake goes on that has ended"
        )
    }

    func checkInput(of seat: SeatNode, _ check: Check) {
        func checkTarget(_ target: SeatNode.Target?, at screen: Screen.ID? = nil) {
            guard let target else { return }
            let window = target.window
            check(windowNodes[window.id] === window, "\(Rule.e2): a target is destroyed")
            check(window.value.isVisible, "\(Rule.e2): target \(window.id) is invisible")
            check(admits(window), "\(Rule.l2): target \(window.id) must not receive events")
            check(window.screen?.seat === seat, "\(Rule.k1): target \(window.id) is on another seat's screen")
            check(screen == nil || screen == window.screen?.id, "\(Rule.e2): target \(window.id) has left its touch")
            if let surface = target.surface {
                let owner = surfaces.index(surface).flatMap { surfaces.window(of: $0) }
                check(owner === window, "\(Rule.e2): a target surface has left window \(window.id)")
            }
        }
        let down = input[seat]
        let touches = Set(down.touches.map(\.id))
        for touch in down.touches {
            let target = seat.touchTargets[touch.id]
            checkTarget(target, at: touch.screen)
            let screen = screenNode(touch.screen)
            check(screen == nil || screen?.seat === seat, "\(Rule.k1): touch \(touch.id) is on another seat's screen")
            check(screen != nil || target == nil, "\(Rule.e2): touch \(touch.id) goes on without its screen")
        }
        for target in [seat.grab, seat.hover, seat.scroll, seat.gesture] + seat.pencilTargets.targets {
            checkTarget(target)
        }
        let pencils = Set(down.pencils.map(\.id))
        check(pencils.count == down.pencils.count, "\(Rule.e5): a pencil hovers twice")
        check(pencils.isSuperset(of: seat.pencilTargets.ids), "\(Rule.e5): the target of a pencil that does not hover")
        check(
            touches.isDisjoint(with: seat.pencilTargets.ids), "\(Rule.e5): a pencil hovers and touches at the same time"
        )
        check(
            down.pencils.allSatisfy { screenNode($0.screen)?.seat === seat },
            "\(Rule.k1), \(Rule.s8): a pencil is above a lost or another seat's screen")
        check(seat.pressTarget == nil || !down.buttons.isEmpty, "\(Rule.e5): a grab without a button")
        check(
            seat.carried?.touch.map(touches.contains) ?? true, "\(Rule.e2): a drag has a touch that is not down")
        check(seat.pressTarget == nil || down.pointerScreen != nil, "\(Rule.e2): a grab without a pointer")
        check(seat.scroll == nil || down.scroll != nil, "\(Rule.e5): the target of a scroll that has ended")
        check(seat.gesture == nil || down.gesture != nil, "\(Rule.e5): the target of a gesture that has ended")
        check(Set(down.buttons).count == down.buttons.count, "\(Rule.e5): a button is down twice")
        check(touches.count == down.touches.count, "\(Rule.e1): a touch is down twice")
        check(touches.isSuperset(of: seat.touchTargets.ids), "\(Rule.e1): the target of a touch that is not down")
        let screen = down.pointerScreen.map { screenNode($0) }
        check(
            screen.map { $0?.seat === seat } ?? true,
            "\(Rule.k1), \(Rule.s8): the pointer is on a lost or another seat's screen")
        check(seat.focus == nil || seat.focus?.seat == seat.id, "\(Rule.e5): the focus names another seat")
    }
}
