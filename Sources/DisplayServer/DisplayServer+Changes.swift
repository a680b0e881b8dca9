// What follows for the clients when screens and windows change.

import WindowModel

extension DisplayServer {
    func modeDidChange(_ id: Screen.ID) {
        guard let screen = model.screen(id), let output = outputs[id] else { return }
        remember(id)
        outputManagement.setNeedsUpdate()
        output.modeDidChange(screen)
        updatePreferredScales()
        captures.screenChanged(id)
        forEachResource(of: id) { $0.modeDidChange(screen) }
        boundsDidChange(of: id)
    }

    func screenPropertiesDidChange(_ id: Screen.ID) {
        guard let screen = model.screen(id) else { return }
        remember(id)
        outputManagement.setNeedsUpdate()
        outputs[id]?.describe(screen)
        forEachResource(of: id) { $0.describe(screen) }
        boundsDidChange(of: id)
    }

    func remember(_ id: Screen.ID) {
        guard let screen = model.screen(id) else { return }
        screenMemory.remember(screen, isConfigured: plugOptions(of: screen.name).isConfigured)
    }

    /// Plain programs learn the new bounds with their next configure.
    private func boundsDidChange(of id: Screen.ID) {
        for window in model.windows(on: id) {
            if case .toplevel(let object) = windows[window] { object.stateDidChange() }
        }
    }

    func forEachResource(of id: Screen.ID, _ body: (ScreenResource) -> Void) {
        for client in clients.values {
            for resource in client.screens where resource.screen == id { body(resource) }
        }
    }

    /// Tells the clients where a window's surfaces are now, and lets callbacks that waited go on. However often a window
    /// came and went, once is enough: the model knows only how it is in the end.
    func updateSurfaces(of window: Window.ID) {
        guard updatedWindows.insert(window).inserted else { return }
        for id in model.surfaces(of: window) {
            guard let surface = surfaces[id] else { continue }
            surface.updateEnteredScreen()
            scheduleFrame(for: surface)
        }
    }
}

extension DisplayServer {
    /// Calls the model where a refusal means that there is nothing left to do: the thing went in the meantime.
    package func ignore(_ body: () throws(ModelError) -> Void) {
        do {
            try body()
        } catch {
            switch error.kind {
            case .unknownScreen, .unknownApplication, .unknownWindow, .unknownSurface, .unknownSeat:
                log(.debug, "\(error)")
            // Every argument of a client was checked before: this is a mistake of ours.
            case .invalidValue, .role, .notAllowed: log(.error, "\(error)")
            }
        }
    }
}
