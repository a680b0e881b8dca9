// Writes one interface as Swift: an enum that contains `Request`, `Event` and the interface's own enums.

struct SwiftWriter {
    let interface: InterfaceModel
    /// Whether to write descriptions as documentation comments; true only for our own protocol.
    let documented: Bool
    /// "interface.enum" of every generated enum, so that arguments refer only to existing types.
    let knownEnums: Set<String>

    func source() -> String {
        var out = documented ? "/// \(interface.summary)\n///\n" : ""
        out += documented ? interface.documentation.comment(indent: "") : "/// \(interface.name)\n"
        out += "public enum \(interface.name.typeName): WaylandInterface {\n"
        out += "    public static let name = \"\(interface.name)\"\n"
        out += "    public static let version: UInt32 = \(interface.version)\n"
        for model in interface.enums where model.since <= interface.version { out += enumeration(model) }
        out += messages("Request", interface.requests)
        out += messages("Event", interface.events)
        return out + "}\n"
    }

    private func enumeration(_ model: EnumModel) -> String {
        let entries = model.entries.filter { $0.since <= interface.version }
        let type = model.name.typeName
        let kind = model.isBitSet ? "OptionSet" : "RawRepresentable"
        var out = "\n"
        if documented { out += "    /// \(model.summary)\n    ///\n" + model.documentation.comment(indent: "    ") }
        out += "    public struct \(type): \(kind), Hashable, Sendable {\n"
        out += "        public let rawValue: UInt32\n"
        out += "        @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }\n"
        for entry in entries {
            if documented, !entry.summary.isEmpty { out += "        /// \(entry.summary)\n" }
            let escaped = entry.value == 0 && model.isBitSet ? "[]" : "\(type)(rawValue: \(entry.value))"
            out += "        public static let \(entry.name.memberName): \(type) = \(escaped)\n"
        }
        out +=
            "        public static let allValues: [UInt32] = [\(entries.map { "\($0.value)" }.joined(separator: ", "))]\n"
        return out + "    }\n"
    }

    private func messages(_ type: String, _ all: [MessageModel]) -> String {
        let messages = all.enumerated().filter { $0.element.since <= interface.version }
        var out = "\n    public enum \(type): WaylandMessage {\n"
        for (_, message) in messages {
            if documented {
                out +=
                    "        /// \(message.summary)\n        ///\n" + message.documentation.comment(indent: "        ")
                for argument in message.arguments where !argument.summary.isEmpty {
                    out += "        /// - \(argument.name.plainName): \(argument.summary)\n"
                }
            }
            let parameters = message.arguments.map { "\($0.name.plainName): \(swiftType($0))" }
            out += "        case \(message.name.memberName)"
            out += parameters.isEmpty ? "\n" : "(\(parameters.joined(separator: ", ")))\n"
        }
        out += descriptions(messages.map(\.element))
        out += decoder(messages)
        out += encoder(messages)
        return out + "    }\n"
    }

    private func descriptions(_ messages: [MessageModel]) -> String {
        let rows = messages.map { message in
            let arguments = message.arguments.map {
                "ArgumentDescription(name: \"\($0.name)\", kind: .\($0.kind == .newID && $0.interface == nil ? "anyNewID" : "\($0.kind)"), "
                    + "allowsNull: \($0.allowsNull))"
            }
            return "            MessageDescription(name: \"\(message.name)\", since: \(message.since), "
                + "isDestructor: \(message.isDestructor), arguments: [\(arguments.joined(separator: ", "))]),\n"
        }
        return "\n        public static let descriptions: [MessageDescription] = [\n\(rows.joined())        ]\n"
    }

    private func decoder(_ messages: [(offset: Int, element: MessageModel)]) -> String {
        var out =
            "\n        @inlinable\n        public init(opcode: UInt16, version: UInt32, from reader: inout MessageReader)"
        if messages.isEmpty { return out + " throws(WireError) {\n            throw .invalidOpcode\n        }\n" }
        out += " throws(WireError) {\n            switch opcode {\n"
        for (opcode, message) in messages {
            out += "            case \(opcode):\n"
            if message.since > 1 {
                out += "                guard version >= \(message.since) else { throw .invalidOpcode }\n"
            }
            let values = message.arguments.map { "\($0.name.plainName): \(read($0))" }
            let call =
                values.isEmpty ? "" : "(\n                    \(values.joined(separator: ",\n                    ")))"
            out +=
                "                self = .\(message.name.plainName == "init" ? "`init`" : message.name.plainName)\(call)\n"
        }
        out += "            default: throw .invalidOpcode\n            }\n"
        return out + "            try reader.finish()\n        }\n"
    }

    private func encoder(_ messages: [(offset: Int, element: MessageModel)]) -> String {
        var out = "\n        @inlinable\n        public func encode(to out: OutputBuffer, object: ObjectID) {\n"
        if messages.isEmpty { return out + "        }\n" }
        out += "            switch self {\n"
        for (opcode, message) in messages {
            let names = message.arguments.map { "`\($0.name.plainName)`" }
            out += "            case .\(message.name.plainName)"
            out += names.isEmpty ? ":\n" : "(\(names.map { "let " + $0 }.joined(separator: ", "))):\n"
            out += "                out.begin(object, opcode: \(opcode))\n"
            for argument in message.arguments { out += "                out.put(\(write(argument)))\n" }
            out += "                out.end()\n"
        }
        return out + "            }\n        }\n"
    }

    private func enumType(_ argument: ArgumentModel) -> String? {
        guard let enumeration = argument.enumeration else { return nil }
        let parts = enumeration.split(separator: ".").map(String.init)
        let full = parts.count == 2 ? enumeration : "\(interface.name).\(enumeration)"
        guard knownEnums.contains(full) else { return nil }
        return parts.count == 2
            ? "\(parts[0].typeName).\(parts[1].typeName)" : "\(interface.name.typeName).\(enumeration.typeName)"
    }

    private func swiftType(_ argument: ArgumentModel) -> String {
        let optional = argument.allowsNull ? "?" : ""
        switch argument.kind {
        case .int: return enumType(argument) ?? "Int32"
        case .uint: return enumType(argument) ?? "UInt32"
        case .fixed: return "Fixed"
        case .string: return "String" + optional
        case .object: return "ObjectID" + optional
        case .newID: return argument.interface == nil ? "AnyNewID" : "ObjectID"
        case .array: return "[UInt8]"
        case .fd: return "OwnedDescriptor"
        }
    }

    private func read(_ argument: ArgumentModel) -> String {
        switch argument.kind {
        case .int:
            return enumType(argument).map { "\($0)(rawValue: try reader.uint())" } ?? "try reader.int()"
        case .uint:
            return enumType(argument).map { "\($0)(rawValue: try reader.uint())" } ?? "try reader.uint()"
        case .fixed: return "try reader.fixed()"
        case .string: return argument.allowsNull ? "try reader.optionalString()" : "try reader.string()"
        case .object: return argument.allowsNull ? "try reader.optionalObject()" : "try reader.object()"
        case .newID: return argument.interface == nil ? "try reader.anyNewID()" : "try reader.object()"
        case .array: return "try reader.array()"
        case .fd: return "try reader.descriptor()"
        }
    }

    private func write(_ argument: ArgumentModel) -> String {
        let name = "`\(argument.name.plainName)`"
        return enumType(argument) == nil ? name : "\(name).rawValue"
    }
}
