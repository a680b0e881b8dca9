// Widgets in windows that the server does not show.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    @Test(
        "V1: a widget is not visible while its window is hidden or its screen unplugged, whatever its program says",
        arguments: [true, false])
    func hiddenWindow(isHidden: Bool) throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let conditions = [["widget", "name=Save"], ["widget", "name=Save", "state=visible"], ["text", "Save"]]
        for words in conditions { #expect(try mullionctl(["wait"] + words).status == 0, "\(words)") }
        if isHidden {
            window.hide()
            try fixture.pump()
        } else {
            try fixture.model.unplug("PANEL")
        }
        for words in conditions {
            let answer = try mullionctl(["wait"] + words + ["timeout=0s"])
            #expect(answer.status == 124, "\(words): \(answer)")
        }
        #expect(try mullionctl("find", "name=Save", "state=!visible,!showing").status == 0)
    }

    @Test("V1: a widget in a window that is not visible is said to be there; a visible one of the title comes first")
    func hiddenWindowIsNamed() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        window.hide()
        try fixture.pump()
        let hidden = try mullionctl("click", "name=Save", "timeout=0s")
        #expect(hidden.status == 124, "\(hidden)")
        #expect(hidden.output.contains("button \"Save\" is in window 1 \"Form\", which is not visible"), "\(hidden)")
        #expect(try mullionctl("find", "name=Save").output.contains("hidden  in window 1 \"Form\""))
        // Another window of the title, whose program has described only one yet.
        client.window("Form").color(0xffff_0000).frame(300, 40, 200, 100).show()
        try fixture.pump()
        #expect(try mullionctl("click", "name=Save").output.hasPrefix("button \"Save\": window 2 \"Form\""))
    }

    @Test("H3: a click on a widget in a window that receives none names the window")
    func deafWindowIsNamed() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        input.pointer.send(.release)
        try fixture.pump()
        let answer = try mullionctl("click", "name=Save", "timeout=5s")
        let reason = "no client received the click: window 1 \"Form\" does not receive such events"
        #expect(answer.status == 1 && answer.output.contains(reason), "\(answer)")
    }

    @Test("H3: a window in front that receives no clicks is said to cover the widget")
    func deafWindowInFront() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let other = try fixture.connect("overlay")
        other.window("Overlay").color(0xffff_0000).frame(60, 50, 40, 40).level(2000).show()
        try fixture.pump()
        let answer = try mullionctl("click", "name=Save", "timeout=5s")
        let cover = "button \"Save\" is covered at 80,60 of PANEL by window 2 \"Overlay\""
        #expect(answer.status == 124 && answer.output.contains(cover), "\(answer)")
    }
}
