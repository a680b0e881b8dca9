// A parsed protocol description.

struct InterfaceModel {
    var name: String
    var version: Int
    var summary = ""
    var documentation = ""
    var requests: [MessageModel] = []
    var events: [MessageModel] = []
    var enums: [EnumModel] = []
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
