// The schemas of the control API's request bodies.

import DisplayServer
import Displays
import WindowModel

extension OpenAPI {
    /// The attributes of a touch other than its position.
    private static let touchAttributes = """
        force number?
        majorRadius number?
        minorRadius number?
        orientation number?
        tool finger|pencil|eraser?
        altitude number? of a pencil, in radians
        azimuth number?
        roll number?
        buttons [primary|secondary|tertiary]? pressed on the pencil
        """

    /// By name; each has all fields of the type that decodes it.
    static let bodies: [String: String] = [
        "Empty": "",
        "PointBody": """
        x number
        y number
        """,
        "RectBody": """
        x number
        y number
        width number
        height number
        """,
        "Plug": """
        model string? a display model, or WIDTHxHEIGHT[@HERTZ][~N:D]; optional with an EDID
        edid string? base64
        hostile boolean? other displays of this name are other displays
        \(ScreenProperty.all.body)
        """,
        "ScreenPatch": """
        enabled boolean?
        powered boolean? false: its picture is black
        duration number? of the rotation, in seconds: \(Rule.r1)
        \(ScreenProperty.changeable.body)
        """,
        "WindowPatch": """
        level number,normal|statusBar|alert? \(Rule.w2)
        hidden boolean?
        frame RectBody? in the screen's points
        alpha number? 0 to 1
        screen string,integer? by id or name
        title string?
        key boolean? \(Rule.k2)
        front boolean? true: to the front of its level
        userInteractionEnabled boolean? \(Rule.e8)
        autoresizing [leftMargin|width|rightMargin|topMargin|height|bottomMargin]? \(Rule.r2)
        """,
        "Conversion": """
        point PointBody?
        points [PointBody]?
        rect RectBody?
        from Space,layout
        to Space,layout the global layout, or a space with exactly one field
        """,
        "Space": """
        window integer? a window's points, from the top left corner of its frame
        screen string,integer? a screen's bounds, by id or name
        fixed string,integer? a screen's fixed coordinate space
        """,
        "ClockPatch": """
        step integer? microseconds
        until idle? advance until nothing is due
        limit integer? with until: the maximum in microseconds
        """,
        "KeyboardPatch": """
        rules string?
        model string?
        layout string?
        variant string?
        options string?
        application string? change the layout of this application only
        repeat RepeatBody?
        """,
        "RepeatBody": """
        rate integer? repetitions per second, 0 for none
        delay integer? milliseconds
        """,
        "InputEvent": """
        type touch|touches|tap|hover|click|button|drag|scroll|pinch|rotate|swipe|hold|shake|remote|key|type
        seat string? \(Rule.k1)
        at number? milliseconds since the first event
        after number? milliseconds since the previous event
        wait boolean? answer when the receivers have read it
        mustHit boolean? refuse with 409 if nobody receives it
        screen string,integer? by id or name
        x number? in the screen's points
        y number?
        dx number?
        dy number?
        id integer? of a touch or a pencil
        phase began|moved|stationary|ended|cancelled?
        button string,integer? left, right, middle, side, extra or an evdev code
        pressed boolean?
        by string?
        from PointBody?
        to PointBody?
        steps integer?
        deltaX number?
        deltaY number?
        stepsX integer?
        stepsY integer?
        source wheel|finger|continuous?
        key string?
        code integer? evdev
        keymap {string}? XKB's names of symbols by evdev codes
        action string?
        duration number? milliseconds that a key or a click lasts
        text string?
        touches [Finger]?
        command string? UIKit's name of the remote command
        \(touchAttributes)
        distance number? of a pencil that hovers, 0 to 1
        scale number?
        rotation number?
        fingers integer?
        radius number?
        """,
        "Finger": """
        id integer?
        phase began|moved|stationary|ended|cancelled
        x number?
        y number?
        \(touchAttributes)
        """,
        "Scenario": """
        name string?
        steps [any]
        """,
    ]

    /// A body of each kind that is valid for a server with one screen and one window.
    static let examples: [String: JSONValue] = [
        "Plug": .object(["model": .string("1280x720@60"), "scale": .number(2)]),
        "ScreenPatch": .object(["brightness": .number(0.5)]),
        "WindowPatch": .object(["level": .string("statusBar"), "alpha": .number(0.5)]),
        "Conversion": .object([
            "point": .object(["x": .number(10), "y": .number(20)]),
            "from": .object(["window": .number(1)]), "to": .object(["fixed": .number(1)]),
        ]),
        "ClockPatch": .object(["step": .number(16_667)]),
        "KeyboardPatch": .object(["layout": .string("de")]),
        "Input": .object(["type": .string("tap"), "x": .number(10), "y": .number(10)]),
        "Scenario": .object([
            "name": .string("a second screen"),
            "steps": .array([.object(["plug": .object(["model": .string("80x60"), "name": .string("second")])])]),
        ]),
    ]
}

extension [ScreenProperty] {
    /// The optional fields of a body.
    fileprivate var body: String { fields { "\($0.type.schema(point: "PointBody"))?" } }

    /// The fields of an answer.
    var answer: String { fields { $0.type.schema(point: "Point") } }

    private func fields(_ type: (ScreenProperty) -> String) -> String {
        map { "\($0.name) \(type($0)) \($0.explanation)" }.joined(separator: "\n")
    }
}

extension ScreenProperty {
    fileprivate var explanation: String {
        guard case .number(let range) = type else { return meaning }
        return meaning.isEmpty ? range.text : "\(meaning), \(range.text)"
    }
}

extension ScreenProperty.ValueType {
    /// Its name in a table of fields.
    fileprivate func schema(point: String) -> String {
        switch self {
        case .number: "number"
        case .flag: "boolean"
        case .names(let names): names.joined(separator: "|")
        case .point: point
        case .text: "string"
        }
    }
}
