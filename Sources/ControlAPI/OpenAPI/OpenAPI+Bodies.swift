// The schemas of the control API's request bodies.

import DisplayServer
import Displays
import JSON5
import MullionSystem
import WindowModel

extension OpenAPI {
    /// The attributes of a touch other than its position.
    private static let touchAttributes = """
        force number(0...1)?
        majorRadius number(0...8388607)?
        minorRadius number(0...8388607)?
        orientation angle? in radians
        tool finger|pencil|eraser?
        altitude number(0...\(Double.pi / 2))? of a pencil, in radians
        azimuth angle?
        roll angle?
        buttons [primary|secondary|tertiary]? pressed on the pencil
        """

    static let inputTypes =
        "touch|touches|tap|hover|click|button|drag|scroll|pinch|rotate|swipe|hold|shake|remote|key|type"

    private static let windowPatch = """
        level number,normal|statusBar|alert? \(Rule.w2)
        hidden boolean?
        frame RectBody? in the screen's points
        alpha number(0...1)?
        screen string,id? by id or name
        title string?
        key boolean? \(Rule.k2)
        front boolean? true: to the front of its level
        userInteractionEnabled boolean? \(Rule.e8)
        autoresizing [leftMargin|width|rightMargin|topMargin|height|bottomMargin]? \(Rule.r2)
        """

    private static let commands = Event.RemoteCommand.allCases.map { "\($0)" }.joined(separator: "|")

    /// The schema of a scenario's step that changes a property of a screen.
    private static func change(_ step: String) -> String {
        "Scenario" + step.prefix(1).uppercased() + step.dropFirst()
    }

