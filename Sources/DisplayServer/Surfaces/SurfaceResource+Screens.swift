// Which screen a surface is on, as reported to its client.

import MullionWayland
import WindowModel

extension SurfaceResource {
    /// Sends enter and leave when the surface moves to another screen.
    func updateEnteredScreen() {
        updatePreferences()
        let now = hasContents ? shownScreen : nil
        guard now != enteredScreen else { return }
        for output in client.outputs where output.isAlive {
            if let old = enteredScreen, output.screen == old { send(WlSurface.Event.leave(output: output.id)) }
            if let now, output.screen == now { send(WlSurface.Event.enter(output: output.id)) }
        }
        enteredScreen = now
    }

    /// Sends enter for an output that the client bound after the surface was shown there.
    func didBind(_ output: OutputResource) {
        if let enteredScreen, output.screen == enteredScreen { send(WlSurface.Event.enter(output: output.id)) }
    }

    /// Whether the surface waits for a frame clock.
    var wantsFrame: Bool { !frameCallbacks.isEmpty || extensions?.wantFrame == true }

    /// Removes and returns the callbacks that are due.
    func takeFrameCallbacks() -> FrameCallbacks {
        framePlace = nil
        let due = frameCallbacks
        frameCallbacks = .none
        return due
    }
}
