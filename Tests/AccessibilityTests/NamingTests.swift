// What widgets are called, and how those are told apart that have the same name.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    @Test("a widget without a name has its description, as in ARIA, and what has a name keeps it")
    func descriptions() throws {
        let (save, open, panel) = (Node(43, "", (10, 10, 80, 20)), Node(43, "Open", (10, 40, 80, 20)), Node(39))
        (save.description, open.description, panel.description) = ("Save the letter", "Open a letter", "A panel")
        panel.extents = (0, 0, 200, 100)
        panel.children = [save, open]
        show(panel)
        #expect(try mullionctl("click", "role=button", "name=Save the letter").output.contains("at 50,20"))
        #expect(try mullionctl("find", "name=Open").output.hasPrefix("button \"Open\"  10,40"))
        #expect(try mullionctl("find", "name=Open a letter").status == 1)
        #expect(try mullionctl("find", "name=A panel").status == 1)
        #expect(try mullionctl("click", "description=/^Open/").output.contains("at 50,50"))
        let near = try mullionctl("find", "description=Open a better")
        #expect(near.status == 1 && near.output.contains("the nearest: button \"Open\""), "\(near)")
    }

    @Test("one of several widgets with the same name is meant by its number; the message has their places")
    func numbers() throws {
        show(
            Node(43, "Save", (10, 10, 80, 20)), Node(43, "Save", (10, 40, 80, 20)), Node(43, "Save", (10, 70, 80, 20)))
        let several = try mullionctl("click", "name=Save", "timeout=0s")
        let places = "button \"Save\" at 10,10 80×20 in window 1, button \"Save\" at 10,40 80×20 in window 1"
        #expect(several.status == 124 && several.output.contains("3 widgets have name=Save: \(places)"), "\(several)")
        #expect(several.output.contains("nth=0"), "\(several)")
        for (number, y) in [("0", 20), ("1", 50), ("2", 80), ("-1", 80), ("-3", 20)] {
            #expect(try mullionctl("click", "name=Save", "nth=\(number)").output.contains("at 50,\(y)"), "\(number)")
        }
        for number in ["3", "-4"] {
            let none = try mullionctl("find", "name=Save", "nth=\(number)")
            #expect(none.status == 1 && none.output.contains("no widget has name=Save nth=\(number)"), "\(none)")
        }
        for number in ["first", "0x1", "+1", "1.5", "99999999999999999999"] {
            let wrong = try mullionctl("find", "name=Save", "nth=\(number)")
            #expect(wrong.status == 2 && wrong.output.contains("nth=\(number) is not a number"), "\(wrong)")
        }
        #expect(try mullionctl("find", "role=button", "nth=1").output.split(separator: "\n").count == 1)
    }

    @Test("wait numbers widgets of any state and text, and waits for those of the one of that number")
    func awaitedNumbers() throws {
        let fields = ["Ada", "Bob"].enumerated().map { index, text in
            let field = Node(61, "Name", (10, 10 + Int32(index) * 40, 80, 20))
            field.text = text
            return field
        }
        fields[0].states = [.showing, .visible]
        show(fields[0], fields[1])
        for (words, status) in [
            (["nth=0", "state=enabled"], 124), (["nth=1", "state=enabled"], 0), (["nth=-2", "state=!enabled"], 0),
            (["nth=0", "text=Bob"], 124), (["text=Bob", "nth=1"], 0), (["nth=0", "text=Bob", "gone"], 0),
            (["nth=1", "state=enabled", "gone"], 124),
        ] as [([String], Int32)] {
            let answer = try mullionctl(["wait", "widget", "name=Name", "timeout=0s"] + words)
            #expect(answer.status == status, "\(words): \(answer)")
        }
        #expect(try mullionctl("find", "name=Name", "state=enabled", "nth=0").output.contains("10,50"))
    }

    @Test("a landmark is a region, as ARIA calls it, and also has AT-SPI's name")
    func regions() throws {
        show(Node(110, "Results", (10, 10, 80, 20)))
        for role in ["region", "landmark"] {
            let found = try mullionctl("find", "role=\(role)")
            #expect(found.output == "region \"Results\"  10,10 80×20  in window 1 \"Form\"\n", "\(found)")
        }
        #expect(try mullionctl("--json", "find", "role=region").output.contains(#""nativeRole":"landmark""#))
    }

    @Test("a name that GTK 4.8 doubles counts once, whatever it is; one that is double by itself stays")
    func doubledNames() throws {
        bus.toolkit = "GTK"
        func button(_ name: String, label: String, y: Int32) -> Node {
            Node(43, name, (10, y, 80, 20), children: [Node(29, label, (12, y + 2, 40, 10))])
        }
        show(
            button("Save Save", label: "Save", y: 10), button("4 4", label: "4", y: 40),
            button("no no", label: "no no", y: 70))
        for (name, y) in [("Save", 20), ("4", 50), ("no no", 80)] {
            let click = try mullionctl("click", "role=button", "name=\(name)")
            #expect(click.status == 0 && click.output.contains("at 50,\(y)"), "\(click)")
        }
        bus.toolkit = "fake"
        #expect(try mullionctl("find", "role=button", "name=4 4").status == 0)
    }
}
