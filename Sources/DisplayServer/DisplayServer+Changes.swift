// Notifies clients of changes of screens and windows.

import Compositor
import WindowModel

extension DisplayServer {
    /// Announces the global of a screen that was just connected; clients are notified at the end of the turn.
    func serveScreen(_ id: Screen.ID) {
        guard let screen = model.screen(id) else { return }
        outputs[id] = ScreenOutput(self, screen: screen)
    }

    package func output(of id: Screen.ID) -> ScreenOutput? { outputs[id] }

    func screenDidConnect(_ id: Screen.ID) {
        remember(id)
        if let screen = model.screen(id) { outputs[id]?.updatePower(screen) }
        captures.screenDidConnect()
        updatePreferences()
        outputManagement.setNeedsUpdate()
        for client in clients.values {
            for application in client.applicationResources { application.announce(id, isNew: true) }
        }
    }

    func screenDidDisconnect(_ id: Screen.ID) {
        frames.screensChanged = true
        updatePreferences()
        captures.screenDidDisconnect(id)
        outputManagement.setNeedsUpdate()
        outputs.removeValue(forKey: id)?.disconnect()
        for seat in seats { seat.dragAndDrop.update() }
        for client in clients.values {
            for screen in client.screens where screen.screen == id { screen.disconnect() }
        }
    }

    func modeDidChange(_ id: Screen.ID) {
        guard let screen = model.screen(id), let output = outputs[id] else { return }
        remember(id)
        outputManagement.setNeedsUpdate()
        output.modeDidChange(screen)
        updatePreferences()
        captures.screenChanged(id)
        captures.subjectsDidChange()
        forEachResource(of: id) { $0.modeDidChange(screen) }
        boundsDidChange(of: id)
    }

    func screenPropertiesDidChange(_ id: Screen.ID) {
        guard let screen = model.screen(id) else { return }
        remember(id)
        outputManagement.setNeedsUpdate()
        outputs[id]?.describe(screen)
        captures.subjectsDidChange()
        if outputs[id]?.updatePreference(screen) == true { updatePreferences() }
        outputs[id]?.updatePower(screen)
        forEachResource(of: id) { $0.describe(screen) }
        boundsDidChange(of: id)
    }

    /// S2. A screen that was unplugged in the meantime is not announced; its successor is.
    func sendMainScreen(_ id: Screen.ID?) {
        for client in clients.values {
            for application in client.applicationResources { application.sendMainScreen(id) }
        }
    }

    func remember(_ id: Screen.ID) {
        // S10: switched-off screens may have made room for it.
        for screen in model.pluggedScreens where screen.id == id || !screen.isEnabled { remember(screen) }
    }

    func remember(_ screen: Screen) {
        screenMemory.remember(screen, isConfigured: plugOptions(of: screen.name).isConfigured)
    }

    /// Sends the new bounds to plain programs with a configure event.
    private func boundsDidChange(of id: Screen.ID) {
        outputs[id]?.layers.setNeedsArrangement()
        for window in model.windows(on: id) {
            if case .toplevel(let object) = windows[window] { object.stateDidChange() }
        }
    }

    func forEachResource(of id: Screen.ID, _ body: (ScreenResource) -> Void) {
        for client in clients.values {
            for resource in client.screens where resource.screen == id { body(resource) }
        }
    }

    /// Notifies the clients that watch or manage windows, receive selections or write text of what has changed. A client
    /// that does not read is notified in a later turn, once it has caught up.
    func updateWatchers() {
        (watchersNeedUpdate, watchersWait) = (false, false)
        foreignToplevels.update()
        for x11 in x11Servers { x11.update() }
        for seat in seats {
            seat.selections.update()
            seat.textInputs.update()
        }
    }

    /// Called when the pixels of a surface have changed: captures of its screen are updated.
    func contentsChanged(of surface: SurfaceResource) {
        guard let window = surface.window else {
            model.overlayNeedsDisplay(surface.node)
            for seat in seats { seat.pointer.cursor.contentsDidChange(of: surface) }
            return
        }
        contentsChanged(of: surface.node, surface.damage, in: window)
    }

    /// Called when the pixels of a surface in a window have changed: captures that show them are updated.
    func contentsChanged(of surface: Surface.ID, _ damage: DamageHistory, in window: Window.ID) {
        guard captures.contentsDidChange(of: surface, damage, in: window) else {
            frames.hiddenWindowsChanged = true
            return
        }
        frames.screensChanged = true
        guard countsPictures || clock.mode == .manual, let screen = model.visibleScreen(of: window) else { return }
        pictureDidChange(on: screen)
        for mirror in model.mirrors(of: screen) { pictureDidChange(on: mirror) }
    }

    /// Called when a screen may show something else.
    func pictureDidChange(on id: Screen.ID) {
        frames.screensChanged = true
        guard let output = outputs[id] else { return }
        output.pictureNumber &+= 1
        if clock.mode == .manual { output.lastChange = clock.now }
    }

    /// Notifies the clients of the screen of a window's surfaces, and schedules waiting frame callbacks. Done once per
    /// delivery of effects, because the model only has the final state.
    func updateSurfaces(of window: Window.ID) {
        guard updatedWindows.insert(window).inserted else { return }
        for id in model.surfaces(of: window) {
            guard let surface = surfaces[id] else { continue }
            surface.updateEnteredScreen()
            scheduleFrame(for: surface)
        }
    }

    /// Sends the surface's frame callbacks at the next tick of its screen, or of the clock of what no screen shows.
    func scheduleFrame(for surface: SurfaceResource) {
        guard surface.framePlace?.isOnScreen != true, surface.wantsFrame else { return }
        let clock = frameClock(of: surface)
        if let old = surface.framePlace?.clock {
            guard old !== clock else { return }
            old.forget(surface)
        }
        clock.schedule(surface)
    }

    private func frameClock(of surface: SurfaceResource) -> FrameClock {
        // S1, V3: a screen without power has no frames.
        guard let screen = frameScreen(of: surface), let output = outputs[screen], output.isPowered else {
            return unseenClock
        }
        return output.clock
    }

    /// The screen whose frames the surface follows; nil when none shows it.
    private func frameScreen(of surface: SurfaceResource) -> Screen.ID? {
        if case .cursor? = surface.roleName, let role = surface.role as? CursorRole,
            let screen = role.cursor.pointer.location?.screen ?? model.mainScreen
        {
            return screen
        }
        // C2: a visible window's surface is shown even without content.
        guard surface.hasContents || surface.role is WindowResource else { return nil }
        return surface.shownScreen
    }

    /// Sends the frame callbacks that need not wait for a tick. A clock that becomes due in the process is handled in the
    /// next turn, so that this one ends.
    func sendFramesDue() {
        let count = clocksDue.count
        for index in 0..<count { clocksDue[index].turnWillEnd() }
        clocksDue.removeFirst(count)
    }
}

extension DisplayServer {
    /// Calls the model, and logs an error: usually the object was destroyed in the meantime, so there is nothing left to
    /// do.
    package func logErrors(_ body: () throws(ModelError) -> Void) {
        do {
            try body()
        } catch {
            switch error.kind {
            case .unknownScreen, .unknownApplication, .unknownWindow, .unknownSurface, .unknownSeat:
                log(.debug, "\(error)")
            // Clients' arguments were validated before, so this is a bug of the server.
            case .invalidValue, .role, .notAllowed: log(.error, "\(error)")
            }
        }
    }
}
