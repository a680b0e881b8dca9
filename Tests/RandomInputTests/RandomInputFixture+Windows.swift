// Windows of random input, and their parts: what clients request, and what the reference knows of it.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer

extension RandomInputFixture {
    /// Adds windows; when this returns they all exist, and the plain ones are visible.
    func add(_ windows: [RandomWindow]) throws {
        for window in windows {
            readers[window.client].add(window.surface.id)
            window.surface.send(.commit)
        }
        world.windows += windows
        let toplevels = windows.filter { if case .toplevel = $0.kind { true } else { false } }
        try fixture.pump()
        world.identify(fixture.model.windows, in: fixture.model)
        follow()
        // One by one: the order in which they are mapped decides which one is key.
        for window in toplevels {
            window.surface.send(.attach(buffer: readers[window.client].windowBuffer.id, x: 0, y: 0))
            window.surface.send(.commit)
            try fixture.pump()
            follow()
        }
    }

    func destroy(_ window: RandomWindow) throws {
        if window.popup != nil {
            remove(popupOf: window)
            // The keyboard enters the window below first, which the client reads while the window is there.
            try fixture.pump()
            follow()
        }
        remove(subsurfaceOf: window)
        destroy(window.root, of: window)
        switch window.kind {
        case .window(let window): window.destroy()
        case .toplevel(let toplevel):
            toplevel.toplevel.send(.destroy)
            toplevel.xdg.send(.destroy)
            toplevel.surface.send(.destroy)
        }
    }

    private func destroy(_ face: RandomFace, of window: RandomWindow) {
        readers[window.client].remove(face.surface)
        for reference in references { reference.destroy(face) }
    }

    /// Call it after the destructions were read.
    func forgetDestroyed() { world.windows.removeAll { !$0.root.isAlive } }

    func addSubsurface(to window: RandomWindow, x: Int32, y: Int32) {
        let reader = readers[window.client]
        let object = TestSubsurface(bare: reader.client, surface: reader.client.surface(), parent: window.surface)
        object.subsurface.send(.setPosition(x: x, y: y))
        object.surface.send(.attach(buffer: reader.popupBuffer.id, x: 0, y: 0))
        object.surface.send(.commit)
        window.surface.send(.commit)
        reader.add(object.surface.id)
        let area = Rect(x: Double(x), y: Double(y), width: 60, height: 50)
        window.subsurface = (object, RandomFace(window, object.surface.id, area))
    }

    func remove(subsurfaceOf window: RandomWindow) {
        guard let (object, face) = window.subsurface else { return }
        window.subsurface = nil
        destroy(face, of: window)
        object.subsurface.send(.destroy)
        object.surface.send(.destroy)
    }

    /// A pop-up over a plain window, shown when this returns, unless it was dismissed at once.
    /// - Parameter seat: the seat whose keyboard it grabs; nil for none.
    func addPopup(to window: RandomWindow, _ toplevel: TestToplevel, x: Int32, y: Int32, grabs seat: Int?) throws {
        let reader = readers[window.client]
        let positioner = TestPopup.positioner(reader.client, width: 60, height: 50, x: x, y: y)
        let popup = TestPopup(reader.client, parent: toplevel.xdg, positioner: positioner)
        positioner.send(.destroy)
        if let seat { popup.popup.send(.grab(seat: reader.seats[seat].seat.id, serial: 0)) }
        popup.surface.send(.commit)
        reader.add(popup.surface.id)
        try fixture.pump()
        popup.surface.send(.attach(buffer: reader.popupBuffer.id, x: 0, y: 0))
        popup.surface.send(.commit)
        let area = Rect(x: Double(x), y: Double(y), width: 60, height: 50)
        let face = RandomFace(window, popup.surface.id, area)
        window.popup = (popup, face)
        if let seat { references[seat].popupGrabs(face) }
        try fixture.pump()
    }

    func remove(popupOf window: RandomWindow) {
        guard let (object, face) = window.popup else { return }
        window.popup = nil
        for reference in references { reference.remove(popup: face) }
        destroy(face, of: window)
        object.destroy()
    }
}
