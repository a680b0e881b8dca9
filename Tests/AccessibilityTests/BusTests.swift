// The wire protocol of D-Bus, and trees that programs describe badly.

import TestSupport
import Testing

@testable import Accessibility

@Suite struct BusTests {
    @Test(
        "addresses of Unix sockets are understood, others refused by name",
        arguments: ["tcp:host=localhost,port=1", "unix:guid=12", "", "unix:path=%zz"])
    func addresses(text: String) throws {
        #expect(throws: BusError.address(text)) { try BusAddress(text) }
        #expect(throws: Never.self) { try BusAddress("tcp:host=x;unix:path=/run/a%20b,guid=1") }
    }

    @Test("a call is read as it was written")
    func call() throws {
        let call = BusCall(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/a", destination: ":1.7", [.string("ä"), .string("")])
        let bytes = call.message(serial: 9)
        #expect(try BusMessage.length(bytes[...]) == bytes.count)
        #expect(try BusMessage.length(bytes[..<15]) == nil)
        let message = try BusMessage(bytes[...])
        #expect(message.kind == .call && message.signature == "ss")
        var body = message.body
        #expect(try body.string() == "ä")
        #expect(try body.string() == "")
        #expect(body.isAtEnd)
    }

    @Test("numbers of both byte orders are read")
    func byteOrders() throws {
        var little = BusReader([7, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff], isBigEndian: false)
        #expect(try little.uint32() == 7)
        #expect(try little.int32() == -2)
        var big = BusReader([0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0], isBigEndian: true)
        #expect(try big.uint32() == 0)
        #expect(try big.double() == 2)
    }

    @Test("damaged messages are refused and never trap")
    func damage() throws {
        var random = SeededRandom(seed: 7)
        let bytes = BusCall("GetRole", of: "a.b", at: "/c", destination: ":1.1", [.int32(1), .string("text")])
            .message(serial: 1)
        var refusals = 0
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            damaged.removeLast(Int.random(in: 0...8, using: &random))
            do {
                guard let length = try BusMessage.length(damaged[...]), length <= damaged.count else { continue }
                var body = try BusMessage(damaged[..<length]).body
                _ = try body.array(alignment: 8) { (reader) throws(BusError) in try reader.string() }
                _ = try body.double()
            } catch {
                refusals += 1
            }
        }
        #expect(refusals > 1000)
    }

    @Test("roles have ARIA's names, and AT-SPI's where ARIA has none")
    func roles() {
        let names = [43: "button", 61: "textbox", 7: "checkbox", 11: "combobox", 37: "tab", 75: "application"]
        for (number, name) in names { #expect(AccessibleRole(rawValue: UInt32(number)).name == name) }
        #expect(AccessibleRole(rawValue: 43).nativeName == "push button")
        #expect(AccessibleRole(rawValue: 60).name == "terminal" && AccessibleRole(rawValue: 900).name == "role 900")
        #expect(AccessibleStates(words: [1 << 12, 1 << (43 - 32)]).names == ["focused", "readOnly"])
    }
}
