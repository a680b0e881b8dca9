// An accessibility bus with programs whose widgets a test decides.

import Glibc
import MullionSystem
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
        var description = ""
        var children: [Node] = []
        /// What it is related to, by the kinds of relations.
        var relations: [(kind: UInt32, target: Node)] = []
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
        /// Whether it answers no faster than `pace`.
        var isPaced = true
        var root: Node
    }

    var programs: [Program] = []
    /// The name of the toolkit that they use.
    var toolkit = "fake"
    /// What they say is in front everywhere; nil: nothing.
    var front: Node?
    /// Bytes that are sent instead of an answer; nil: the answer.
    var instead: (IncomingCall) -> [UInt8]? = { _ in nil }
    /// The least time between two answers of paced programs, in seconds; the bus itself is not slow.
    var pace = 0.0
    private var lastAnswer = 0.0
    /// Whether it closes its connections after the present answers.
    var isEnding = false
    /// Whether nobody may connect.
    var isRefusing = false
    private(set) var calls = 0
    /// How many of them have had their answer.
    private(set) var answered = 0
    /// How many of them a silent program has received.
    private(set) var unanswered = 0
    let address: String
    private let listener: OwnedDescriptor
    private var connections: [Connection] = []

    private struct Connection {
        var socket: OwnedDescriptor
        var input: [UInt8] = []
        var output: [UInt8] = []
        /// Answers of slow programs.
        var held: [[UInt8]] = []
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
        if isEnding { connections = [] }
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
            while let length = try IncomingCall.length(rest) {
                let call = try IncomingCall(rest.prefix(length))
                calls += 1
                let answer = instead(call) ?? answer(call)
                if pace > 0, programs.contains(where: { $0.name == call.destination && $0.isPaced }) {
                    connection.held.append(answer)
                } else {
                    connection.output += answer
                    answered += 1
                }
                rest = rest.dropFirst(length)
            }
            connection.input = Array(rest)
            if !connection.held.isEmpty, MonotonicClock.seconds >= lastAnswer + pace {
                lastAnswer = MonotonicClock.seconds
                connection.output += connection.held.removeFirst()
                answered += 1
            }
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
            // Without the user's number, the bus requests it, although it knows better.
            if line.contains("AUTH EXTERNAL") { connection.output += Array("DATA\r\n".utf8) }
            let answer = isRefusing ? "REJECTED EXTERNAL" : "OK \(String(repeating: "0a", count: 16))"
            if line.hasPrefix("DATA") { connection.output += Array("\(answer)\r\n".utf8) }
            if line.hasPrefix("BEGIN") {
                connection.isOpen = true
                return
            }
        }
    }

    // MARK: Answers

    func answer(_ call: IncomingCall) -> [UInt8] {
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
        guard let program = programs.first(where: { $0.name == call.destination }), !program.isSilent else {
            unanswered += 1
            return []
        }
        guard let node = Self.node(call.path, program.root) else {
            return call.error("org.freedesktop.DBus.Error.UnknownObject")
        }
        switch call.member {
        case "GetRole":
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
        case "GetRelationSet":
            return call.reply("a(ua(so))") { writer in
                writer.putArray(alignment: 8) { writer in
                    for (kind, target) in node.relations {
                        writer.align(8)
                        writer.put(kind)
                        writer.putReferences([(program.name, target)])
                    }
                }
            }
        case "GetAccessibleAtPoint":
            return call.reply("(so)") { [front] in
                $0.put(front == nil ? "" : program.name)
                $0.put(front?.path ?? "/org/a11y/atspi/null")
            }
        case "GetText": return call.reply("s") { $0.put(node.text ?? "") }
        case "Get":
            switch call.strings.last {
            case "Name": return call.reply("v") { $0.putVariant(node.name) }
            case "Description": return call.reply("v") { $0.putVariant(node.description) }
            case "ToolkitName": return call.reply("v") { [toolkit] in $0.putVariant(toolkit) }
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

extension WireWriter {
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
