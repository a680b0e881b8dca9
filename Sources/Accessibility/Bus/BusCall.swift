// Method calls to objects on a bus.

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

    /// A method of the bus itself.
    package static func bus(_ member: String, _ arguments: [Argument] = []) -> BusCall {
        BusCall(
            member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", destination: busName, arguments)
    }

    static let busName = "org.freedesktop.DBus"

    /// Whether a reply from this sender can be the answer: another program may send whatever it likes.
    func canBeAnswered(by sender: String) -> Bool {
        !destination.hasPrefix(":") || sender == destination || sender == Self.busName
    }
}
