// touch, click, drag, scroll, hover, key, type

import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var inputCommands: [Command] {
        [
            Command(
                name: "touch", arguments: "SCREEN x,y [began|moved|ended|cancelled] [id=N] [force=N]…",
                summary: "tap, or perform one step of a touch",
                details: """
                    Without a phase, the touch begins and ends. Each active touch has its own id
                    (default: 0).

                    \(measuresText)

                    All input commands take window:ID or window:TITLE instead of SCREEN: points
                    are in the coordinates of the window then. With --wait, they wait until the
                    receivers have read the event, and print the time that took. They fail if no
                    client receives the event, unless --allow-miss is given.
                    """,
                run: { (call) throws(CommandError) in
                    var event = try at(call, "tap")
                    for word in call.words() {
                        let (key, value) = Values.pair(word)
                        if let value, (["id"] + measures).contains(key) {
                            event[key] = try Self.value(value, of: key)
                        } else if value == nil, ["began", "moved", "ended", "cancelled"].contains(key) {
                            event["type"] = .string("touch")
                            event["phase"] = .string(key)
                        } else {
                            throw Values.unknown(key, ["began", "moved", "ended", "cancelled", "id"] + measures)
                        }
                    }
                    try Injection(call).show(event)
                }),
            Command(
                name: "click",
                arguments:
                    "(SCREEN x,y | role=ROLE name=NAME…) [button=left|right|middle|N] [count=1|2|3] "
                    + "[modifiers=ctrl,shift,alt,super,altgr] [duration=MS]",
                summary: "click the pointer",
                details: """
                    The button stays down for the duration, a number of milliseconds or with a unit
                    like 1s, by default 8 ms, or 0 with a manual clock.

                    \(WidgetInput.text)
                    """,
                run: { (call) throws(CommandError) in
                    if WidgetInput.isMeant(call) { return try WidgetInput.click(call) }
                    var event = try at(call, "click")
                    try options(call, clickKeys, &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "drag",
                arguments:
                    "SCREEN x,y x,y [steps=N] [by=touch|pointer] [drop=true|false] [id=N] [button=…] [force=N]…",
                summary: "drag from one point to another",
                details: """
                    If a window receives the drag, it is spread over up to a second so that programs
                    can begin drag and drop, and ends after they have answered. A drag with the
                    pointer waits on its way until one begins it, up to another second.

                    With drop=true it is drag and drop: it fails if no program begins that within
                    5 s. With drop=false, for sliders or to select text, it does not wait.

                    \(measuresText)
                    """,
                run: { (call) throws(CommandError) in
                    var event = try on(call, "drag")
                    event["from"] = .point(try Values.point(try call.word("the first x,y")))
                    event["to"] = .point(try Values.point(try call.word("the second x,y")))
                    try options(call, ["steps", "by", "drop", "id", "button"] + measures, &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "scroll",
                arguments:
                    "(SCREEN x,y | role=ROLE name=NAME…) dx,dy [source=wheel|finger|continuous] "
                    + "[modifiers=ctrl,shift,alt,super,altgr]",
                summary: "move the pointer and scroll by points",
                details: """
                    Positive distances move the content up and to the left.

                    \(WidgetInput.text)
                    """,
                run: { (call) throws(CommandError) in
                    if WidgetInput.isMeant(call) { return try WidgetInput.scroll(call) }
                    var event = try at(call, "scroll")
                    let delta = try Values.point(try call.word("dx,dy"))
                    event["deltaX"] = .number(delta.x)
                    event["deltaY"] = .number(delta.y)
                    try options(call, ["source", "modifiers"], &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "hover",
                arguments: "(SCREEN x,y [dx=N] [dy=N] [tool=…] | by dx,dy [seat=…])",
                summary: "move the pointer, or a pencil above the screen",
                details: """
                    Moves to a position, or by a distance in points. Programs that use relative
                    motion receive dx and dy; the default is the distance to the position.

                    With tool=pencil or tool=eraser a pencil hovers there until it has ended. It
                    takes id=, distance=0…1, altitude=, azimuth=, roll= and buttons=, as touches
                    do, and can touch the screen with a touch of its id.

                    Example: mullionctl hover TV 100,100 tool=pencil distance=0.5
                    """,
                run: { (call) throws(CommandError) in
                    guard call.next == "by" else {
                        var event = try at(call, "hover")
                        if let phase = call.next, ["began", "moved", "ended", "cancelled"].contains(phase) {
                            event["phase"] = call.word().map { .string($0) }
                        }
                        let pencil = ["tool", "id", "distance", "altitude", "azimuth", "roll", "buttons"]
                        try options(call, ["dx", "dy"] + pencil, &event)
                        return try Injection(call).show(event)
                    }
                    _ = call.word()
                    let delta = try Values.point(try call.word("dx,dy"))
                    var event: [String: JSON] = [
                        "type": .string("hover"), "dx": .number(delta.x), "dy": .number(delta.y),
                    ]
                    try options(call, ["seat"], &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "key", arguments: "NAME[+NAME]… [down|up] [duration=MS] [seat=NAME]",
                summary: "press a key with its modifiers",
                details: """
                    NAME is XKB's name (a, Return, F1, dead_acute …) or the character itself;
                    modifiers are ctrl, shift, alt, super and altgr. A symbol that the layout lacks
                    is tapped with a temporary keymap. Keys go to the seat's key window. A key stays
                    down for the duration, a number of milliseconds or with a unit like 1s, by
                    default 8 ms, or 0 with a manual clock.

                    Example: mullionctl key ctrl+shift+t
                    """,
                run: { (call) throws(CommandError) in
                    var event: [String: JSON] = ["type": .string("key"), "key": .string(try call.word("NAME"))]
                    if let action = call.next, Values.pair(action).value == nil {
                        guard action == "down" || action == "up" else { throw Values.unknown(action, ["down", "up"]) }
                        event["action"] = .string(action)
                        _ = call.word()
                    }
                    try options(call, ["duration", "seat"], &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "type", arguments: "[into=NAME] TEXT [seat=NAME]", summary: "type a text into the key window",
                details: """
                    Characters of the keyboard's layout are typed with their keys, others with a
                    temporary keymap. A line break is Return. Held modifiers apply.

                    With into=NAME, or role=ROLE and name=NAME, before the text: clicks the widget
                    first, as mullionctl click does, unless it has the keyboard already. A single
                    word is a text, whatever it looks like.
                    """,
                run: { (call) throws(CommandError) in
                    if WidgetInput.isMeantByType(call) { return try WidgetInput.type(call) }
                    let text = try typed(call.word("TEXT"))
                    var event: [String: JSON] = ["type": .string("type"), "text": .string(text)]
                    try options(call, ["seat"], &event)
                    try Injection(call).show(event)
                }),
        ] + gestureCommands + [keyboardCommand]
    }

    /// A text to type.
    static func typed(_ text: String) throws(CommandError) -> String {
        guard !text.isEmpty else { throw .usage("TEXT is empty; a text of at least one character is needed") }
        return text
    }

    static func at(_ call: Invocation, _ type: String) throws(CommandError) -> [String: JSON] {
        var event = try on(call, type)
        let point = try Values.point(try call.word("x,y"))
        (event["x"], event["y"]) = (.number(point.x), .number(point.y))
        return event
    }

    /// An event in the coordinates of SCREEN, or of a window: window:ID or window:TITLE.
    static func on(_ call: Invocation, _ type: String) throws(CommandError) -> [String: JSON] {
        let word = try call.word("SCREEN")
        let (prefix, kind) = ("window:", JSON.string(type))
        guard word.hasPrefix(prefix) else { return ["type": kind, "screen": .string(word)] }
        let id = try call.client.windowID(String(word.dropFirst(prefix.count)))
        guard let number = DecimalText.whole(id, as: UInt32.self) else {
            throw .usage("\"\(word)\" is not a window; use its id or title after \(prefix)")
        }
        return ["type": kind, "window": .number(Double(number))]
    }

    /// Reads KEY=VALUE arguments of an event; angles may be written in degrees.
    static func options(_ call: Invocation, _ known: [String], _ event: inout [String: JSON]) throws(CommandError) {
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value, known.contains(key) else { throw Values.unknown(key, known) }
            event[key] = try Self.value(value, of: key)
        }
    }

    static func value(_ text: String, of key: String) throws(CommandError) -> JSON {
        // Keep this a string: a seat's name may be a number, such as 1.
        if key == "seat" { return .string(text) }
        if key == "drop" {
            guard let flag = Bool(text) else { throw .usage("drop: \"\(text)\" is not true or false") }
            return .bool(flag)
        }
        if key == "modifiers" {
            return .array(text.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) })
        }
        if key == "buttons" {
            return .array(text.split(separator: ",").map { .string(String($0)) })
        }
        if key == "duration", DecimalText.number(text) == nil { return .number(try Values.duration(text) / 1000) }
        let isAngle = ["rotation", "orientation", "altitude", "azimuth", "roll"].contains(key)
        let degrees = isAngle && text.hasSuffix("deg") ? DecimalText.number(text.dropLast(3), isSigned: true) : nil
        if let degrees { return .number(degrees * .pi / 180) }
        if let number = DecimalText.number(text, isSigned: true) { return .number(number) }
        // Infinities and hexadecimal numbers are no names either.
        guard !numbers.contains(key), Double(text) == nil else {
            throw .usage("\(key): \"\(text)\" is not a number; use decimal digits")
        }
        return .string(text)
    }

    /// The keys whose values are never names.
    private static let numbers: Set = [
        "force", "majorRadius", "minorRadius", "orientation", "altitude", "azimuth", "roll", "distance", "steps", "id",
        "dx", "dy", "deltaX", "deltaY", "fingers", "scale", "rotation", "radius", "count",
    ]

    /// What a click takes besides its place.
    static let clickKeys = ["button", "count", "modifiers", "duration"]

    /// The measurable attributes of a finger or pencil.
    static let measures = [
        "force", "majorRadius", "minorRadius", "orientation", "tool", "altitude", "azimuth", "roll", "buttons",
    ]
    static let measuresText = """
        Attributes of the finger or pencil: force=0…1, majorRadius= and minorRadius= in
        points, orientation= in radians or as 45deg, tool=pencil or tool=eraser with
        altitude=, azimuth=, roll= and buttons=primary,secondary,tertiary.
        """
}
