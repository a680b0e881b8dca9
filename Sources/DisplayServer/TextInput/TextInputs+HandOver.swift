// Text fields and input methods for a server that takes over.

import Geometry
import Wayland
import WindowModel

extension TextInputResource: HandedOver {
    struct Record: Codable {
        var state: TextInputState
        var pending: TextInputState
        var wantsEnabled: Bool?
        var commits: UInt32
        var hasPreedit: Bool
        var isActive: Bool

        func make(_ id: ObjectID, _ version: UInt32, _ seat: ServerSeat, _ reader: HandOverReader) throws {
            guard state.isSound, pending.isSound else { throw HandOver.Refusal("text input \(id) has no such text") }
            let object = try TextInputResource(reader.client, id: id, version: version, seat: seat)
            object.state = state
            object.pending = pending
            object.wantsEnabled = wantsEnabled
            object.commits = commits
            object.hasPreedit = hasPreedit
            guard isActive else { return }
            guard seat.textInputs.active == nil, seat.textInputs.hasFocus(reader.client) else {
                throw HandOver.Refusal("text input \(id) is edited without the focus")
            }
            seat.textInputs.restore(active: object)
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(
            seat.id,
            .textInput(
                Record(
                    state: state, pending: pending, wantsEnabled: wantsEnabled, commits: commits,
                    hasPreedit: hasPreedit, isActive: isActive)))
    }
}

extension TextInputState {
    /// Whether cursor and anchor are in the text.
    fileprivate var isSound: Bool {
        surrounding.map { $0.text.hasBoundary(at: $0.cursor) && $0.text.hasBoundary(at: $0.anchor) } ?? true
    }
}

extension InputMethodResource: HandedOver {
    struct Record: Codable {
        var preedit: TextEdit.Preedit?
        var insertion: String?
        var deletion: [UInt32]
        var dones: UInt32
        var activation: UInt32?
        var isAttached: Bool

        func make(_ id: ObjectID, _ version: UInt32, _ seat: ServerSeat, _ reader: HandOverReader) throws {
            let object = try InputMethodResource(reader.client, id: id, version: version, seat: seat)
            if object.isAttached, !isAttached {
                seat.textInputs.detach(object)
                object.isAttached = false
            }
            guard object.isAttached == isAttached else { throw HandOver.Refusal("there are two input methods") }
            object.pending.preedit = preedit
            object.pending.insertion = insertion
            object.pending.deletion = deletion.count == 2 ? (deletion[0], deletion[1]) : nil
            object.dones = dones
            object.activation = activation
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(
            seat.id,
            .inputMethod(
                Record(
                    preedit: pending.preedit, insertion: pending.insertion,
                    deletion: pending.deletion.map { [$0.before, $0.after] } ?? [], dones: dones,
                    activation: activation, isAttached: isAttached)))
    }
}

extension InputPopupResource: HandedOver {
    struct Record: Codable {
        var surface: ObjectID?
        var inputMethod: ObjectID?
        var window: Window.ID?
        var position: Point
        var sent: Rect?

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try InputPopupResource(reader.client, id: id, version: version)
            if let surface: SurfaceResource = try reader.resource(surface) {
                try surface.setRole(object, errorOn: id, code: 0)
                object.surface = surface
            }
            if let inputMethod: InputMethodResource = try reader.resource(inputMethod) {
                object.inputMethod = inputMethod
                inputMethod.popups.append(object)
            }
            object.shown = window.map { ($0, position) }
            object.sent = sent
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .inputPopup(
            Record(
                surface: surface.flatMap { $0.isAlive ? $0.id : nil },
                inputMethod: inputMethod.flatMap { $0.isAlive ? $0.id : nil }, window: shown?.window,
                position: shown?.position ?? .zero, sent: sent))
    }
}

extension ZwpTextInputV3.ChangeCause: Codable {}
extension ZwpTextInputV3.ContentHint: Codable {}
extension ZwpTextInputV3.ContentPurpose: Codable {}
