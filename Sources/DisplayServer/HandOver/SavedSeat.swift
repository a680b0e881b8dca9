// A seat for a server that takes over. Nothing is held down on it.

import MullionKeymaps
import MullionWayland
import WindowModel

struct SavedSeat: Codable {
    /// The locked modifiers of a layout.
    struct Locks: Codable {
        var layout: SavedKeyboard.Layout
        var modifiers: ModifierState
    }

    var id: Seat.ID
    var hasOwnKeyboard: Bool
    var keyboard: SavedKeyboard
    var locks: [Locks]
    var serials: [UInt32]
    var popupGrabs: [ObjectReference]
    var clipboard: Selection.SavedState
    var primary: Selection.SavedState
    var cursor: Cursor.SavedState?
}

extension SavedSeat {
    init(_ seat: ServerSeat) {
        id = seat.id
        hasOwnKeyboard = seat.hasOwnKeyboard
        keyboard = SavedKeyboard(seat.keyboard.configuration)
        locks = seat.keyboard.states.compactMap { layout, state in
            let modifiers = state.modifiers
            guard modifiers.locked != 0 || modifiers.group != 0 else { return nil }
            return Locks(layout: SavedKeyboard.Layout(layout), modifiers: modifiers)
        }
        serials = seat.serials.all
        popupGrabs = seat.popupGrabs.stack.map {
            ObjectReference(application: $0.client.application, object: $0.id)
        }
        clipboard = seat.selections.clipboard.savedState
        primary = seat.selections.primary.savedState
        cursor = seat.pointer.cursor.savedState
    }

    /// Called before clients are restored.
    func restoreKeyboard(of seat: ServerSeat) throws {
        seat.hasOwnKeyboard = hasOwnKeyboard
        try seat.keyboard.configure(keyboard.configuration)
        for lock in locks { seat.keyboard.restore(lock.modifiers, of: lock.layout.value) }
    }

    /// Called when windows exist, but no device that would be notified.
    func restoreFocus(of seat: ServerSeat) throws {
        let model = seat.server.model
        let popups = popupGrabs.compactMap { reference in
            seat.server.client(reference.application)?.resource(reference.object) as? PopupResource
        }
        seat.popupGrabs.restore(popups)
        seat.keyboardFocus = model.keyWindow(of: seat.id)
        seat.pointerFocus = model.pointerFocus(of: seat.id)
    }

    /// Called when all objects exist.
    func restoreSelections(of seat: ServerSeat) {
        func source(_ reference: ObjectReference?) -> (any SelectionSource)? {
            reference.flatMap { seat.server.client($0.application)?.resource($0.object) as? any SelectionSource }
        }
        seat.selections.clipboard.restore(
            source(clipboard.source), serial: clipboard.serial, isUnsent: clipboard.isUnsent)
        seat.selections.primary.restore(
            source(primary.source), serial: primary.serial, isUnsent: primary.isUnsent)
        seat.pointer.cursor.restore(cursor)
        // Last, because dropped events have added serials to the history.
        seat.serials.restore(serials)
    }
}
