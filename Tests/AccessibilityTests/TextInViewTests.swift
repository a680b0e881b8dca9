// Waiting for texts.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    @Test("wait text needs a widget in view: neither one that is scrolled out of it, nor one that is hidden")
    func textInView() throws {
        let label = Node(29, "Total: 3", (10, 10, 80, 20))
        show(Node(49, "", (0, 0, 200, 50), children: [label]))
        #expect(try mullionctl("wait", "text", "/Total/", "timeout=0s").output == "label \"Total: 3\"\n")
        // Below the end of the scroll pane, and in the window.
        label.extents = (10, 60, 80, 20)
        let out = try mullionctl("wait", "text", "/Total/", "timeout=0s")
        #expect(out.status == 124, "\(out)")
        #expect(try mullionctl("wait", "widget", "name=/Total/", "timeout=0s").status == 0)
        label.extents = (10, 10, 80, 20)
        label.states = [.enabled]
        #expect(try mullionctl("wait", "text", "/Total/", "timeout=0s").status == 124)
    }
}
