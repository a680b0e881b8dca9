// touch, click, drag, scroll, hover, key, type

extension Command {
    static var inputCommands: [Command] {
        [
            Command(
                name: "touch", arguments: "SCREEN x,y [began|moved|ended|cancelled] [id=N] [force=N]…",
                summary: "tap, or one step of a touch",
                details: """
                    Without a phase the touch begins and ends. Each touch that is down has an id of its own, 0 first.
                    \(measuresText)

                    All commands of input take --wait: the answer then also says how soon those who got it have read it.
                    """,
                run: { (call) throws(Failure) in
                    var event = try at(call, "tap")
                    for word in call.words() {
                        let (key, value) = Values.pair(word)
                        if let value, (["id"] + measures).contains(key) {
                            event[key] = Self.value(value, of: key)
                        } else if value == nil, ["began", "moved", "ended", "cancelled"].contains(key) {
                            event["type"] = .string("touch")
                            event["phase"] = .string(key)
                        } else {
                            throw Values.unknown(key, ["began", "moved", "ended", "cancelled", "id"] + measures)
                        }
                    }
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "click", arguments: "SCREEN x,y [button=left|right|middle|N]", summary: "click the pointer",
                run: { (call) throws(Failure) in
                    var event = try at(call, "click")
                    try options(call, ["button"], &event)
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "drag", arguments: "SCREEN x,y x,y [steps=N] [by=touch|pointer] [id=N] [button=…] [force=N]…",
                summary: "drag from one point to another",
                details: """
                    Where a window takes it, it lasts a moment, so that programs can drag and drop: up to a second
                    for all steps, and what they need to answer before the end. \(measuresText)
                    """,
                run: { (call) throws(Failure) in
                    var event: [String: JSON] = ["type": .string("drag"), "screen": .string(try call.word("SCREEN"))]
                    event["from"] = .point(try Values.point(try call.word("the first x,y")))
                    event["to"] = .point(try Values.point(try call.word("the second x,y")))
                    try options(call, ["steps", "by", "id", "button"] + measures, &event)
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "scroll", arguments: "SCREEN x,y dx,dy [source=wheel|finger|continuous]",
                summary: "move the pointer and scroll by points",
                details: "Positive numbers move the content up and to the left.",
                run: { (call) throws(Failure) in
                    var event = try at(call, "scroll")
                    let delta = try Values.point(try call.word("dx,dy"))
                    event["deltaX"] = .number(delta.x)
                    event["deltaY"] = .number(delta.y)
                    try options(call, ["source"], &event)
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "hover", arguments: "(SCREEN x,y [dx=N] [dy=N] | by dx,dy [seat=NAME])",
                summary: "move the pointer",
                details: """
                    To a place, or by a distance in points. Programs that use relative motion receive dx and dy;
                    the default is the distance to the place.
                    """,
                run: { (call) throws(Failure) in
                    guard call.next == "by" else {
                        var event = try at(call, "hover")
                        try options(call, ["dx", "dy"], &event)
                        return try InputAnswer.inject(call, event)
                    }
                    _ = call.word()
                    let delta = try Values.point(try call.word("dx,dy"))
                    var event: [String: JSON] = [
                        "type": .string("hover"), "dx": .number(delta.x), "dy": .number(delta.y),
                    ]
                    try options(call, ["seat"], &event)
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "key", arguments: "NAME[+NAME]… [down|up] [seat=NAME]", summary: "press a key with its modifiers",
                details: """
                    Names are XKB's: a, Return, F1, dead_acute … or the character itself; modifiers are ctrl, shift,
                    alt, super and altgr. A symbol that the layout lacks gets a keymap of its own while it is tapped.
                    Keys go to the key window, of the seat that is named. Example: mullionctl key ctrl+shift+t
                    """,
                run: { (call) throws(Failure) in
                    var event: [String: JSON] = ["type": .string("key"), "key": .string(try call.word("NAME"))]
                    if let action = call.next, Values.pair(action).value == nil {
                        guard action == "down" || action == "up" else { throw Values.unknown(action, ["down", "up"]) }
                        event["action"] = .string(action)
                        _ = call.word()
                    }
                    try options(call, ["seat"], &event)
                    try InputAnswer.inject(call, event)
                }),
            Command(
                name: "type", arguments: "TEXT [seat=NAME]", summary: "type a text into the key window",
                details: """
                    Any text: characters of the keyboard's layout by their keys, others by a keymap that is made for
                    them and lasts as long as they do. A line break is Return. Modifiers that are held count.
                    """,
                run: { (call) throws(Failure) in
                    let text = try call.word("TEXT")
                    var event: [String: JSON] = ["type": .string("type"), "text": .string(text)]
                    try options(call, ["seat"], &event)
                    try InputAnswer.inject(call, event)
                }),
        ] + gestureCommands + [keyboardCommand]
    }

    static func at(_ call: Invocation, _ type: String) throws(Failure) -> [String: JSON] {
        let screen = try call.word("SCREEN")
        let point = try Values.point(try call.word("x,y"))
        return ["type": .string(type), "screen": .string(screen), "x": .number(point.x), "y": .number(point.y)]
    }

    /// Reads KEY=VALUE arguments of an event; angles may be written in degrees.
    static func options(_ call: Invocation, _ known: [String], _ event: inout [String: JSON]) throws(Failure) {
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value, known.contains(key) else { throw Values.unknown(key, known) }
            event[key] = Self.value(value, of: key)
        }
    }

    static func value(_ text: String, of key: String) -> JSON {
        // Keep this a string: a seat's name may be a number, such as 1.
        if key == "seat" { return .string(text) }
        if ["rotation", "orientation", "altitude", "azimuth"].contains(key), text.hasSuffix("deg"),
            let degrees = Double(text.dropLast(3))
        {
            return .number(degrees * .pi / 180)
        }
        return Double(text).map { .number($0) } ?? .string(text)
    }

    /// The measurable attributes of a finger or pencil.
    static let measures = [
        "force", "majorRadius", "minorRadius", "orientation", "tool", "altitude", "azimuth",
    ]
    static let measuresText = """
        Of a finger or pencil may be said: force=0…1, majorRadius= and minorRadius= (points), orientation= (radians,
        or 45deg), tool=pencil with altitude= and azimuth=.
        """
}
