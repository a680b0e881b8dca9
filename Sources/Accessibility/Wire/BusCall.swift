// Method calls to objects on a bus, and what comes back.

/// A method of an object.
package struct BusCall {
    /// An argument; the signature follows from it.
    package enum Argument {
        case string(String)
        case uint32(UInt32)
        case int32(Int32)
    }

    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [Argument] = []

    package init(
        _ member: String, of interface: String, at path: String, destination: String, _ arguments: [Argument] = []
    ) {
        (self.destination, self.path, self.interface, self.member) = (destination, path, interface, member)
        self.arguments = arguments
    }

    /// Reads a property of an object.
    package static func property(_ name: String, of interface: String, at path: String, destination: String) -> BusCall
    {
        BusCall(
            "Get", of: "org.freedesktop.DBus.Properties", at: path, destination: destination,
            [.string(interface), .string(name)])
    }

    /// The message with a serial number.
    func message(serial: UInt32) -> [UInt8] {
        var body = BusWriter()
        var signature = ""
        for argument in arguments {
            switch argument {
            case .string(let text):
                signature += "s"
                body.put(text)
            case .uint32(let value):
                signature += "u"
                body.put(value)
            case .int32(let value):
                signature += "i"
                body.put(UInt32(bitPattern: value))
            }
        }
        var fields = BusWriter()
        fields.putField(.path, "o", path)
        fields.putField(.interface, "s", interface)
        fields.putField(.member, "s", member)
        fields.putField(.destination, "s", destination)
        if !signature.isEmpty { fields.putSignature(signature) }
        var message = BusWriter()
        // Little-endian, a method call, without flags, version 1 of the protocol.
        for byte: UInt8 in [UInt8(ascii: "l"), 1, 0, 1] { message.put(byte) }
        message.put(UInt32(truncatingIfNeeded: body.bytes.count))
        message.put(serial)
        message.put(UInt32(truncatingIfNeeded: fields.bytes.count))
        // Both parts begin at multiples of eight, which their own alignment relies on.
        message.put(fields.bytes)
        message.align(8)
        message.put(body.bytes)
        return message.bytes
    }
}

/// The outcome of a call.
package enum BusReply {
    case answer(BusMessage)
    /// The name of the error.
    case error(String)
    /// The program did not answer in time.
    case silence

    /// A reader of the values, if they are of this type.
    package func values(_ signature: String) -> BusReader? {
        guard case .answer(let message) = self, message.signature == signature else { return nil }
        return message.body
    }

    /// The string in the variant that a property's value is.
    package var stringProperty: String? {
        guard var reader = values("v"), (try? reader.signature()) == "s" else { return nil }
        return try? reader.string()
    }

    /// The same for numbers.
    package var numberProperty: Double? {
        guard var reader = values("v"), let signature = try? reader.signature() else { return nil }
        switch signature {
        case "d": return try? reader.double()
        case "i": return (try? reader.int32()).map(Double.init)
        case "u": return (try? reader.uint32()).map(Double.init)
        default: return nil
        }
    }
}
