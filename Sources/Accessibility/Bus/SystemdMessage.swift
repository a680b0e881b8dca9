// sd-bus's messages.

import CSystemd
import Glibc

/// An sd_bus_message. Its contents are untrusted.
@safe struct SystemdMessage: ~Copyable {
    /// How deeply values are read.
    private static let depthMaximum = 8
    /// The longest name of a program or an error that D-Bus allows, in bytes.
    private static let nameMaximum = 255

    private let pointer: OpaquePointer

    /// Takes over a message that was received.
    @unsafe init(owning message: OpaquePointer) { unsafe pointer = message }

    /// Creates a method call; nil when D-Bus does not allow one of its names or arguments.
    @unsafe static func call(_ call: BusCall, on bus: OpaquePointer) -> SystemdMessage? {
        var pointer: OpaquePointer?
        let result = unsafe systemd_message_new_call(
            bus, &pointer, call.destination, call.path, call.interface, call.member)
        guard result >= 0, let message = unsafe pointer.map({ unsafe SystemdMessage(owning: $0) }),
            call.arguments.allSatisfy({ message.append($0) })
        else { return nil }
        return message
    }

    private func append(_ argument: BusCall.Argument) -> Bool {
        switch argument {
        case .string(let text): unsafe systemd_message_append_string(pointer, text) >= 0
        case .uint32(let value): unsafe systemd_message_append_uint32(pointer, value) >= 0
        case .int32(let value): unsafe systemd_message_append_int32(pointer, value) >= 0
        }
    }

    deinit { unsafe systemd_message_unref(pointer) }

    /// Sends it.
    /// - Returns: the serial number that its reply names.
    @unsafe func send(to bus: OpaquePointer) throws(BusError) -> UInt64 {
        var serial: UInt64 = 0
        try SystemdBus.check(unsafe systemd_bus_send(bus, pointer, &serial))
        return serial
    }

    /// The call that it replies to; nil when it is not a reply.
    var replySerial: UInt64? {
        var serial: UInt64 = 0
        return unsafe systemd_message_get_reply_cookie(pointer, &serial) >= 0 ? serial : nil
    }

    /// Nil when it is not an error.
    var errorName: String? {
        unsafe systemd_message_get_error_name(pointer).map { unsafe Self.string($0, Self.nameMaximum) }
    }

    var sender: String {
        unsafe systemd_message_get_sender(pointer).map { unsafe Self.string($0, Self.nameMaximum) } ?? ""
    }

    /// The first value, truncated if it is too large; `other` for one that is damaged.
    func value(_ extract: BusCall.Extract) -> BusValue {
        var left = extract
        return value(depth: 0, &left) ?? .other
    }

    /// The next value; nil at an end.
    /// - Parameter left: what may be read.
    private func value(depth: Int, _ left: inout BusCall.Extract) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard left.values > 0, unsafe systemd_message_peek_type(pointer, &type, &contents) > 0 else { return nil }
        left.values -= 1
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return number(type, UInt8(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "n"): return number(type, Int16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "q"): return number(type, UInt16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "i"): return number(type, Int32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "u"): return number(type, UInt32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "x"): return number(type, Int64(0)).map { .integer($0) }
        case UInt8(ascii: "t"): return number(type, UInt64(0)).map { Int64(exactly: $0).map { .integer($0) } ?? .other }
        case UInt8(ascii: "d"): return number(type, 0.0).map { .double($0) }
        case UInt8(ascii: "b"): return number(type, CInt(0)).map { .bool($0 != 0) }
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): return string(type, left.bytes)
        case UInt8(ascii: "v"):
            guard depth < Self.depthMaximum, unsafe systemd_message_enter(pointer, type, contents) > 0,
                let value = value(depth: depth + 1, &left)
            else { return give(up: &left) }
            return unsafe left.values == 0 || systemd_message_exit(pointer) >= 0 ? value : give(up: &left)
        case UInt8(ascii: "a"), UInt8(ascii: "r"):
            guard depth < Self.depthMaximum, unsafe systemd_message_enter(pointer, type, contents) >= 0 else {
                return give(up: &left)
            }
            var values: [BusValue] = []
            while let value = value(depth: depth + 1, &left) { values.append(value) }
            return unsafe left.values == 0 || systemd_message_exit(pointer) >= 0 ? .list(values) : give(up: &left)
        default: return give(up: &left)
        }
    }

    /// Reads nothing more of the message.
    private func give(up left: inout BusCall.Extract) -> BusValue {
        left.values = 0
        return .other
    }

    private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
        var value = zero
        return unsafe systemd_message_read(pointer, type, &value) > 0 ? value : nil
    }

    private func string(_ type: CChar, _ maximum: Int) -> BusValue? {
        var text: UnsafePointer<CChar>?
        guard unsafe systemd_message_read(pointer, type, &text) > 0, let text = unsafe text else { return nil }
        // A part of a path is the path of something else.
        if type == CChar(UInt8(ascii: "o")), unsafe strnlen(text, maximum + 1) > maximum { return .other }
        return .string(unsafe Self.string(text, maximum))
    }

    /// - Parameter maximum: the most bytes; a character that ends beyond them is left out.
    @unsafe private static func string(_ text: UnsafePointer<CChar>, _ maximum: Int) -> String {
        var count = unsafe strnlen(text, maximum + 1)
        if count > maximum {
            count = maximum
            while count > 0, unsafe UInt8(bitPattern: text[count]) & 0xc0 == 0x80 { count -= 1 }
        }
        return unsafe UnsafeBufferPointer(start: text, count: count).withMemoryRebound(to: UInt8.self) {
            unsafe String(decoding: $0, as: UTF8.self)
        }
    }
}
