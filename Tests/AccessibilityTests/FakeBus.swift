// An accessibility bus with programs whose widgets a test decides.

import Glibc
import System
import TestSupport

@testable import Accessibility

/// Serves one connection after the other, whenever the test says so: nothing runs beside it.
final class FakeBus {
    /// A widget of a program.
    final class Node {
        var role: UInt32
        var name: String
        var states: AccessibleStates
        var extents: (Int32, Int32, Int32, Int32)
        var text: String?
        var children: [Node] = []
        /// Called before each question about its place.
        var onExtents: (Node) -> Void = { _ in }
        fileprivate(set) var path = ""

        init(
            _ role: UInt32, _ name: String = "", _ extents: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0),
            states: AccessibleStates = [.enabled, .sensitive, .showing, .visible], children: [Node] = []
        ) {
            (self.role, self.name, self.states, self.extents, self.children) = (role, name, states, extents, children)
        }
    }

    /// A program: its name on the bus, and its windows.
    struct Program {
        var name: String
        var pid: Int32?
        var isSilent = false
        var root: Node
    }

    var programs: [Program] = []
    /// Bytes that are sent instead of an answer to GetRole.
    var garbage: [UInt8]?
    private(set) var calls = 0
    let address: String
    private let listener: OwnedDescriptor
    private var connections: [Connection] = []

    private struct Connection {
        var socket: OwnedDescriptor
        var input: [UInt8] = []
        var output: [UInt8] = []
        var isOpen = false
    }

    init(folder: String) throws {
        let path = "\(folder)/bus"
        address = "unix:path=\(path)"
        listener = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener.rawValue, 8) == 0 else { throw FixtureError("\(path): \(SystemError.last)") }
        listener.makeNonBlocking()
    }

    /// Answers what has arrived.
    func serve() throws {
        while let socket = try? UnixSocket.accept(from: listener.rawValue) {
            namePaths()
            connections.append(Connection(socket: socket))
        }
        for index in connections.indices { try serve(&connections[index]) }
    }

    /// Gives all nodes their paths; call it when a tree changes while a program reads it.
    func namePaths() {
        for program in programs { Self.name(program.root, "/root") }
    }

    private static func name(_ node: Node, _ path: String) {
        var rest = [(node, path)]
        while let (node, path) = rest.popLast() {
            node.path = path
            for (index, child) in node.children.enumerated() { rest.append((child, "\(path)/\(index)")) }
        }
    }

    private func serve(_ connection: inout Connection) throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(connection.socket.rawValue, &chunk, chunk.count)
            guard count > 0 else { break }
            connection.input += chunk[..<count]
        }
        if !connection.isOpen { authenticate(&connection) }
        if connection.isOpen {
            var rest = connection.input[...]
            while let length = try BusMessage.length(rest), length <= rest.count {
                let call = try IncomingCall(rest.prefix(length))
                calls += 1
                connection.output += answer(call)
                rest = rest.dropFirst(length)
            }
            connection.input = Array(rest)
        }
        while !connection.output.isEmpty {
            let count = send(
                connection.socket.rawValue, connection.output, connection.output.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { break }
            connection.output.removeFirst(count)
        }
    }

    private func authenticate(_ connection: inout Connection) {
        while let end = connection.input.firstIndex(of: 10) {
            let line = String(decoding: connection.input[..<end], as: UTF8.self)
            connection.input.removeFirst(end + 1)
            if line.contains("AUTH EXTERNAL") { connection.output += Array("OK 1234\r\n".utf8) }
            if line.hasPrefix("BEGIN") {
                connection.isOpen = true
                return
            }
        }
    }

    // MARK: Answers

    private func answer(_ call: IncomingCall) -> [UInt8] {
        switch call.member {
        case "Hello": return call.reply("s") { $0.put(":1.0") }
        case "GetConnectionUnixProcessID":
            guard let pid = programs.first(where: { $0.name == call.strings.first })?.pid else {
                return call.error("org.freedesktop.DBus.Error.UnixProcessIdUnknown")
            }
            return call.reply("u") { $0.put(UInt32(pid)) }
        case _ where call.destination == "org.a11y.atspi.Registry":
            return call.reply("a(so)") { [programs] in
                $0.putReferences(programs.map { ($0.name, $0.root) })
            }
        default: break
        }
        guard let program = programs.first(where: { $0.name == call.destination }), !program.isSilent else { return [] }
        guard let node = Self.node(call.path, program.root) else {
            return call.error("org.freedesktop.DBus.Error.UnknownObject")
        }
        switch call.member {
        case "GetRole":
            if let garbage { return garbage }
            return call.reply("u") { $0.put(node.role) }
        case "GetState":
            return call.reply("au") {
                $0.put(UInt32(8))
                $0.put(UInt32(truncatingIfNeeded: node.states.rawValue))
                $0.put(UInt32(truncatingIfNeeded: node.states.rawValue >> 32))
            }
        case "GetChildren":
            return call.reply("a(so)") { $0.putReferences(node.children.map { (program.name, $0) }) }
        case "GetInterfaces":
            let names = ["org.a11y.atspi.Component"] + (node.text == nil ? [] : ["org.a11y.atspi.Text"])
            return call.reply("as") { $0.putArray(alignment: 4) { for name in names { $0.put(name) } } }
        case "GetExtents":
            node.onExtents(node)
            let (x, y, width, height) = node.extents
            return call.reply("(iiii)") { for value in [x, y, width, height] { $0.put(UInt32(bitPattern: value)) } }
        case "GetText": return call.reply("s") { $0.put(node.text ?? "") }
        case "Get":
            switch call.strings.last {
            case "Name": return call.reply("v") { $0.putVariant(node.name) }
            case "Description": return call.reply("v") { $0.putVariant("") }
            case "ToolkitName": return call.reply("v") { $0.putVariant("fake") }
            default: return call.error("org.freedesktop.DBus.Error.UnknownProperty")
            }
        default: return call.error("org.freedesktop.DBus.Error.UnknownMethod")
        }
    }

    private static func node(_ path: String, _ root: Node) -> Node? {
        let own = path == "/org/a11y/atspi/accessible/root" ? "/root" : path
        guard own.hasPrefix("/root") else { return nil }
        return own.split(separator: "/").dropFirst().reduce(root as Node?) { node, part in
            guard let node, let index = Int(part), node.children.indices.contains(index) else { return nil }
            return node.children[index]
        }
    }
}

