// Method calls to objects on a bus.

/// A method of an object.
package struct BusCall {
    /// An argument; the signature follows from it.
    package enum Argument {
        case string(String)
        case uint32(UInt32)
        case int32(Int32)
    }

    /// The part of an answer that is kept: programs may send any amount.
    package struct Extract: Equatable {
        /// Values, including arrays, structures and variants.
        package var values: Int
        /// Bytes of each text. Longer ones are truncated, but paths of objects are left out.
        package var bytes: Int

        package init(values: Int, bytes: Int) { (self.values, self.bytes) = (values, bytes) }

        /// A single value, also in a variant.
        package static let one = Extract(values: 2, bytes: 1 << 12)

        /// References to objects, each with the name of its program and its path.
        package static func references(_ count: Int) -> Extract { Extract(values: 1 + 3 * count, bytes: 1 << 10) }
    }

    /// The name of the program that is called.
    package var destination: String
    /// The path of the object that is called.
    package var path: String
    /// The interface of the method.
    package var interface: String
    /// The name of the method.
    package var member: String
    /// Its arguments, in order.
    package var arguments: [Argument]
    /// What is kept of the answer.
    package var extract = Extract.one
    /// The program whose budget the answer uses up: usually the destination, but programs can refer to others' objects.
    package var payer: String

    /// A call of a method of an interface, of the object at a path of the program with the name `destination`.
    package init(
        _ member: String, of interface: String, at path: String, destination: String, _ arguments: [Argument] = []
    ) {
        (self.destination, self.path, self.interface, self.member) = (destination, path, interface, member)
        self.arguments = arguments
        payer = destination
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
