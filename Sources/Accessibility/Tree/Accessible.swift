// Widgets as their program describes them.

/// An object of a program's accessibility tree.
package final class Accessible {
    /// Where to find an object.
    package struct ID: Hashable, Sendable {
        /// The program's name on the accessibility bus.
        package let bus: String
        package let path: String

        package init(bus: String, path: String) { (self.bus, self.path) = (bus, path) }

        /// "No object" in AT-SPI.
        var isNull: Bool { bus.isEmpty || path == "/org/a11y/atspi/null" }
    }

    /// A rectangle in whole numbers.
    package struct Extents: Hashable, Sendable {
        package var x, y, width, height: Int32
    }

    package let id: ID
    /// The name on the bus of the program in whose tree it is; programs can refer to others' objects.
    let program: String
    package private(set) weak var parent: Accessible?
    package internal(set) var role = AccessibleRole(rawValue: 67)
    package internal(set) var states: AccessibleStates = []
    package internal(set) var name = ""
    package internal(set) var children: [Accessible] = []
    /// Nil until they were read.
    package internal(set) var details: Details?

    /// What is read only where it is needed.
    package struct Details {
        package var description = ""
        /// The place that the program believes to be on the screen; nil without one.
        package var onScreen: Extents?
        /// The place in the surface that the program uses; nil unless it was asked for.
        package var inWindow: Extents?
        package var value: Double?
        package var text: String?
    }

    init(_ id: ID, parent: Accessible?) {
        (self.id, self.parent) = (id, parent)
        program = parent?.program ?? id.bus
    }

    /// This object's ancestors, from the parent on.
    package var ancestors: [Accessible] {
        Array(sequence(first: self) { $0.parent }.dropFirst())
    }

    /// This object and everything below, parents before children.
    package var all: [Accessible] {
        var found: [Accessible] = []
        var rest = [self]
        while let next = rest.popLast() {
            found.append(next)
            rest += next.children.reversed()
        }
        return found
    }
}

/// A program on the accessibility bus.
package final class AccessibleApplication {
    /// Why a program's tree is not complete.
    package enum Shortage: Equatable {
        case silent
        /// It had not answered everything when the time was up.
        case late
        /// What lies beyond this number of objects.
        case tooMany(Int)
        /// What lies deeper than this.
        case tooDeep(Int)
        /// Tables and lists with more than so many cells.
        case tooManyCells(Int)
        /// Answers of more bytes than this.
        case tooLarge(Int)
    }

    package let root: Accessible
    /// The process that owns its connection; nil when the bus does not know.
    package let pid: Int32?
    package internal(set) var toolkit = ""
    package private(set) var shortages: [Shortage] = []

    init(root: Accessible, pid: Int32?) { (self.root, self.pid) = (root, pid) }

    /// Notes a shortage, unless it is known.
    func note(_ shortage: Shortage) {
        if !shortages.contains(shortage) { shortages.append(shortage) }
    }

    /// Removes what was read.
    func clear() {
        root.children = []
        shortages = []
    }

    /// Whether something of it is missing because it did not answer in time.
    package var isBehind: Bool { shortages.contains(.silent) || shortages.contains(.late) }

    /// Its name on the bus.
    package var bus: String { root.id.bus }
    package var name: String { root.name }
    /// Its windows, before they are joined with those of the server.
    package var toplevels: [Accessible] { root.children }
}
