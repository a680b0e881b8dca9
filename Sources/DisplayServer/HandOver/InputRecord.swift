// What clients have of a seat, for a server that takes over.

import Compositor
import Geometry
import Keymaps
import Wayland
import WindowModel

/// An object of a seat in words.
enum InputRecord: Codable {
    case pointer(enterSerial: UInt32?)
    case keyboard
    case touch
    case relativePointer
    case gesture(PointerGestureKind)
    case constraint(ConstraintRecord)
    case virtualPointer(VirtualPointerResource.Area, VirtualScrolling)
    case virtualKeyboard(keymap: String?, repeatingKeys: KeySet, ModifierState)
    case dataDevice
    case primaryDevice
    case textInput(TextInputResource.Record)
    case inputMethod(InputMethodResource.Record)
    case inputMethodGrab(ObjectID?)

    var phase: Int {
        switch self {
        // One seat has one input method: the others come after it.
        case .inputMethod(let record): record.isAttached ? 6 : 7
        case .inputMethodGrab, .constraint: 7
        default: 6
        }
    }

    func make(_ id: ObjectID, _ version: UInt32, _ seat: ServerSeat, _ reader: HandOverReader) throws {
        let client = reader.client
        switch self {
        case .pointer(let enterSerial):
            let object = try PointerResource(client, id: id, version: version, seat: seat)
            object.enterSerial = enterSerial
        case .keyboard: _ = try KeyboardResource(client, id: id, version: version, seat: seat)
        case .touch: _ = try TouchResource(client, id: id, version: version, seat: seat)
        case .relativePointer: _ = try RelativePointerResource(client, id: id, version: version, seat: seat)
        case .gesture(let kind):
            _ = try PointerGestureResource(client, id: id, version: version, seat: seat, kind: kind)
        case .constraint(let record): try record.make(id, version, seat, reader)
        case .virtualPointer(let area, let scrolling):
            let object = try VirtualPointerResource(client, id: id, version: version, seat: seat, area: area)
            object.scrolling = scrolling
        case .virtualKeyboard(let keymap, let repeatingKeys, let modifiers):
            let object = try VirtualKeyboardResource(client, id: id, version: version, seat: seat)
            if let keymap {
                guard keymap.utf8.count < KeymapText.maximumSize else {
                    throw HandOver.Refusal(
                        "a keymap has \(keymap.utf8.count) bytes, and fewer than \(KeymapText.maximumSize) are allowed")
                }
                guard let text = unsafe KeymapText(keymap, repeatingKeys: repeatingKeys) else {
                    throw HandOver.Refusal("there is no memory for a keymap")
                }
                object.device.keymap = text
            }
            object.device.modifiers = modifiers
        case .dataDevice: _ = try DataDeviceResource(client, id: id, version: version, seat: seat)
        case .primaryDevice: _ = try PrimaryDeviceResource(client, id: id, version: version, seat: seat)
        case .textInput(let record): try record.make(id, version, seat, reader)
        case .inputMethod(let record): try record.make(id, version, seat, reader)
        case .inputMethodGrab(let inputMethod):
            let object = try InputMethodGrabResource(client, id: id, version: version, seat: seat)
            if let inputMethod: InputMethodResource = try reader.resource(inputMethod) { object.start(inputMethod) }
        }
    }
}

/// zwp_locked_pointer_v1 and zwp_confined_pointer_v1.
struct ConstraintRecord: Codable {
    var isLock: Bool
    var surface: ObjectID?
    var region: [IntRect]?
    var hint: Point?
    var isOneshot: Bool
    var isActive: Bool

    func make(_ id: ObjectID, _ version: UInt32, _ seat: ServerSeat, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(surface)
        guard surface?.constraint(of: seat) == nil else {
            throw HandOver.Refusal("surface \(id) has two locks or confinements")
        }
        let region = region.map { KeptRegion(Region(of: $0), for: reader.client) }
        let object: PointerConstraint =
            isLock
            ? try LockedPointerResource(
                reader.client, id: id, version: version, seat: seat, surface: surface, region: region,
                isOneshot: isOneshot)
            : try ConfinedPointerResource(
                reader.client, id: id, version: version, seat: seat, surface: surface, region: region,
                isOneshot: isOneshot)
        object.hint = hint
        if isActive, surface != nil, seat.pointer.surface === surface { seat.pointer.constraint = object }
    }
}

extension SeatResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .seat(seat.id) }
}
extension PointerResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(seat.id, .pointer(enterSerial: enterSerial))
    }
}
extension KeyboardResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .keyboard) }
}
extension TouchResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .touch) }
}
extension RelativePointerResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .relativePointer) }
}
extension PointerGestureResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .gesture(kind)) }
}
extension PointerConstraint: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(
            seat.id,
            .constraint(
                ConstraintRecord(
                    isLock: self is LockedPointerResource, surface: surface?.id, region: region?.region.rectangles,
                    hint: hint, isOneshot: isOneshot, isActive: isActive)))
    }
}
extension VirtualPointerResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(seat.id, .virtualPointer(area, scrolling))
    }
}
extension VirtualKeyboardResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        let keymap = device.keymap.map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) }
        let repeatingKeys = device.keymap?.repeatingKeys ?? KeySet()
        return .input(
            seat.id, .virtualKeyboard(keymap: keymap, repeatingKeys: repeatingKeys, device.modifiers))
    }
}
extension DataDeviceResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .dataDevice) }
}
extension PrimaryDeviceResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .input(seat.id, .primaryDevice) }
}
extension InputMethodGrabResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .input(seat.id, .inputMethodGrab(inputMethod.flatMap { $0.isAlive ? $0.id : nil }))
    }
}
