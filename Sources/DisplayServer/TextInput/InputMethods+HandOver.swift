// Input methods for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension InputMethodManagerResource: RestorableGlobal {
    typealias Interface = ZwpInputMethodManagerV2
}

extension InputMethodResource: Restorable {
    struct SavedState: ObjectState {
        var seat: Seat.ID
        var preedit: TextEdit.Preedit?
        var insertion: String?
        var deletion: [UInt32]
        var dones: UInt32
        var activation: UInt32?
        var isAttached: Bool

        var variableSize: Int { (preedit?.text.utf8.count ?? 0) + (insertion?.utf8.count ?? 0) }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpInputMethodV2.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            seat: seat.id, preedit: pending.preedit, insertion: pending.insertion,
            deletion: pending.deletion.map { [$0.before, $0.after] } ?? [], dones: dones, activation: activation,
            isAttached: isAttached)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try InputMethodResource(
            reader.client, id: id, version: version, seat: reader.seat(state.seat), attaches: state.isAttached)
        guard object.isAttached == state.isAttached else { throw HandOverError("a seat has two input methods") }
        object.pending.preedit = state.preedit
        object.pending.insertion = state.insertion
        object.pending.deletion = state.deletion.count == 2 ? (state.deletion[0], state.deletion[1]) : nil
        object.dones = state.dones
        object.activation = state.activation
    }
}

extension InputMethodGrabResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var inputMethod: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpInputMethodKeyboardGrabV2.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, inputMethod: inputMethod.flatMap { $0.isAlive ? $0.id : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try InputMethodGrabResource(reader.client, id: id, version: version, seat: seat)
        if let inputMethod: InputMethodResource = try reader.resource(state.inputMethod) { object.start(inputMethod) }
    }
}

extension InputPopupResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var inputMethod: ObjectID?
        var window: Window.ID?
        var position: Point
        var sent: Rect?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpInputPopupSurfaceV2.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            surface: surface.flatMap { $0.isAlive ? $0.id : nil },
            inputMethod: inputMethod.flatMap { $0.isAlive ? $0.id : nil }, window: shown?.window,
            position: shown?.position ?? .zero, sent: sent)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try InputPopupResource(reader.client, id: id, version: version)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.surface = surface
        }
        if let inputMethod: InputMethodResource = try reader.resource(state.inputMethod) {
            object.inputMethod = inputMethod
            inputMethod.popups.append(object)
        }
        object.shown = state.window.map { ($0, state.position) }
        object.sent = state.sent
    }
}
