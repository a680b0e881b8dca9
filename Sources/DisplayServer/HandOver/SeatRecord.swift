// A seat for a server that takes over; nothing is held on it.

import Wayland
import WindowModel

/// What a seat is like.
struct SeatRecord: Codable {
    struct Layout: Codable {
        var names: [String]
        /// What is locked.
        var modifiers: ModifierState

        init(_ layout: KeyboardLayout, _ modifiers: ModifierState) {
            names = [layout.rules, layout.model, layout.layout, layout.variant, layout.options]
            self.modifiers = modifiers
        }

        var layout: KeyboardLayout {
            var layout = KeyboardLayout()
            guard names.count == 5 else { return layout }
            (layout.rules, layout.model, layout.layout) = (names[0], names[1], names[2])
            (layout.variant, layout.options) = (names[3], names[4])
            return layout
        }
    }

    var id: Seat.ID
    var hasOwnKeyboard: Bool
    /// The first is for every application that has none of its own.
    var layouts: [Layout]
    /// By the application's name, the place among `layouts`.
    var applications: [String: Int]
    var repeatRate: Int32
    var repeatDelay: Int32
    var popupGrabs: [ObjectReference]
    var clipboard: Selection.Record
    var primary: Selection.Record
    var cursor: Cursor.Record?
}

extension SeatRecord {
    init(_ seat: ServerSeat) {
        let keyboard = seat.keyboard
        let configuration = keyboard.configuration
        let all = [configuration.layout] + configuration.layouts.subtracting([configuration.layout])
        id = seat.id
        hasOwnKeyboard = seat.hasOwnKeyboard
        layouts = all.map { Layout($0, keyboard.states[$0]?.modifiers ?? ModifierState()) }
        applications = configuration.applications.compactMapValues { layout in all.firstIndex(of: layout) }
        repeatRate = configuration.repeatRate
        repeatDelay = configuration.repeatDelay
        popupGrabs = seat.popupGrabs.stack.map {
            ObjectReference(application: $0.client.application, object: $0.id)
        }
        clipboard = seat.selections.clipboard.record
        primary = seat.selections.primary.record
        cursor = seat.pointer.cursor.record
    }

    /// Before there are clients.
    func restoreKeyboard(of seat: ServerSeat) throws {
        var configuration = KeyboardConfiguration()
        configuration.layout = layouts.first?.layout ?? KeyboardLayout()
        for (name, place) in applications where layouts.indices.contains(place) {
            configuration.applications[name] = layouts[place].layout
        }
        configuration.repeatRate = repeatRate
        configuration.repeatDelay = repeatDelay
        seat.hasOwnKeyboard = hasOwnKeyboard
        try seat.keyboard.configure(configuration)
        for layout in layouts where layout.modifiers.locked != 0 || layout.modifiers.group != 0 {
            seat.keyboard.restore(layout.modifiers, of: layout.layout)
        }
    }

    /// Once there are windows, and nobody who could be told.
    func restoreFocus(of seat: ServerSeat) throws {
        let model = seat.server.model
        let popups = popupGrabs.compactMap { reference in
            seat.server.client(reference.application)?.resource(reference.object) as? PopupResource
        }
        seat.popupGrabs.restore(popups)
        seat.keyboardFocus = model.keyWindow(of: seat.id)
        seat.pointerFocus = model.pointerFocus(of: seat.id)
    }

    /// Once everything is there.
    func restoreSelections(of seat: ServerSeat) {
        func source(_ reference: ObjectReference?) -> (any SelectionSource)? {
            reference.flatMap { seat.server.client($0.application)?.resource($0.object) as? any SelectionSource }
        }
        seat.selections.clipboard.restore(source(clipboard.source), serial: clipboard.serial)
        seat.selections.primary.restore(source(primary.source), serial: primary.serial)
        seat.pointer.cursor.restore(cursor)
    }
}
