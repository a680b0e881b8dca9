// zxdg_decoration_manager_v1 and zxdg_toplevel_decoration_v1

import MullionWayland

/// zxdg_decoration_manager_v1: negotiates whether client or server draws title bars and borders.
final class DecorationManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgDecorationManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getToplevelDecoration(let id, let toplevelID):
            let toplevel = try connection.resource(toplevelID, as: ToplevelResource.self)
            try DecorationResource(client, id: id, version: version).start(toplevel)
        }
    }
}

/// zxdg_toplevel_decoration_v1: the decoration mode of one toplevel. The client gets the mode that it asks for, because
/// some programs destroy a window that gets another. Until it asks, the mode is server-side as with other servers: a
/// program that creates this object without a mode leaves its decorations to the server, and SDL and Qt act on the first
/// answer, which may come before their request. In server-side mode the configuration decides what is drawn, a bar or
/// nothing; a window's frame is its content either way (W1).
final class DecorationResource: Resource {
    typealias Mode = ZxdgToplevelDecorationV1.Mode

    /// Set to nil when that is destroyed, or this one.
    var toplevel: ToplevelResource?
    /// What the client asked for; nil if it leaves that to the server.
    var requested: Mode?
    /// Whether the client waits for an answer.
    var owesAnswer = false
    /// Whether it is in the server's list.
    private var isScheduled = false

    var mode: Mode { requested ?? .serverSide }

    func start(_ toplevel: ToplevelResource) throws(ProtocolError) {
        guard toplevel.extensions?.decoration == nil else {
            throw error(.alreadyConstructed, "toplevel \(toplevel.id) already has a decoration")
        }
        guard !toplevel.hasBuffer else {
            throw error(
                .unconfiguredBuffer, "toplevel \(toplevel.id) has a buffer; create its decoration before attaching one")
        }
        self.toplevel = toplevel
        toplevel.ownExtensions.decoration = self
        scheduleAnswer()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgToplevelDecorationV1.Request.self, opcode, &reader) {
        case .destroy: return destroy()
        case .setMode(let mode): requested = [.clientSide, .serverSide].contains(mode) ? mode : nil
        case .unsetMode: requested = nil
        }
        scheduleAnswer()
    }

    override func willDestroy() {
        toplevel?.extensions?.decoration = nil
        toplevel = nil
    }

    /// Answers once the requests that came together with this one are known: the mode is often set right after the
    /// object is created, and a first answer without it would be another mode.
    func scheduleAnswer() {
        owesAnswer = true
        guard !isScheduled else { return }
        isScheduled = true
        server.owedDecorations.append(self)
    }

    /// Whether the mode may be among the client's requests that wait for its next turn.
    fileprivate var awaitsMode: Bool { isAlive && requested == nil && client.isWaitingForTurn }

    /// Answers with a configure of the toplevel, unless its first one is still to come or has answered meanwhile.
    fileprivate func answer() {
        isScheduled = false
        guard isAlive, owesAnswer else { return }
        toplevel?.decorationWantsConfigure()
    }

    /// Called when the toplevel is about to be configured.
    func toplevelWillConfigure() {
        guard owesAnswer else { return }
        owesAnswer = false
        send(ZxdgToplevelDecorationV1.Event.configure(mode: mode))
    }

    /// Called when the toplevel was unmapped: its next first configure states the mode again.
    func toplevelDidUnmap() { owesAnswer = true }

    func error(_ code: ZxdgToplevelDecorationV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension DisplayServer {
    /// Sends the answers that clients wait for, once per turn.
    func answerDecorations() {
        guard !owedDecorations.isEmpty else { return }
        let owed = owedDecorations
        owedDecorations = owed.filter(\.awaitsMode)
        for decoration in owed where !decoration.awaitsMode { decoration.answer() }
    }
}
