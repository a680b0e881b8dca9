// The server's state of a connected screen.

import MullionWayland
import WindowModel

/// A screen's global and frame clock. A screen that is not captured costs no more than this.
package final class ScreenOutput {
    let screen: Screen.ID
    var globalName: UInt32 = 0
    let clock: FrameClock
    /// See `PlugOptions.provokesRaces`.
    private let provokesRaces: Bool
    /// As last seen by `updatePreference`.
    private var scale: Double
    private var transform: WlOutput.Transform
    let layers: ScreenLayers
    /// The control of its colours, if any.
    var gamma: GammaControlResource?
    /// The controls of its power.
    var powers: [OutputPowerResource] = []
    /// Whether it has power, as last seen by `updatePower`.
    private(set) var isPowered: Bool
    /// When its picture may have changed last, in microseconds of manual time; 0 with the real clock.
    package var lastChange: UInt64 = 0
    /// How often its picture may have changed while `DisplayServer.countsPictures`: while the number is the same, so are
    /// its pixels.
    package var pictureNumber: UInt64 = 0
    /// The number of plain windows placed here since there was none; each is offset from the previous one.
    var cascadeSteps = 0
    /// The last one of them.
    private var lastCascaded: Window.ID?
    private unowned let server: DisplayServer

    init(_ server: DisplayServer, screen: Screen) {
        let provokesRaces = server.plugOptions(of: screen.name).provokesRaces
        self.server = server
        self.provokesRaces = provokesRaces
        scale = screen.scale
        transform = screen.outputTransform
        isPowered = screen.isPowered
        self.screen = screen.id
        layers = ScreenLayers(server, screen: screen.id)
        clock = FrameClock(server, screen: screen.id, refresh: Self.refresh(of: screen))
        globalName = server.globals.add(WlOutput.self, reusingNames: provokesRaces) {
            [unowned server, id = screen.id] (client, resource, version) throws(ProtocolError) in
            // S9: binding an unplugged screen creates an inert object.
            _ = try OutputResource(client, id: resource, version: version, screen: server.model.screen(id))
        }
    }

    func modeDidChange(_ screen: Screen) {
        clock.setRefresh(Self.refresh(of: screen))
        _ = updatePreference(screen)
        updatePower(screen)
        describe(screen)
    }

    /// Counts a plain window that appears; on a screen without another one, counting starts again. X11 windows have a
    /// place before they appear.
    func nextCascadeStep(for window: Window.ID) -> Int {
        let own = server.model.visibleScreen(of: window) == screen ? 1 : 0
        let isAlone = server.model.plainWindowCount(on: screen) - layers.visibleCount == own
        let isFirst = lastCascaded.map { $0 == window || !server.isAboutToAppear($0, on: screen) } ?? true
        lastCascaded = window
        cascadeSteps = isAlone && isFirst ? 1 : cascadeSteps + 1
        return cascadeSteps
    }

    /// Whether the scale or the transform has changed since the last call.
    func updatePreference(_ screen: Screen) -> Bool {
        defer { (scale, transform) = (screen.scale, screen.outputTransform) }
        return (scale, transform) != (screen.scale, screen.outputTransform)
    }

    /// Sends every client the changed state.
    func describe(_ screen: Screen) {
        forEachResource { $0.describe(screen) }
    }

    /// Called when the screen's properties have changed.
    func updatePower(_ screen: Screen) {
        for control in powers { control.update(screen) }
        guard screen.isPowered != isPowered else { return }
        isPowered = screen.isPowered
        guard isPowered else {
            for surface in clock.takeWaiting() { server.scheduleFrame(for: surface) }
            return
        }
        for surface in server.surfaces.all where surface.wantsFrame { server.scheduleFrame(for: surface) }
    }

    /// In mHz; clamped, so that an invalid description cannot crash the server.
    private static func refresh(of screen: Screen) -> Int {
        let frames = max(1, min(screen.properties.maximumFramesPerSecond, 1_000_000))
        return max(1, min(screen.currentMode.refresh, frames * 1000))
    }

    /// S9: the global is withdrawn, the objects become inert.
    func disconnect() {
        layers.closeAll()
        server.sessionLock.screenWillDisconnect(screen)
        gamma?.fail()
        let controls = powers
        powers = []
        for control in controls { control.fail() }
        // Surfaces leave first: a client that destroys a wl_output when it is withdrawn must still get the event.
        for surface in server.surfaces.all where surface.enteredScreen == screen { surface.updateEnteredScreen() }
        server.foreignToplevels.screenWillDisconnect(screen)
        server.globals.withdraw(globalName, atOnce: provokesRaces)
        forEachResource { $0.makeInert() }
        for surface in clock.stop() { server.scheduleFrame(for: surface) }
    }

    private func forEachResource(_ body: (OutputResource) -> Void) {
        for client in server.clients.values {
            for output in client.outputs where output.screen == screen { body(output) }
        }
    }
}
