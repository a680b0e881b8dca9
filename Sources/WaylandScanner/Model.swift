// A parsed protocol description.

struct InterfaceModel {
    var name: String
    var version: Int
    var summary = ""
    var documentation = ""
    var requests: [MessageModel] = []
    var events: [MessageModel] = []
    var enums: [EnumModel] = []

    /// Treats all arguments but the given ones as plain numbers.
    /// - Parameter typed: arguments, as "message.argument".
    /// - Returns: the given ones that have no enum.
    mutating func keepEnums(of typed: Set<String>) -> Set<String> {
        var missing = typed
        func keep(_ message: inout MessageModel) {
            for index in message.arguments.indices where message.arguments[index].enumeration != nil {
                let name = "\(message.name).\(message.arguments[index].name)"
                if missing.remove(name) == nil { message.arguments[index].enumeration = nil }
            }
        }
        for index in requests.indices { keep(&requests[index]) }
        for index in events.indices { keep(&events[index]) }
        return missing
    }
}

struct MessageModel {
    var name: String
    var since: Int
    var isDestructor: Bool
    var summary = ""
    var documentation = ""
    var arguments: [ArgumentModel] = []
}

struct ArgumentModel {
    enum Kind: String {
        case int, uint, fixed, string, object, array, fd
        case newID = "new_id"
    }
    var name: String
    var kind: Kind
    var interface: String?
    var enumeration: String?
    var allowsNull: Bool
    var summary: String
}

struct EnumModel {
    struct Entry {
        var name: String
        var value: UInt32
        var since: Int
        var summary: String
    }
    var name: String
    var isBitSet: Bool
    var since: Int
    var summary = ""
    var documentation = ""
    var entries: [Entry] = []
}
