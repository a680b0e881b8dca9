// Widgets that cover others in the same window.

import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    @Test("a widget that another one of its window covers is not clicked, where the toolkit says so")
    func coveredByWidget() throws {
        let label = Node(29, "Open", (12, 12, 60, 10))
        let inside = Node(29, "Save", (12, 12, 60, 10))
        let button = Node(43, "Save", (10, 10, 80, 20), children: [inside])
        let group = Node(39, "", (0, 0, 200, 100), children: [button])
        let other = Node(39, "", (0, 0, 200, 100), children: [Node(43, "Open", (10, 10, 80, 20), children: [label])])
        show(group, other)
        bus.toolkit = "GTK"
        bus.front = label
        let answer = try mullionctl("click", "name=Save", "timeout=3s")
        let message = "button \"Save\" is covered at 80,60 of PANEL by button \"Open\""
        #expect(answer.status == 124 && answer.output.contains(message), "\(answer)")
        bus.front = other
        #expect(try mullionctl("click", "name=Save", "timeout=3s").output.contains("of PANEL by group\n"))
        // Parts of it, what it is in, nothing, and what is not in the tree.
        let stranger = Node(43, "Stranger")
        for front in [button, inside, group, root.children[0], nil, stranger] {
            bus.front = front
            #expect(try mullionctl("click", "name=Save").status == 0, "\(front?.name ?? "nothing")")
        }
        // Other toolkits are not asked.
        bus.front = label
        bus.toolkit = "Qt"
        #expect(try mullionctl("click", "name=Save").status == 0)
    }
}
