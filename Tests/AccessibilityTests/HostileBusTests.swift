// Programs and buses that answer what they should not: mullionctl says so or ignores it, and nothing else happens.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    /// Answers of the wrong type.
    private static let wrong: [(signature: String, fill: @Sendable (inout WireWriter) -> Void)] = [
        ("", { _ in }), ("s", { $0.put("text") }), ("d", { $0.put([0, 0, 0, 0, 0, 0, 0xf0, 0x7f]) }),
        ("au", { $0.putArray(alignment: 4) { for number: UInt32 in 0..<100 { $0.put(number) } } }),
        ("v", { $0.put(nested(40)) }), ("v", { $0.put(nested(2000)) }), ("(iiii)", { $0.put(UInt32.max) }),
        (String(repeating: "a", count: 30) + "s", { for _ in 0..<4 { $0.put(UInt32(0)) } }),
        (
            "a{sv}",
            {
                $0.putArray(alignment: 8) {
                    $0.put("key")
                    $0.putVariant("value")
                }
            }
        ),
        (
            "a(so)",
            {
                $0.putArray(alignment: 8) {
                    for (bus, path) in [("no bus", "/a"), (":1.5", "no path"), ("", ""), (":1.5\u{1}", "/\u{7f}")] {
                        $0.align(8)
                        $0.put(bus)
                        $0.put(path)
                    }
                }
            }
        ),
        // It ends in the middle of a number, and is longer than the message.
        ("s", { $0.put([9, 0]) }), ("s", { $0.put(UInt32(1 << 30)) }),
    ]

    /// A variant in a variant and so on.
    private static func nested(_ depth: Int) -> [UInt8] {
        var writer = WireWriter()
        for _ in 0..<depth { writer.putSignature("v") }
        writer.putVariant("deep")
        return writer.bytes
    }

    @Test(
        "answers of the wrong type are ignored",
        arguments: [
            "GetRole", "GetState", "GetChildren", "GetInterfaces", "GetExtents", "GetText", "GetRelationSet", "Get",
            "GetAccessibleAtPoint",
        ])
    func wrongTypes(member: String) throws {
        let entry = Node(61, "Name", (10, 10, 80, 20), states: [.enabled, .showing, .visible, .editable])
        entry.text = "Ada"
        show(entry, Node(61, "", (10, 40, 80, 20)))
        for (signature, fill) in Self.wrong {
            bus.instead = { call in
                call.member == member && call.destination == ":1.5" ? call.reply(signature, fill) : nil
            }
            if member == "GetAccessibleAtPoint" {
                bus.toolkit = "GTK"
                #expect(try mullionctl("click", "name=Name").status == 0, "\(signature)")
                continue
            }
            let answer = try mullionctl("widgets")
            #expect(answer.status == 0, "\(member), \(signature): \(answer)")
            #expect(answer.output.contains("window 1"), "\(member), \(signature): \(answer)")
        }
    }

    @Test("of long texts and lists, as much is read as there can be")
    func hugeAnswers() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.instead = { call in
            call.path == "/root/0/0" && call.strings.last == "Name"
                ? call.reply("v") { $0.putVariant(String(repeating: "x", count: 4 << 20)) } : nil
        }
        let long = try mullionctl("widgets")
        #expect(long.status == 0 && long.output.contains("button \"xxxx"))
        #expect(long.output.utf8.count < 5000)
        bus.instead = { call in
            guard call.member == "GetChildren", call.path == "/root/0" else { return nil }
            return call.reply("a(so)") {
                $0.putArray(alignment: 8) {
                    for number in 0..<60_000 {
                        $0.align(8)
                        $0.put(":1.5")
                        $0.put("/none/\(number)")
                    }
                }
            }
        }
        let many = try mullionctl("find", "role=window")
        #expect(many.status == 0, "\(many.output.prefix(400))")
        #expect(many.output.contains("more than 10000 widgets; the others are left out"))
    }

    @Test("of states and interfaces, only what has a meaning is kept")
    func hugeLists() throws {
        show(Node(39, children: (0..<1000).map { Node(43, "Button \($0)", (10, 10, 80, 20)) }))
        // 80 KB for each of 1000 widgets; as values they would need more than 1 GB.
        let words = [UInt8](repeating: 0, count: 80_000)
        bus.instead = { call in
            guard ["GetState", "GetInterfaces"].contains(call.member) else { return nil }
            return call.reply("au") { $0.putArray(alignment: 4) { $0.put(words) } }
        }
        let limit = "ulimit -v 400000; exec \"$0\" --control \"$1\" widgets"
        let program = try fixture.spawn(
            "/bin/sh", ["-c", limit, "\(Programs.built)/mullionctl", control.folder + "/socket"],
            environment: ["AT_SPI_BUS_ADDRESS": bus.address])
        let answer = try end(program)
        #expect(answer.status == 0 && answer.output.contains("button \"Button 999\""), "\(answer.output.suffix(400))")
    }

    @Test("a program whose answers are too large is named, and pays also for others' objects in its tree")
    func excess() throws {
        client.window("Other").color(0xff00_ff00).frame(0, 0, 50, 50).show()
        try fixture.pump()
        show(Node(43, "Save", (10, 10, 80, 20)))
        let other = Node(75, "greedy", children: [Node(23, "Other", (0, 0, 50, 50))])
        bus.programs.append(FakeBus.Program(name: ":1.6", root: other))
        let name = String(repeating: "x", count: 4096)
        bus.instead = { call in
            if call.member == "GetChildren", call.destination == ":1.6", call.path == "/root/0" {
                return call.reply("a(so)") {
                    $0.putArray(alignment: 8) {
                        for number in 0..<9000 {
                            $0.align(8)
                            $0.put(":1.5")
                            $0.put("/large/\(number)")
                        }
                    }
                }
            }
            guard call.path.hasPrefix("/large/"), call.strings.last == "Name" else { return nil }
            return call.reply("v") { $0.putVariant(name) }
        }
        let answer = try mullionctl("find", "role=button", "timeout=60s")
        #expect(answer.status == 0, "\(answer.output.suffix(400))")
        #expect(answer.output.contains("button \"Save\"  10,10 80×20  in window 1"), "\(answer.output.suffix(400))")
        let remark = "mullionctl: greedy describes its widgets in more than 32 MiB; the rest is left out"
        #expect(answer.output.contains(remark), "\(answer.output.suffix(400))")
        #expect(!answer.output.contains("mullionctl: program"), "\(answer.output.suffix(400))")
    }

    @Test("a bus that refuses, ends or sends something else is reported")
    func badBus() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.instead = { $0.member == "GetRole" ? Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) : nil }
        let garbage = try mullionctl("widgets")
        #expect(garbage.status == 1 && garbage.output.contains("the bus sent an invalid D-Bus message"), "\(garbage)")
        bus.instead = { [bus] call in
            if call.member == "GetState" { bus.isEnding = true }
            return nil
        }
        let ended = try mullionctl("widgets")
        #expect(ended.status == 1 && ended.output.contains("the bus closed the connection"), "\(ended)")
        bus.isEnding = false
        bus.isRefusing = true
        let refused = try mullionctl("widgets")
        #expect(refused.status == 1 && refused.output.contains("the bus refuses this user"), "\(refused)")
    }

    @Test("answers of others, signals and calls to mullionctl change nothing")
    func strangers() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.instead = { call in
            guard call.member == "GetRole" else { return nil }
            let forged = call.reply("u", sender: ":1.9") { $0.put(UInt32(7)) }
            let unasked = call.reply("u", to: call.serial &+ 1000) { $0.put(UInt32(7)) }
            var fields = WireWriter()
            fields.putField(1, "o", "/a")
            fields.putField(2, "s", "org.freedesktop.DBus.Peer")
            fields.putField(3, "s", "Ping")
            fields.putField(7, "s", ":1.9")
            let messages = [UInt8(1), 4].map { IncomingCall.message($0, fields, WireWriter()) }
            let role: UInt32 = call.path == "/root/0/0" ? 43 : call.path == "/root/0" ? 23 : 75
            return forged + unasked + messages.flatMap { $0 } + call.reply("u") { $0.put(role) }
        }
        let answer = try mullionctl("find", "role=button")
        #expect(answer.status == 0 && answer.output.hasPrefix("button \"Save\""), "\(answer)")
    }

    @Test("damaged answers never crash it")
    func damage() throws {
        let entry = Node(61, "Name", (10, 10, 80, 20))
        entry.text = "Ada"
        show(entry, Node(43, "Save", (10, 40, 80, 20)))
        var random = SeededRandom(seed: 7)
        bus.instead = { [bus] call in
            guard call.member != "Hello", Int.random(in: 0..<8, using: &random) == 0 else { return nil }
            var bytes = bus.answer(call)
            guard bytes.count > 24 else { return nil }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Not its length, nor what it replies to: then it would be as if there were none.
                bytes[Int.random(in: 24..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        }
        for _ in 0..<3 {
            let programs = try (0..<6).map { _ in try start(["widgets"]) }
            for program in programs {
                let (status, output) = try end(program)
                #expect([0, 1].contains(status), "\(status): \(output)")
            }
        }
    }
}
