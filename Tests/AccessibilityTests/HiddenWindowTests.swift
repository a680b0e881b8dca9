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
}
