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

    @Test("a label that is asked for by its role, or only has the name of its window, is a widget")
    func ownLabel() throws {
        _ = showDisabledButton()
        #expect(try mullionctl("find", "role=label", "name=Save", "state=enabled").output.hasPrefix("label \"Save\""))
        show(Node(29, "Form", (10, 10, 80, 20)))
        #expect(try mullionctl("find", "name=Form", "role=label").status == 0)
        #expect(try mullionctl("wait", "widget", "name=Form").output == "window \"Form\"\nlabel \"Form\"\n")
    }

    @Test("a label in view counts where what it names has no place")
    func labelInView() throws {
        show(Node(43, "Save", (0, 0, 0, 0), children: [Node(29, "Save", (20, 15, 60, 10))]))
        #expect(try mullionctl("find", "name=Save", "state=showing").output.hasPrefix("label \"Save\""))
        #expect(try mullionctl("find", "name=Save").output.hasPrefix("button \"Save\""))
    }
}
