// Text fields for a server that takes over.

import MullionWayland
import WindowModel

extension TextInputManagerResource: RestorableGlobal {
    typealias Interface = ZwpTextInputManagerV3
}

extension TextInputManagerV1Resource: RestorableGlobal {
    typealias Interface = ZwpTextInputManagerV1
}

extension TextInputManagerV2Resource: RestorableGlobal {
    typealias Interface = ZwpTextInputManagerV2
}

/// The state that all versions have.
struct SavedTextField: Codable {
    var state: TextInputState
    var pending: TextInputState
    var hasPreedit: Bool
    var isActive: Bool

    var variableSize: Int { [state, pending].reduce(0) { $0 + ($1.surrounding?.text.utf8.count ?? 0) } }

    init(_ field: TextField) {
        (state, pending) = (field.state, field.pending)
        (hasPreedit, isActive) = (field.hasPreedit, field.isActive)
    }

    func restore(_ field: TextField) throws {
        guard state.isSound, pending.isSound else {
            throw HandOverError("text input \(field.id) has a cursor or an anchor outside its text")
        }
        (field.state, field.pending, field.hasPreedit) = (state, pending, hasPreedit)
        guard isActive else { return }
        guard field.inputs.active == nil, field.inputs.hasFocus(field.connection) else {
            throw HandOverError("text input \(field.id) is edited without the focus")
        }
        field.inputs.restore(active: field)
    }
}

extension TextInputState {
    /// Whether cursor and anchor are within the text.
    fileprivate var isSound: Bool {
        surrounding.map { $0.text.hasBoundary(at: $0.cursor) && $0.text.hasBoundary(at: $0.anchor) } ?? true
    }
}

extension TextInputResource: Restorable {
    struct SavedState: ObjectState {
        var seat: Seat.ID
        var field: SavedTextField
        var wantsEnabled: Bool?
        var commits: UInt32

        var variableSize: Int { field.variableSize }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpTextInputV3.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, field: SavedTextField(self), wantsEnabled: wantsEnabled, commits: commits)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try TextInputResource(reader.client, id: id, version: version, seat: seat)
        object.wantsEnabled = state.wantsEnabled
        object.commits = state.commits
        try state.field.restore(object)
    }
}

extension TextInputV2Resource: Restorable {
    struct SavedState: ObjectState {
        var seat: Seat.ID
        var field: SavedTextField
        var enabled: Set<Surface.ID>
        var enterSerial: UInt32

        var variableSize: Int { field.variableSize + enabled.count * 8 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpTextInputV2.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, field: SavedTextField(self), enabled: enabled, enterSerial: enterSerial)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try TextInputV2Resource(reader.client, id: id, version: version, seat: seat)
        object.enabled = state.enabled
        object.enterSerial = state.enterSerial
        try state.field.restore(object)
    }
}

extension TextInputV1Resource: Restorable {
    struct SavedState: ObjectState {
        struct Place: Codable {
            var seat: Seat.ID
            var surface: Surface.ID
        }

        var place: Place?
        var isEntered: Bool
        var field: SavedTextField
        var serial: UInt32

        var variableSize: Int { field.variableSize }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpTextInputV1.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            place: place.map { SavedState.Place(seat: $0.seat.id, surface: $0.surface) }, isEntered: isEntered,
            field: SavedTextField(self), serial: serial)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try TextInputV1Resource(reader.client, id: id, version: version, seat: reader.server.seat)
        if let place = state.place {
            try object.restore(reader.seat(place.seat), place.surface, isEntered: state.isEntered)
        }
        object.serial = state.serial
        try state.field.restore(object)
    }
}

extension ZwpTextInputV3.ChangeCause: Codable {}
extension ZwpTextInputV3.ContentHint: Codable {}
extension ZwpTextInputV3.ContentPurpose: Codable {}
