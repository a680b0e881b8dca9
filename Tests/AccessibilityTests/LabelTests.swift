// Labels in the widgets that they name, which GTK 4 describes by themselves.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    /// A button with a label in it, as GTK 4 describes a disabled one.
    private func showDisabledButton() -> Node {
        let label = Node(29, "Save", (20, 15, 60, 10))
        let button = Node(43, "Save", (10, 10, 80, 20), states: [.showing, .visible], children: [label])
        show(button)
        return button
    }

    @Test("a label in a button is not another widget, whatever the button's state has to be")
    func labelOfDisabledButton() throws {
        let button = showDisabledButton()
        let folder = try TemporaryFolder()
        let picture = "\(folder.path)/golden.png"
        #expect(try mullionctl("compare", picture, "--update").status == 0)
        for words in [
            ["wait", "widget", "timeout=0s", "name=Save", "state=enabled"], ["find", "name=Save", "state=enabled"],
            ["compare", picture, "--mask", "name=Save,state=enabled"],
        ] {
            let answer = try mullionctl(words)
            #expect(answer.status != 0 && answer.output.contains("no widget has name=Save state=enabled"), "\(answer)")
        }
        let disabled = try mullionctl("find", "name=Save", "state=!enabled").output
        #expect(disabled == "button \"Save\"  10,10 80×20  disabled  in window 1 \"Form\"\n")
        #expect(try mullionctl("wait", "widget", "name=Save").output == "button \"Save\"\n")
        #expect(try mullionctl("widgets", "name=Save", "state=enabled").output.isEmpty)
        button.states = [.enabled, .showing, .visible]
        #expect(try mullionctl("wait", "widget", "name=Save", "state=enabled").output == "button \"Save\"\n")
    }

    @Test("a button that fills another one of its name, as GTK 4.18 describes one with a menu, is not another widget")
    func buttonInButton() throws {
        let inner = Node(43, "Menu", (10, 10, 80, 20), states: [.enabled, .showing, .visible, .editable])
        let smaller = Node(43, "Menu", (70, 10, 20, 20))
        show(Node(43, "Menu", (10, 10, 80, 20), children: [inner]))
        #expect(try mullionctl("wait", "widget", "role=button", "name=Menu").output == "button \"Menu\"\n")
        #expect(try mullionctl("find", "role=button", "name=Menu", "state=editable").status == 0)
        show(Node(43, "Menu", (10, 10, 80, 20), children: [smaller]))
        let both = try mullionctl("wait", "widget", "role=button", "name=Menu").output
        #expect(both == "button \"Menu\"\nbutton \"Menu\"\n")
    }

    @Test("a label that is asked for by its role, or only has the name of its window, is a widget")
    func ownLabel() throws {
        _ = showDisabledButton()
        #expect(try mullionctl("find", "role=label", "name=Save", "state=enabled").output.hasPrefix("label \"Save\""))
        show(Node(29, "Form", (10, 10, 80, 20)))
        #expect(try mullionctl("find", "name=Form", "role=label").status == 0)
        #expect(try mullionctl("wait", "widget", "name=Form").output == "window \"Form\"\nlabel \"Form\"\n")
    }

    @Test("a field without a name has that of its labels, as GTK 3 describes it")
    func labelsOfFields() throws {
        let labels = [Node(29, "First", (0, 0, 50, 20)), Node(29, "name:", (0, 20, 50, 20))]
        let entry = Node(79, "", (60, 0, 100, 20), states: [.enabled, .showing, .visible, .editable])
        // It is also part of something.
        entry.relations = [(4, root)] + labels.map { (2, $0) }
        let named = Node(79, "Own", (60, 30, 100, 20))
        named.relations = [(2, labels[0])]
        let group = Node(39, "", (60, 60, 100, 20))
        group.relations = [(2, labels[0])]
        show(labels[0], labels[1], entry, named, group)
        let found = try mullionctl("find", "name=First name:")
        #expect(found.output == "textbox \"First name:\"  60,0 100×20  in window 1 \"Form\"\n", "\(found)")
        #expect(try mullionctl("find", "name=First").output.hasPrefix("label"))
        #expect(try mullionctl("find", "name=Own").status == 0)
        _ = try TestInput(client)
        window.makeKey()
        try fixture.pump()
        #expect(try mullionctl("type", "into=/^First/", "ab").status == 0)
    }

    @Test("a label in view counts where what it names has no place")
    func labelInView() throws {
        show(Node(43, "Save", (0, 0, 0, 0), children: [Node(29, "Save", (20, 15, 60, 10))]))
        #expect(try mullionctl("find", "name=Save", "state=showing").output.hasPrefix("label \"Save\""))
        #expect(try mullionctl("find", "name=Save").output.hasPrefix("button \"Save\""))
    }
}
