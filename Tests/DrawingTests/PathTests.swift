// Paths: their elements, bounds and insides.

import MullionClient
import MullionDrawing
import Testing

@Suite struct PathTests {
    @Test("bounds and insides of shapes")
    func shapes() {
        let rect = Rect(x: 10, y: 20, width: 40, height: 30)
        #expect(Path.rect(rect).bounds == rect)
        for path in [Path.rect(rect, radius: 8), .rect(rect, radius: 99), .ellipse(in: rect)] {
            let bounds = path.bounds
            #expect(abs(bounds.minX - 10) < 0.01 && abs(bounds.maxX - 50) < 0.01)
            #expect(abs(bounds.minY - 20) < 0.01 && abs(bounds.maxY - 50) < 0.01)
            #expect(path.contains(rect.center))
            #expect(!path.contains(Point(x: 10.5, y: 20.5)), "the corners are round")
        }
        #expect(Path.rect(rect).contains(Point(x: 10.5, y: 20.5)))
        #expect(!Path.rect(rect).contains(Point(x: 9, y: 30)))
        #expect(Path().isEmpty && Path().bounds == .zero && !Path().contains(.zero))
    }

    @Test("a circle has the area of a circle")
    func circle() throws {
        for radius in [10.0, 40] {
            let image = try draw(100, 100) { $0.fill(.circle(Point(x: 50, y: 50), radius: radius), red) }
            let area = Double.pi * radius * radius
            #expect(abs(image.coverage - area) < area * 0.01)
        }
    }

    @Test("arcs run in their direction; a full turn is a circle")
    func arcs() {
        func arc(_ start: Double, _ end: Double, clockwise: Bool) -> Rect {
            var path = Path()
            path.addArc(center: .zero, radius: 10, startAngle: start, endAngle: end, clockwise: clockwise)
            return path.bounds
        }
        // From the right, clockwise, to below: the lower right quarter.
        let quarter = arc(0, .pi / 2, clockwise: true)
        #expect(abs(quarter.minX) < 0.01 && abs(quarter.minY) < 0.01 && abs(quarter.maxX - 10) < 0.01)
        // The other way round: everything but that quarter.
        let rest = arc(0, .pi / 2, clockwise: false)
        #expect(abs(rest.minX + 10) < 0.01 && abs(rest.minY + 10) < 0.01 && abs(rest.maxY - 10) < 0.01)
        for clockwise in [true, false] {
            let sign = clockwise ? 1.0 : -1
            let turn = arc(1, 1 + sign * 2 * .pi, clockwise: clockwise)
            #expect(abs(turn.width - 20) < 0.01 && abs(turn.height - 20) < 0.01)
            let turns = arc(1, 1 + sign * 1e9, clockwise: clockwise)
            #expect(abs(turns.width - 20) < 0.01 && abs(turns.height - 20) < 0.01)
        }
        #expect(arc(1, 1, clockwise: true).size == .zero)
    }

    @Test("curves and lines begin at the current point, and closing returns to the start")
    func elements() {
        var path = Path()
        path.addLine(to: Point(x: 1, y: 1))
        #expect(path.elements == [.move(to: Point(x: 1, y: 1))])
        path.addLine(to: Point(x: 5, y: 1))
        path.addQuadCurve(to: Point(x: 8, y: 1), controlPoint: Point(x: 5, y: 4))
        #expect(path.currentPoint == Point(x: 8, y: 1))
        #expect(
            path.elements.last
                == .curve(to: Point(x: 8, y: 1), Point(x: 5, y: 3), Point(x: 6, y: 3)))
        path.close()
        #expect(path.currentPoint == Point(x: 1, y: 1))
        let count = path.elements.count
        path.addLine(to: Point(x: .nan, y: 0))
        path.addCurve(to: .zero, controlPoint1: .zero, controlPoint2: Point(x: 0, y: .infinity))
        #expect(path.elements.count == count)
        let moved = path.applying(.translation(x: 2, y: 3))
        #expect(moved.bounds == path.bounds.offsetBy(x: 2, y: 3))
        #expect(moved.currentPoint == Point(x: 3, y: 4))
    }
}
