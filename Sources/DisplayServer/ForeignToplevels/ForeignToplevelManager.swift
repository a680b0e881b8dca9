// zwlr_foreign_toplevel_manager_v1 and its handles

import MullionWayland
import WindowModel

/// Lists windows, and acts on them, for clients with the rights `view` and `administer`.
final class ForeignToplevelManagerResource: Resource {
    private(set) var watcher: ToplevelWatcher?

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        let watcher = ToplevelWatcher(client)
        watcher.announce = { [unowned self] toplevel in
            let handle = ForeignToplevelHandle(client, version: self.version, toplevel)
            send(ZwlrForeignToplevelManagerV1.Event.toplevel(toplevel: handle.id))
            handle.watcher = self.watcher
            handle.describe()
            return handle
        }
        self.watcher = watcher
        try watcher.start()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrForeignToplevelManagerV1.Request.self, opcode, &reader) {
        case .stop:
            send(ZwlrForeignToplevelManagerV1.Event.finished)
            destroy()
        }
    }

    override func willDestroy() { watcher?.stop() }
}

final class ForeignToplevelHandle: ToplevelHandleResource {
    /// The window whose handle was sent as the parent.
    var sentParent: Window.ID?

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrForeignToplevelHandleV1.Request.self, opcode, &reader) {
        case .setMaximized: toplevel?.setMaximized(true)
        case .unsetMaximized: toplevel?.setMaximized(false)
        case .setMinimized: setMinimized(true)
        case .unsetMinimized: setMinimized(false)
        case .activate(let seat): activate(on: try connection.resource(seat, as: SeatResource.self).seat)
        case .close:
            switch window.flatMap({ server.windows[$0] }) {
            case .toplevel(let toplevel): toplevel.requestClose()
            case .window(let window): window.requestClose()
            default: break
            }
        case .setRectangle(let surface, _, _, let width, let height):
            _ = try connection.resource(surface, as: SurfaceResource.self)
            guard width >= 0, height >= 0 else {
                throw ProtocolError(
                    object: id, code: ZwlrForeignToplevelHandleV1.Error.invalidRectangle.rawValue,
                    message: "\(width)x\(height) is not a size; use 0x0 for no rectangle")
            }
        case .destroy: destroy()
        case .setFullscreen(let output):
            toplevel?.setFullscreen(true, on: try connection.resource(output, as: OutputResource.self)?.screen)
        case .unsetFullscreen: toplevel?.setFullscreen(false)
        }
    }

    /// The window; nil once it is gone.
    private var window: Window.ID? { isClosed ? nil : sent.window }

    /// The window of a plain program. Those of the extension have the frame and visibility that their program chooses.
    private var toplevel: PlainWindow? {
        guard let window, case .toplevel(let toplevel) = server.windows[window], toplevel.isListed else { return nil }
        return toplevel
    }

    /// Shows also what the control API has hidden: it is listed as minimized.
    private func setMinimized(_ isMinimized: Bool) {
        guard let toplevel, let window = toplevel.window else { return }
        if isMinimized { return toplevel.setMinimized(true) }
        server.logErrors { () throws(ModelError) in try server.model.setHidden(false, of: window) }
    }

    /// As a touch does by K7: makes the window key and brings it to the front. K1: on the seat of its screen only.
    private func activate(on seat: ServerSeat) {
        let model = server.model
        guard let window, server.foreignToplevels.toplevel(window) != nil,
            (model.seat(of: window) ?? seat.id) == seat.id
        else { return }
        server.logErrors { () throws(ModelError) in try model.makeKeyAndVisible(window) }
    }

    // MARK: Events

    /// Sends everything but the parent.
    func describe() {
        send(ZwlrForeignToplevelHandleV1.Event.title(title: sent.title))
        send(ZwlrForeignToplevelHandleV1.Event.appId(appId: sent.applicationID))
        forEachOutput(of: sent.screen) { send(ZwlrForeignToplevelHandleV1.Event.outputEnter(output: $0.id)) }
        send(ZwlrForeignToplevelHandleV1.Event.state(state: states(of: sent)))
        needsDone = true
    }

    override func update(_ now: ForeignToplevel) {
        let old = sent
        sent = now
        guard now != old else { return }
        if now.title != old.title { send(ZwlrForeignToplevelHandleV1.Event.title(title: now.title)) }
        if now.applicationID != old.applicationID {
            send(ZwlrForeignToplevelHandleV1.Event.appId(appId: now.applicationID))
        }
        if now.screen != old.screen {
            forEachOutput(of: old.screen) { send(ZwlrForeignToplevelHandleV1.Event.outputLeave(output: $0.id)) }
            forEachOutput(of: now.screen) { send(ZwlrForeignToplevelHandleV1.Event.outputEnter(output: $0.id)) }
        }
        let states = states(of: now)
        if states != self.states(of: old) { send(ZwlrForeignToplevelHandleV1.Event.state(state: states)) }
        needsDone = true
    }

    override func finishUpdate() {
        let parent = sent.parent.flatMap { watcher?.handle(of: $0) }
        let parentWindow = parent?.isAlive == true ? parent?.sent.window : nil
        if version >= 3, parentWindow != sentParent {
            sentParent = parentWindow
            send(ZwlrForeignToplevelHandleV1.Event.parent(parent: parentWindow == nil ? nil : parent?.id))
            needsDone = true
        }
        if needsDone { send(ZwlrForeignToplevelHandleV1.Event.done) }
        needsDone = false
    }

    override func close() {
        isClosed = true
        send(ZwlrForeignToplevelHandleV1.Event.closed)
    }

    override func enter(_ output: OutputResource) {
        send(ZwlrForeignToplevelHandleV1.Event.outputEnter(output: output.id))
        send(ZwlrForeignToplevelHandleV1.Event.done)
    }

    override func leave(_ screen: Screen.ID) {
        forEachOutput(of: screen) { send(ZwlrForeignToplevelHandleV1.Event.outputLeave(output: $0.id)) }
        sent.screen = nil
        needsDone = true
    }

    private func forEachOutput(of screen: Screen.ID?, _ body: (OutputResource) -> Void) {
        guard let screen else { return }
        for output in client.outputs where output.screen == screen { body(output) }
    }

    /// An array of 32-bit words.
    private func states(of toplevel: ForeignToplevel) -> [UInt8] {
        var states: [ZwlrForeignToplevelHandleV1.State] = []
        if toplevel.isMaximized { states.append(.maximized) }
        if toplevel.isMinimized { states.append(.minimized) }
        if toplevel.isActivated { states.append(.activated) }
        if toplevel.isFullscreen, version >= 2 { states.append(.fullscreen) }
        return states.flatMap { state in (0..<4).map { UInt8(truncatingIfNeeded: state.rawValue >> ($0 * 8)) } }
    }
}
