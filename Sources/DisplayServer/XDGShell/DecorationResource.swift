// zxdg_decoration_manager_v1 and zxdg_toplevel_decoration_v1

import Wayland

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

/// zxdg_toplevel_decoration_v1: a window's frame is its content (W1), so the client must always draw decorations itself
/// or have none.
final class DecorationResource: Resource {
    weak var toplevel: ToplevelResource?
    /// Whether the client waits for an answer.
    var owesAnswer = false

    func start(_ toplevel: ToplevelResource) throws(ProtocolError) {
        guard toplevel.decoration == nil else {
            throw error(.alreadyConstructed, "toplevel \(toplevel.id) already has a decoration")
        }
        guard !toplevel.hasBuffer else {
            throw error(
                .unconfiguredBuffer, "toplevel \(toplevel.id) has a buffer; create its decoration before attaching one")
        }
        self.toplevel = toplevel
        toplevel.decoration = self
        answer()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgToplevelDecorationV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setMode, .unsetMode: answer()
        }
    }

    override func willDestroy() { toplevel?.decoration = nil }

    /// Answers with the toplevel's next configure; immediately, unless the first one is still to come.
    private func answer() {
        owesAnswer = true
        toplevel?.decorationWantsConfigure()
    }

    /// Called when the toplevel is about to be configured.
    func toplevelWillConfigure() {
        guard owesAnswer else { return }
        owesAnswer = false
        send(ZxdgToplevelDecorationV1.Event.configure(mode: .clientSide))
    }

    func error(_ code: ZxdgToplevelDecorationV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
