// Addresses of buses, and the numbers of AT-SPI.

import Testing

@testable import Accessibility

@Suite struct BusTests {
    @Test(
        "addresses of Unix sockets are understood, others refused by name",
        arguments: ["tcp:host=localhost,port=1", "unix:guid=12", "", "unixexec:path=/bin/true"])
    func addresses(text: String) throws {
        #expect(throws: BusError.address(text)) { try BusAddress(text) }
        #expect(try BusAddress("tcp:host=x;unix:path=/run/a%20b,guid=1").text == "unix:path=/run/a%20b,guid=1")
        #expect(throws: BusError.address("unix:path=%zz")) { try BusConnection(BusAddress("unix:path=%zz")) }
    }

    @Test(
        "names of buttons are what is shown, without the marks of mnemonics",
        arguments: [
            ("_Save Save", "Save", true), ("_Save", "Save", true), ("Save _As… Save As…", "Save As…", true),
            ("Snake__case _x Snake_case x", "Snake_case x", true), ("Speichern(_S) Speichern(S)", "Speichern(S)", true),
            ("a_b", "a_b", false), ("Save Save", "Save", false), ("_Save Sand", "Save", false), ("_Save", "", false),
            ("Save Save", "Save Save", false), ("__x", "x", false),
        ])
    func mnemonics(name: String, shown: String, isMarked: Bool) {
        #expect(AccessibleApplication.isMarked(shown, in: name) == isMarked)
    }

    @Test("a button has the name of a label in it, or in a box in it, but not of others below")
    func labels() {
        func object(_ path: String, _ role: UInt32, _ name: String, in parent: Accessible?) -> Accessible {
            let object = Accessible(.init(bus: ":1.5", path: path), parent: parent)
            (object.role, object.name) = (AccessibleRole(rawValue: role), name)
            parent?.children.append(object)
            return object
        }
        let application = AccessibleApplication(root: object("/", 75, "", in: nil), pid: nil)
        application.toolkit = "GTK"
        let buttons = (0..<3).map { depth in
            let button = object("/\(depth)", 43, "_Save Save", in: application.root)
            var parent = button
            for level in 0..<depth { parent = object("/\(depth)/\(level)", 39, "", in: parent) }
            _ = object("/\(depth)/label", 29, "Save", in: parent)
            return button
        }
        application.simplifyNames()
        #expect(buttons.map(\.name) == ["Save", "Save", "_Save Save"])
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
