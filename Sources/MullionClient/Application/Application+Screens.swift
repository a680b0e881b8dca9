// Connecting and disconnecting screens and seats.

import MullionWayland

/// A weak reference to a screen.
struct WeakScreen {
    weak var screen: Screen?
}

extension Application {
    /// Sets the handlers of the global objects.
    func listen() {
        globals.application.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            // Immediately: events of the new object may follow in the same read.
            case .screen(let id, let announced): self.screenCame(id, isAnnounced: announced != 0)
            case .mainScreen(let id): self.enqueue { [weak self] in self?.mainScreenCame(id) }
            // In order: the pong confirms that earlier events were delivered and the resulting changes committed.
            case .ping(let serial):
                self.enqueue { [weak self] in
                    self?.commitPending()
                    self?.globals.application.send(.pong(serial: serial))
                }
            }
        }
        globals.registry.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .global(let name, WlSeat.name, let version): self.addSeat(name, version)
            // In order: what its devices said before has not been delivered.
            case .globalRemove(let name):
                self.enqueue { [weak self] in self?.seats.removeValue(forKey: name)?.release() }
            case .global: break
            }
        }
        for seat in globals.seats { addSeat(seat.name, seat.version) }
    }

    private func addSeat(_ name: UInt32, _ version: UInt32) {
        seats[name] = Seat(self, Globals.bind(globals.registry, name: name, version: version))
    }

    private func screenCame(_ id: ObjectID, isAnnounced: Bool) {
        let proxy = Proxy<MullionScreenV1>(connection, id: id, version: globals.application.version)
        screenCount += 1
        let screen = Screen(proxy, isAnnounced: isAnnounced, number: screenCount)
        screensByID[id] = WeakScreen(screen: screen)
        comingScreens.append(screen)
        proxy.onEvent = { [weak self, weak screen] event in
            guard let self, let screen else { return }
            self.enqueue { self.handle(event, of: screen) }
        }
    }

    private func handle(_ event: MullionScreenV1.Event, of screen: Screen) {
        screen.describe(event)
        switch event {
        case .done where screen.isComplete:
            for window in allWindows where window.screen === screen { window.screenScaleMayHaveChanged() }
            screen.observers.notify(.didChange)
            observers.notify(.screenDidChange(screen))
        case .done:
            screen.isComplete = true
            comingScreens.removeAll { $0 === screen }
            screens.append(screen)
            guard screen.isAnnounced else { return }
            observers.notify(.screenDidConnect(screen))
        case .modeDidChange:
            screen.observers.notify(.modeDidChange)
            observers.notify(.screenModeDidChange(screen))
        case .orientationWillChange(let from, let to, let duration):
            let (old, new) = (Screen.Orientation(from), Screen.Orientation(to))
            let seconds = Double(duration) / 1000
            screen.observers.notify(.orientationWillChange(from: old, to: new, duration: seconds))
            observers.notify(.screenOrientationWillChange(screen, from: old, to: new, duration: seconds))
        case .orientationDidChange(let from, let to):
            let (old, new) = (Screen.Orientation(from), Screen.Orientation(to))
            screen.observers.notify(.orientationDidChange(from: old, to: new))
            observers.notify(.screenOrientationDidChange(screen, from: old, to: new))
        case .refused(let reason):
            screen.observers.notify(.changeWasRefused(reason: reason))
            observers.notify(.screenChangeWasRefused(screen, reason: reason))
        case .didDisconnect:
            disconnected(screen)
        default:
            break
        }
    }

    /// S2: the first message says what the list said.
    private func mainScreenCame(_ id: ObjectID?) {
        let screen = id.flatMap { screensByID[$0]?.screen }
        let (old, new) = (mainScreenNumber, screen?.number ?? 0)
        mainScreenNumber = new
        putMainScreenFirst()
        guard let old, old != new else { return }
        observers.notify(.mainScreenDidChange(screen))
    }

    /// S2: the main screen first, the others in order of connection. Until the server says which one is main now, its
    /// rule does.
    private func putMainScreenFirst() {
        screens.sort { $0.number < $1.number }
        let main = screens.firstIndex { $0.number == mainScreenNumber } ?? screens.firstIndex { $0.kind == .builtIn }
        if let main { screens.insert(screens.remove(at: main), at: 0) }
    }

    private func disconnected(_ screen: Screen) {
        screen.isConnected = false
        comingScreens.removeAll { $0 === screen }
        // S9: a screen unplugged before its description was complete was never announced.
        guard screen.isComplete else { return }
        screens.removeAll { $0 === screen }
        if screen.number == mainScreenNumber { putMainScreenFirst() }
        screen.observers.notify(.didDisconnect)
        screen.observers.finish()
        observers.notify(.screenDidDisconnect(screen))
    }
}
