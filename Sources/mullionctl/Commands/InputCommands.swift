// touch, click, drag, scroll, hover, key, type, keyboard

extension Command {
    static var inputCommands: [Command] {
        [
            Command(
                name: "touch", arguments: "SCREEN x,y [began|moved|ended|cancelled] [id=N]",
                summary: "tap, or one step of a touch",
                details:
                    "Without a phase the touch begins and ends. Each touch that is down has an id of its own, 0 first.",
                run: { (call) throws(Failure) in
                    var event = try at(call, "tap")
                    for word in call.words() {
                        let (key, value) = Values.pair(word)
                        if let value, key == "id" {
                            event["id"] = .number(try Values.number(value, key))
                        } else if value == nil, ["began", "moved", "ended", "cancelled"].contains(key) {
                            event["type"] = .string("touch")
                            event["phase"] = .string(key)
                        } else {
                            throw Values.unknown(key, ["began", "moved", "ended", "cancelled", "id"])
                        }
                    }
                    try inject(call, event)
                }),
            Command(
                name: "click", arguments: "SCREEN x,y [button=left|right|middle|N]", summary: "click the pointer",
                run: { (call) throws(Failure) in
                    var event = try at(call, "click")
                    try options(call, ["button"], &event)
                    try inject(call, event)
                }),
            Command(
                name: "drag", arguments: "SCREEN x,y x,y [steps=N] [by=touch|pointer] [id=N] [button=…]",
                summary: "drag from one point to another",
                details: """
                    Where a window takes it, it lasts a moment, so that programs can drag and drop: up to a second
                    for all steps, and what they need to answer before the end.
                    """,
                run: { (call) throws(Failure) in
                    var event: [String: JSON] = ["type": .string("drag"), "screen": .string(try call.word("SCREEN"))]
                    event["from"] = .point(try Values.point(try call.word("the first x,y")))
                    event["to"] = .point(try Values.point(try call.word("the second x,y")))
                    try options(call, ["steps", "by", "id", "button"], &event)
                    try inject(call, event)
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
                    try inject(call, event)
                }),
            Command(
                name: "hover", arguments: "(SCREEN x,y [dx=N] [dy=N] | by dx,dy)", summary: "move the pointer",
                details: """
                    To a place, or by so many points. dx and dy are what programs are told that look at relative motion;
                    without them it is the way to the place.
                    """,
                run: { (call) throws(Failure) in
                    guard call.next == "by" else {
                        var event = try at(call, "hover")
                        try options(call, ["dx", "dy"], &event)
                        return try inject(call, event)
                    }
                    _ = call.word()
                    let delta = try Values.point(try call.word("dx,dy"))
                    try inject(
                        call, ["type": .string("hover"), "dx": .number(delta.x), "dy": .number(delta.y)])
                }),
            Command(
                name: "key", arguments: "NAME[+NAME]… [down|up]", summary: "press a key with its modifiers",
                details: """
                    Names are XKB's: a, Return, F1, dead_acute … or the character itself; modifiers are ctrl, shift,
                    alt, super and altgr. Keys go to the key window. Example: mullionctl key ctrl+shift+t
                    """,
                run: { (call) throws(Failure) in
                    var event: [String: JSON] = ["type": .string("key"), "key": .string(try call.word("NAME"))]
                    if let action = call.word() {
                        guard action == "down" || action == "up" else { throw Values.unknown(action, ["down", "up"]) }
                        event["action"] = .string(action)
                    }
                    try inject(call, event)
                }),
            Command(
                name: "type", arguments: "TEXT", summary: "type a text into the key window",
                details: """
                    Any text: characters of the keyboard's layout by their keys, others by a keymap that is made for
                    them and lasts as long as they do. A line break is Return. Modifiers that are held count.
                    """,
                run: { (call) throws(Failure) in
                    let text = try call.word("TEXT")
                    try inject(call, ["type": .string("type"), "text": .string(text)])
                }),
            keyboardCommand,
        ]
    }

    private static func at(_ call: Invocation, _ type: String) throws(Failure) -> [String: JSON] {
        let screen = try call.word("SCREEN")
        let point = try Values.point(try call.word("x,y"))
        return ["type": .string(type), "screen": .string(screen), "x": .number(point.x), "y": .number(point.y)]
    }

    private static func options(
        _ call: Invocation, _ known: [String], _ event: inout [String: JSON]
    ) throws(Failure) {
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value, known.contains(key) else { throw Values.unknown(key, known) }
            event[key] = Double(value).map { .number($0) } ?? .string(value)
        }
    }

    private static func inject(_ call: Invocation, _ event: [String: JSON]) throws(Failure) {
        try call.end()
        try call.show("POST", "/input", .object(event)) { answer in explain(answer) }
    }

    /// H3, in words.
    private static func explain(_ answer: JSON) -> String {
        var text = ""
        let hit = answer["hit"]
        if hit == .null {
            text = "nobody: \(answer["reason"].text)\n"
        } else {
            text = "window \(hit["window"].text)\(quoted(hit["title"]))"
            if hit["surface"] != .null { text += ", surface \(hit["surface"].text)" }
            if !["key", "type"].contains(answer["type"].text) {
                text += ", at \(hit["location"]["x"].text),\(hit["location"]["y"].text)"
            }
            let missed = (answer["steps"].number ?? 0) - (answer["delivered"].number ?? 0)
            if missed > 0 { text += " (\(JSON.text(missed)) of \(answer["steps"].text) steps went to nobody)" }
            text += "\n"
        }
        for candidate in answer["candidates"].elements {
            text +=
                "  not window \(candidate["window"].text)\(quoted(candidate["title"])): \(candidate["reason"].text)\n"
        }
        return text
    }

    private static func quoted(_ title: JSON) -> String { title.text.isEmpty ? "" : " \"\(title.text)\"" }
}