/// A call as a program receives it.
struct IncomingCall {
    var serial: UInt32
    var destination = ""
    var path = ""
    var member = ""
    var strings: [String] = []

    init(_ bytes: ArraySlice<UInt8>) throws {
        var head = BusReader(bytes, isBigEndian: false)
        for _ in 0..<4 { _ = try head.byte() }
        _ = try head.uint32()
        serial = try head.uint32()
        let fields = Int(try head.uint32())
        var reader = BusReader(bytes.dropFirst(16).prefix(fields), isBigEndian: false)
        while !reader.isAtEnd {
            try reader.align(8)
            let field = try reader.byte()
            let value = try reader.signature() == "g" ? reader.signature() : reader.string()
            switch field {
            case 1: path = value
            case 3: member = value
            case 6: destination = value
            default: break
            }
        }
        let message = try BusMessage(bytes)
        var body = message.body
        for type in message.signature where type == "s" { strings.append(try body.string()) }
    }

    func reply(_ signature: String, _ fill: (inout BusWriter) -> Void) -> [UInt8] {
        var body = BusWriter()
        fill(&body)
        var fields = BusWriter()
        fields.putSerial(serial)
        fields.putField(.sender, "s", destination)
        fields.putSignature(signature)
        return message(2, fields, body)
    }

    func error(_ name: String) -> [UInt8] {
        var fields = BusWriter()
        fields.putSerial(serial)
        fields.putField(.sender, "s", destination)
        fields.putField(.errorName, "s", name)
        return message(3, fields, BusWriter())
    }

    private func message(_ kind: UInt8, _ fields: BusWriter, _ body: BusWriter) -> [UInt8] {
        var message = BusWriter()
        message.put([UInt8(ascii: "l"), kind, 0, 1])
        message.put(UInt32(body.bytes.count))
        message.put(UInt32(7))
        message.put(UInt32(fields.bytes.count))
        message.put(fields.bytes)
        message.align(8)
        message.put(body.bytes)
        return message.bytes
    }
}

extension BusWriter {
    fileprivate mutating func putSerial(_ serial: UInt32) {
        put([5, 1, UInt8(ascii: "u"), 0])
        put(serial)
    }

    fileprivate mutating func putVariant(_ text: String) {
        put([1, UInt8(ascii: "s"), 0])
        put(text)
    }

    fileprivate mutating func putArray(alignment: Int, _ fill: (inout BusWriter) -> Void) {
        var elements = BusWriter()
        fill(&elements)
        put(UInt32(elements.bytes.count))
        align(alignment)
        put(elements.bytes)
    }

    fileprivate mutating func putReferences(_ references: [(bus: String, node: FakeBus.Node)]) {
        putArray(alignment: 8) { writer in
            for (bus, node) in references {
                writer.align(8)
                writer.put(bus)
                writer.put(node.path.count > 5 ? node.path : "/org/a11y/atspi/accessible/root")
            }
        }
    }
}
