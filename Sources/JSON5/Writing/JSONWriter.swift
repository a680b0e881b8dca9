// Writes JSON while values are encoded, without a tree of them.

/// Writes what a value encodes: the same bytes as Foundation's `JSONEncoder` with sorted keys, unescaped slashes and
/// texts for infinity and NaN. Data, dates, URLs and decimal numbers have no form of their own.
///
/// Values are written in place, so that each must be complete before its container goes on: encoding fails when a nested
/// container is used later than that.
package final class JSONWriter {
    enum Kind {
        case nothing, object, list
        /// Complete: a string, number, true, false or null.
        case single
    }

    /// Refers to a value that is being written.
    struct Place {
        fileprivate let depth: Int
        fileprivate let number: Int
    }

    /// A value that is being written.
    private struct Frame {
        var kind = Kind.nothing
        /// Whether a list has an element.
        var isStarted = false
        /// Where it begins.
        let start: Int
        /// The index of this object's first member; those of the objects inside it come later.
        let firstMember: Int
        /// Ascending in order of beginning.
        let number: Int
    }

    /// A member of an object: its key, a colon and its value.
    private struct Member {
        let key: String
        /// The first eight bytes of the key.
        let order: UInt64
        let start: Int
        var end: Int

        /// Whether its key's bytes come first.
        /// Byte for byte: two forms of the same text are two keys.
        func hasSameKey(as other: Self) -> Bool { order == other.order && key.utf8.elementsEqual(other.key.utf8) }

        func isBefore(_ other: Self) -> Bool {
            order == other.order ? key.utf8.lexicographicallyPrecedes(other.key.utf8) : order < other.order
        }
    }

    /// The most containers inside each other, as in Foundation.
    private static let maximumDepth = 511

    private var bytes = JSONBytes()
    private var frames: [Frame] = []
    private var members: [Member] = []
    private var lastNumber = 0
    private var hasFailed = false

    private init() {
        frames.reserveCapacity(8)
        members.reserveCapacity(32)
    }

    /// - Parameter end: follows the value.
    package static func encode(_ value: some Encodable, end: StaticString = "") throws -> [UInt8] {
        let writer = JSONWriter()
        let place = writer.open()
        try value.encode(to: JSONValueEncoder(writer, place))
        try writer.settle(place)
        guard writer.frames[place.depth].kind != .nothing else { throw failure }
        writer.close(downTo: place.depth)
        writer.bytes.append(end)
        return writer.bytes.array
    }

    private static var failure: EncodingError {
        .invalidValue(0, .init(codingPath: [], debugDescription: "the values do not form a JSON text"))
    }

    // MARK: Values

    private func open() -> Place {
        lastNumber += 1
        frames.append(Frame(start: bytes.count, firstMember: members.count, number: lastNumber))
        return Place(depth: frames.count - 1, number: lastNumber)
    }

    /// Completes the values inside this one.
    private func settle(_ place: Place) throws {
        guard !hasFailed, place.depth < frames.count, frames[place.depth].number == place.number else {
            hasFailed = true
            throw Self.failure
        }
        if frames.count > place.depth + 1 { close(downTo: place.depth + 1) }
    }

    private func close(downTo depth: Int) {
        while frames.count > depth {
            let frame = frames.removeLast()
            switch frame.kind {
            case .nothing: bytes.append("{}")
            case .object: close(frame)
            case .list: bytes.append(UInt8(ascii: "]"))
            case .single: break
            }
        }
    }

    /// Begins an object or a list. One that has already begun goes on.
    func begin(_ kind: Kind, at place: Place) {
        guard (try? settle(place)) != nil, frames[place.depth].kind != kind else { return }
        guard frames[place.depth].kind == .nothing, place.depth < Self.maximumDepth else {
            hasFailed = true
            return
        }
        frames[place.depth].kind = kind
        bytes.append(UInt8(ascii: kind == .object ? "{" : "["))
    }

    /// Writes a value that is no container.
    func write(at place: Place, _ write: (inout JSONBytes) -> Void) throws {
        try settle(place)
        guard frames[place.depth].kind == .nothing else {
            hasFailed = true
            throw Self.failure
        }
        frames[place.depth].kind = .single
        write(&bytes)
    }

    // MARK: Lists

    func element(of list: Place, _ write: (inout JSONBytes) -> Void) throws {
        try beginElement(of: list)
        write(&bytes)
    }

    func element(of list: Place, _ value: some Encodable) throws {
        try beginElement(of: list)
        try write(value)
    }

    /// A value in a list, to be written by other containers.
    func element(of list: Place) -> JSONValueEncoder {
        try? beginElement(of: list)
        return JSONValueEncoder(self, open())
    }

    private func beginElement(of list: Place) throws {
        try settle(list)
        if frames[list.depth].isStarted { bytes.append(UInt8(ascii: ",")) }
        frames[list.depth].isStarted = true
    }

    private func write(_ value: some Encodable) throws {
        let place = open()
        try value.encode(to: JSONValueEncoder(self, place))
        close(downTo: place.depth)
    }

    // MARK: Objects

    func member(_ key: String, of object: Place, _ write: (inout JSONBytes) -> Void) throws {
        try beginMember(key, of: object)
        write(&bytes)
    }

    func member(_ key: String, of object: Place, _ value: some Encodable) throws {
        try beginMember(key, of: object)
        try write(value)
    }

    /// A value in an object, to be written by other containers.
    func member(_ key: String, of object: Place) -> JSONValueEncoder {
        try? beginMember(key, of: object)
        return JSONValueEncoder(self, open())
    }

    private func beginMember(_ key: String, of object: Place) throws {
        try settle(object)
        if members.count > frames[object.depth].firstMember {
            members[members.count - 1].end = bytes.count
            bytes.append(UInt8(ascii: ","))
        }
        let start = bytes.count
        let order = bytes.append(key: key)
        members.append(Member(key: key, order: order, start: start, end: start))
    }

    /// Sorts the members of an object.
    private func close(_ object: Frame) {
        let first = object.firstMember
        if members.count > first {
            members[members.count - 1].end = bytes.count
            if !isSorted(from: first) {
                sort(from: first)
                bytes.rearrange(from: object.start + 1, members[first...]) { $0.start..<$0.end }
            }
            members.removeLast(members.count - first)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func isSorted(from first: Int) -> Bool {
        (first + 1..<members.count).allSatisfy { members[$0 - 1].isBefore(members[$0]) }
    }

    /// Of members with the same key, the last one counts.
    private func sort(from first: Int) {
        unsafe members.withUnsafeMutableBufferPointer { members in
            var ours = unsafe UnsafeMutableBufferPointer(rebasing: members[first...])
            unsafe ours.sort {
                $0.order != $1.order
                    ? $0.order < $1.order : $0.hasSameKey(as: $1) ? $0.start < $1.start : $0.isBefore($1)
            }
        }
        for index in (first + 1..<members.count).reversed() where members[index - 1].hasSameKey(as: members[index]) {
            members.remove(at: index - 1)
        }
    }
}
