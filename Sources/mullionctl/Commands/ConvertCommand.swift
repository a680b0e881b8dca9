// convert

import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var convertCommand: Command {
        Command(
            name: "convert", arguments: "x,y[,width,height]… from=SPACE to=SPACE",
            summary: "convert points or a rectangle between windows and screens",
            details: """
                A SPACE is one of:
                  window:ID      a window's points, from the top left corner of its frame,
                                 before its transform; also window:TITLE
                  screen:SCREEN  a screen's bounds, which follow its orientation
                  fixed:SCREEN   a screen's fixed coordinate space: portrait-up of its panel
                  layout         the global layout of all screens

                Prints x,y for each point, in a line of its own. A rectangle is printed as
                x,y,width,height; one that comes to lie at an angle gets its bounding box.
                """,
            run: { (call) throws(CommandError) in
                let request = try conversion(call)
                try call.end()
                try call.show(.postConvert(request)) { answer in
                    let points = (answer.points ?? []) + [answer.point].compactMap(\.self)
                    let rects = [answer.rect].compactMap(\.self)
                    let lines = points.map { [$0.x, $0.y] } + rects.map { [$0.x, $0.y, $0.width, $0.height] }
                    return lines.map { $0.map(JSON.exactText).joined(separator: ",") + "\n" }.joined()
                }
            })
    }

    /// The body of the request.
    private static func conversion(_ call: Invocation) throws(CommandError) -> JSON {
        var spaces: [String: JSON] = [:]
        var points: [JSON] = []
        var rects: [JSON] = []
        for word in call.words() {
            switch Values.pair(word) {
            case (let key, let space?):
                guard ["from", "to"].contains(key) else { throw Values.unknown(key, ["from", "to"]) }
                guard spaces[key] == nil else { throw .usage("\(key) is given twice") }
                spaces[key] = try Values.space(space, key, call.client)
            case (_, nil):
                let numbers = try Values.pointOrRect(word)
                if numbers.count == 4 { rects.append(.rect(numbers)) } else { points.append(.point(numbers)) }
            }
        }
        for key in ["from", "to"] where spaces[key] == nil { throw .usage("\(key)=SPACE is missing") }
        let body = JSON.object(spaces)
        switch (points.count, rects.count) {
        case (0, 0): throw .usage("x,y is missing")
        case (1, 0): return body.with("point", points[0])
        case (_, 0): return body.with("points", .array(points))
        case (0, 1): return body.with("rect", rects[0])
        default: throw .usage("a rectangle is converted alone; leave out the others")
        }
    }

}

extension Values {
    /// - Parameter text: "window:7", "window:Menu", "screen:TV", "fixed:TV" or "layout".
    fileprivate static func space(_ text: String, _ key: String, _ client: ControlClient) throws(CommandError) -> JSON {
        if text == "layout" { return .string(text) }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("window", 2):
            let word = try client.windowID(parts[1], key)
            guard let id = DecimalText.whole(word, as: UInt32.self) else {
                throw .usage("\(key)=\(text): \"\(word)\" is not the id of a window")
            }
            return .object(["window": .number(Double(id))])
        case ("screen", 2), ("fixed", 2): return .object([parts[0]: .string(parts[1])])
        default:
            throw .usage("\"\(text)\" is not a space; use window:ID, screen:SCREEN, fixed:SCREEN or layout")
        }
    }

    /// "x,y" or "x,y,width,height".
    fileprivate static func pointOrRect(_ text: String) throws(CommandError) -> [Double] {
        let isRect = text.split(separator: ",", omittingEmptySubsequences: false).count == 4
        return try numbers(text, count: isRect ? 4 : 2, "a point or rectangle; use x,y or x,y,width,height")
    }
}
