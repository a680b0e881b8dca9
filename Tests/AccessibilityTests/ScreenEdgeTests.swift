// Widgets at the edges of the screen, and beyond.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import Accessibility

extension WidgetCommandTests {
    @Test("V1: what the screen shows of a widget is in view, and the middle of that is clicked")
    func partOnScreen() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        window.frame(750, 40, 200, 100).commit()
        try fixture.pump()
        #expect(try mullionctl("--json", "find", "name=Save").output.contains(#""part":{"height":20,"width":40,"#))
        let answer = try mullionctl("click", "name=Save")
        #expect(answer.status == 0 && answer.output.contains("at 30,20"), "\(answer)")
        // The edges of the screen are where it has been turned to.
        try fixture.model.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0, time: 1)
        window.frame(100, 750, 200, 100).commit()
        try fixture.pump()
        #expect(try mullionctl("click", "name=Save").output.contains("at 50,20"))
        // 5 of its 20 points.
        window.frame(100, 785, 200, 100).commit()
        try fixture.pump()
        #expect(try mullionctl("click", "name=Save").output.contains("at 50,12.5"))
    }

    @Test("V1: a widget outside the screen is not in view, and is said to be there")
    func outsideScreen() throws {
        show(Node(43, "Save", (110, 10, 80, 20)))
        window.frame(700, 40, 200, 100).commit()
        try fixture.pump()
        #expect(try mullionctl("find", "name=Save", "state=showing").status == 1)
        #expect(try mullionctl("find", "name=Save", "state=visible").output.contains("outside the screen"))
        let answer = try mullionctl("click", "name=Save", "timeout=0s")
        #expect(answer.status == 124, "\(answer)")
        #expect(answer.output.contains("button \"Save\" lies outside the screen PANEL (800×600)"), "\(answer)")
        #expect(try mullionctl("wait", "text", "Save", "timeout=0s").status == 124)
    }

    @Test("a window that is turned has its edges elsewhere: nothing of it is left out")
    func turnedWindow() throws {
        // Its frame would show it at 870,340. It appears at 770,360.
        show(Node(43, "Save", (150, 80, 20, 20)))
        window.frame(710, 250, 200, 100).commit()
        try fixture.pump()
        for id in fixture.model.windows {
            try fixture.model.setTransform(AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0), of: id)
        }
        let answer = try mullionctl("click", "name=Save")
        #expect(answer.status == 0 && answer.output.contains("at 160,90"), "\(answer)")
    }

    @Test("a mask in the picture of a window covers also what is outside the screen")
    func maskOutsideScreen() throws {
        let folder = try TemporaryFolder()
        show(Node(43, "Save", (0, 0, 200, 99)))
        window.frame(750, 40, 200, 100).commit()
        try fixture.pump()
        let picture = "\(folder.path)/golden.png"
        #expect(try mullionctl("compare", picture, "--window", "1", "--update").status == 0)
        window.color(0xff00_ff40).commit()
        try fixture.pump()
        #expect(try mullionctl("compare", picture, "--window", "1").status == 1)
        let masked = try mullionctl("compare", picture, "--window", "1", "--mask", "name=Save")
        #expect(masked.output.contains("golden.png: 200 of 200 pixels"), "\(masked)")
    }
}
