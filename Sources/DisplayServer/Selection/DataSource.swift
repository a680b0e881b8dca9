// wl_data_source

import MullionSystem
import MullionWayland

typealias DragActions = WlDataDeviceManager.DndAction

extension DragActions {
    static let all: DragActions = [.copy, .move, .ask]
    /// Whether it has at most one of the known actions.
    var isSingle: Bool { rawValue & (rawValue &- 1) == 0 && DragActions.all.contains(self) }
}

/// wl_data_source: data that a client offers, on the clipboard or by dragging.
final class DataSourceResource: Resource, SelectionSource {
    enum Use: String, Codable { case selection, drag }

    let types: OfferedTypes
    var use: Use?
    /// Nil until set by the client.
    var actions: DragActions?
    /// The object of the window that is dragged together with the data, until the drag ends.
    weak var toplevelDrag: ToplevelDragResource?

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        types = OfferedTypes(of: client)
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataSource.Request.self, opcode, &reader) {
        case .offer(let type): try types.append(type, of: id)
        case .destroy: destroy()
        case .setActions(let actions): try setActions(actions)
        }
    }

    override func willDestroy() {
        for seat in server.seats {
            seat.selections.clipboard.sourceWillBeDestroyed(self)
            seat.dragAndDrop.sourceWillBeDestroyed(self)
        }
        toplevelDrag?.end()
    }

    /// The supported actions. Before version 3 only copying existed.
    var dragActions: DragActions { version < 3 ? .copy : actions ?? [] }

    /// Uses the source for the selection, or for one drag.
    /// - Throws: `invalid_source` when it was used for something else.
    func use(for new: Use) throws(ProtocolError) {
        switch new {
        case .selection:
            guard use != .drag, actions == nil, toplevelDrag == nil else {
                throw error(
                    .invalidSource,
                    "a source with actions or a toplevel drag, or one that was dragged, cannot be the selection")
            }
        case .drag:
            guard use == nil else {
                throw error(.invalidSource, "the source was already dragged, or was the selection")
            }
        }
        use = new
    }

    private func setActions(_ new: DragActions) throws(ProtocolError) {
        guard DragActions.all.contains(new) else {
            throw error(.invalidActionMask, "\(new.rawValue) has bits beyond copy, move and ask")
        }
        guard use != .selection else { throw error(.invalidSource, "the source of a selection has no actions") }
        guard actions == nil, use == nil else {
            throw error(.invalidActionMask, "the actions are already set, or the drag has begun")
        }
        actions = new
    }

    private func error(_ code: WlDataSource.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    // MARK: Events

    func cancel() { send(WlDataSource.Event.cancelled) }

    func provide(_ type: String, to descriptor: OwnedDescriptor) {
        send(WlDataSource.Event.send(mimeType: type, fd: descriptor))
    }

    /// Called when the drag failed. Before version 3 sources were notified only when replaced.
    func cancelDrag() {
        toplevelDrag?.end()
        sendIfKnown(.cancelled)
    }

    /// Sends an event of version 3, if the source has it.
    func sendIfKnown(_ event: WlDataSource.Event) {
        if version >= 3 { send(event) }
    }
}