    /// By name.
    static let changes: [String: String] = {
        var changes: [String: String] = [:]
        for property in ScreenProperty.all {
            guard let step = property.step else { continue }
            changes[change(step)] =
                "screen string,id by id or name\nto \(property.type.schema(point: "PointBody")) the new value"
        }
        changes[change("rotate")]? += "\nduration duration? at most 60s: \(Rule.r1)"
        return changes
    }()

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
        duration number(0...60)? of the rotation, in seconds: \(Rule.r1)
        \(ScreenProperty.changeable.body)
        """,
        "WindowPatch": windowPatch,
        "Conversion": """
        point PointBody?
        points [PointBody]?
        rect RectBody?
        from Space,layout
        to Space,layout the global layout, or a space with exactly one field
        """,
        "Space": """
        window id? a window's points, from the top left corner of its frame
        screen string,id? a screen's bounds, by id or name
        fixed string,id? a screen's fixed coordinate space
        """,
        "ClockPatch": """
        step integer(0...)? microseconds
        until idle? advance until nothing is due
        limit integer(0...)? with until: the maximum in microseconds
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
        rate integer(0...)? repetitions per second, 0 for none
        delay integer(0...)? milliseconds
        """,
        "InputEvent": """
        type \(inputTypes)
        seat string? \(Rule.k1)
        at number(0...\(InputRequest.longest / 1000))? milliseconds since the first event
        after number(0...\(InputRequest.longest / 1000))? milliseconds since the previous event
        wait boolean? answer when the receivers have read it
        mustHit boolean? answer 409 if no client receives it; in scenarios true unless false
        screen string,id? by id or name
        window id? instead of a screen: points are in its coordinates, as it is at the event; needs the right to view
        x number? in the screen's points
        y number?
        dx number?
        dy number?
        id integer(0...\(Int32.max))? of a touch or a pencil
        phase began|moved|stationary|ended|cancelled?
        button left|right|middle|side|extra,code? or an evdev code
        count integer(1...\(InputEvent.mostClicks))? clicks: 2 for a double click
        modifiers [string]? held during a click or scrolling: ctrl, shift, alt, super, altgr
        pressed boolean?
        by touch|pointer|gesture?
        drop boolean? for a drag: true: drag and drop, which a program must begin; false: it does not wait for that
        from PointBody?
        to PointBody?
        steps integer(1...\(InputInjector.maximumSteps))?
        deltaX number?
        deltaY number?
        stepsX integer(\(Int32.min)...\(Int32.max))?
        stepsY integer(\(Int32.min)...\(Int32.max))?
        source wheel|finger|continuous?
        key string?
        code integer(1...767)? evdev
        keymap {string}? XKB's names of symbols by evdev codes
        action \(names(of: InputEvent.KeyAction.self))?
        duration number(0...\(InputRequest.longest / 1000))? milliseconds that a key or a click lasts
        text string?
        touches [Finger]?
        command \(commands)? UIKit's name of the remote command
        \(touchAttributes)
        distance number(0...1)? of a pencil that hovers
        scale number?
        rotation number?
        fingers integer(1...255)?
        radius number?
        """,
        "Finger": """
        id integer(0...\(Int32.max))?
        phase began|moved|stationary|ended|cancelled
        x number?
        y number?
        \(touchAttributes)
        """,
        "Scenario": """
        $schema string? for editors
        name string
        summary string?
        server ScenarioServer? for mullionctl, which starts a server like this
        steps [ScenarioStep]
        """,
        "ScenarioContinuation": """
        failure ScenarioMismatch? fail the step that pauses
        """,
        "ScenarioMismatch": """
        place string what the step was about
        expected string
        seen string
        """,
        "ScenarioServer": """
        screens [string]? models, as for mulliond --screen
        clock real|manual?
        """,
        "ScenarioStep": """
        plug string,Plug?
        unplug string,id? by id or name
        flap ScenarioFlap?
        input InputEvent,[InputEvent]?
        claim ScenarioClaim?
        window ScenarioWindow?
        release string? the title of a claimed window
        wait ScenarioWaitText,ScenarioWait? settled, idle, or a duration such as 16ms, 1.5s or 500us; or conditions
        expect Expectation?
        pause string? any name: wait for POST /v1/scenarios/continue
        screenshot string,ScenarioPicture?
        compare ScenarioComparison?
        \(ScreenProperty.all.compactMap(\.step).map { "\($0) \(change($0))?" }.joined(separator: "\n"))
        """,
        "ScenarioFlap": """
        screen string,id by id or name
        times integer(1...10000)?
        out duration? such as 16ms, 1.5s or 500us
        in duration?
        seed integer(0...)?
        hostile boolean?
        """,
        "ScenarioClaim": """
        title string
        screen string,id? by id or name
        level number,normal|statusBar|alert?
        frame RectBody?
        color color? #RRGGBB or #AARRGGBB
        alpha number(0...1)?
        hidden boolean?
        key boolean?
        userInteractionEnabled boolean?
        autoresizing boolean,[leftMargin|width|rightMargin|topMargin|height|bottomMargin]?
        """,
        "ScenarioWindow": "\(windowPatch.replacingAll("title string?", with: "title string of the claimed window"))",
        "ScenarioArea": """
        x integer(0...)? pixels of the picture
        y integer(0...)?
        width integer(1...)?
        height integer(1...)?
        window string,id? instead: the bounds of the window with this id or title
        """,
        "ScenarioPicture": """
        name string
        screen string,id? by id or name
        window string,id? by id or title
        crop ScenarioArea?
        """,
        "ScenarioComparison": """
        name string
        screen string,id? by id or name
        window string,id? by id or title
        crop ScenarioArea?
        png base64 the golden picture
        masks [ScenarioArea]?
        tolerance integer(0...255)?
        maxDiffering integer(0...),string? a number of pixels, or a percentage
        """,
        "Expectation": """
        screens [string]?
        screen ExpectedScreen,[ExpectedScreen]?
        window ExpectedWindow,[ExpectedWindow]?
        key string? a title, or none
        pixel ExpectedPixel,[ExpectedPixel]?
        hits ExpectedHit,[ExpectedHit]?
        within duration? such as 16ms, 1.5s or 500us
        """,
        "ExpectedScreen": """
        connected boolean?
        mirrors string? a name, or none
        size SizeBody?
        main boolean?
        windows [string]? the titles of the visible ones, front to back
        \(ScreenProperty.all.body.replacingAll("name string?", with: "name string"))
        """,
        "ExpectedWindow": """
        title string
        exists boolean?
        visible boolean?
        key boolean?
        screen string? a name, or none
        awaits string? a name, or none
        frame RectBody?
        level number,normal|statusBar|alert?
        """,
        "ExpectedHit": """
        screen string,id? by id or name; default: the main screen
        x number in the screen's points
        y number
        window string the title of the window that receives a touch there, or none: \(Rule.h1)
        """,
        "ExpectedPixel": """
        screen string,id? by id or name
        x integer native pixels
        y integer
        color color #RRGGBB; the alpha of #AARRGGBB is ignored
        tolerance integer(0...255)?
        """,
        "SizeBody": """
        width number
        height number
        """,
    ]

    /// A body of each kind that is valid for a server with one screen and one window.
    static let examples: [String: JSON] = [
        "ScenarioContinuation": .object([
            "failure": .object([
                "place": .string("the program"), "expected": .string("to run"), "seen": .string("it crashed"),
            ])
        ]),
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
        case .number(let range): "number(\(range.lowerBound)...\(range.upperBound))"
        case .flag: "boolean"
        case .names(let names): names.joined(separator: "|")
        case .point: point
        case .text: "string"
        }
    }
}
