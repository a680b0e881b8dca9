// What there was instead of the widget that was looked for.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    @Test("the nearest widgets are those of a similar text, of the role, or that can be typed into")
    func nearest() throws {
        let entry = Node(79, "Street", (10, 60, 80, 20), states: [.enabled, .showing, .visible, .editable])
        entry.text = "Gruse"
        show(
            Node(43, "Save", (10, 10, 80, 20)), Node(43, "Open", (10, 40, 80, 20), states: [.showing, .visible]), entry)
        for (words, message) in [
            (
                ["wait", "text", "Grüße"],
                #"no widget in view has text=Grüße; the nearest: textbox "Street" in window 1"#
            ),
            (
                ["click", "role=button", "name=Quit"],
                #"no widget has role=button name=Quit; the nearest: button "Save" in window 1, button "Open" in window 1 (disabled)"#
            ),
            (["type", "into=Save", "ab"], #"no text field has name=Save; the nearest: button "Save" in window 1"#),
            (["type", "into=Quit", "ab"], #"no text field has name=Quit; the nearest: textbox "Street" in window 1"#),
            (["wait", "widget", "name=Quit"], "no widget has name=Quit"),
        ] {
            let answer = try mullionctl(words + ["timeout=0s"])
            #expect(answer.status == 124, "\(answer)")
            #expect(answer.output == "mullionctl: not fulfilled within 0 s: \(message)\n")
        }
        entry.extents = (10, 200, 80, 20)
        let out = try mullionctl("wait", "text", "Gruse", "timeout=0s").output
        #expect(
            out.hasSuffix(
                "no widget in view has text=Gruse; the nearest: textbox \"Street\" in window 1 (out of view)\n")
        )
    }
}
