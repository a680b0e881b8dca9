// screens, displays, plug, unplug, off, on, mode, scale, rotate, mirror, overscan, brightness, position

import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var screenCommands: [Command] {
        [
            Command(
                name: "screens", arguments: "", summary: "list the screens",
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show(.getScreens()) { answer in
                        var table = Table("ID", "NAME", "KIND", "MODE", "SCALE", "BOUNDS", "POSITION", "WINDOWS", "")
                        for screen in answer.screens {
                            let notes = [
                                screen.enabled ? "" : "off", screen.powered ? "" : "no power",
                                screen.main ? "main" : "", screen.interactive ? "" : "not interactive",
                                screen.orientation == .portrait ? "" : screen.orientation.rawValue,
                                screen.flipped ? "flipped" : "", screen.mirrors.map { "shows \($0)" } ?? "",
                            ]
                            table.add(
                                screen.id.map { "\($0)" } ?? "", screen.name, screen.kind.rawValue, screen.mode,
                                JSON.text(screen.scale), screen.bounds.size, screen.position.text,
                                "\(screen.windows.count)", notes.filter { !$0.isEmpty }.joined(separator: ", "))
                        }
                        return table.text(orWhenEmpty: "no screen is connected")
                    }
                }),
            Command(
                name: "displays", arguments: "", summary: "list the display models that can be plugged in",
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show(.getDisplays()) { answer in
                        var table = Table("MODEL", "TYPE", "MODES", "PREFERRED", "SCALE", "SUMMARY")
                        for model in answer.displays {
                            table.add(
                                model.name, model.type ?? "", "\(model.modes.count)", model.preferredMode,
                                JSON.text(model.scale), model.summary ?? "")
                        }
                        return table.text(orWhenEmpty: "no models are installed; WIDTHxHEIGHT[@HERTZ] always works")
                    }
                }),
            Command(
                name: "plug", arguments: "[MODEL] [KEY=VALUE]…", summary: "plug in a screen",
                details: """
                    MODEL is a display model (see mullionctl displays) or
                    WIDTHxHEIGHT[@HERTZ][~N:D], where N:D is the aspect ratio of a pixel; with
                    edid=FILE it may be left out. Keys:
                    \(PlugKey.help)
                    """,
                run: { (call) throws(CommandError) in
                    var body: [String: JSON] = [:]
                    var words = call.words()[...]
                    if let first = words.first, !first.hasPrefix("edid=") {
                        body["model"] = .string(words.removeFirst())
                    }
                    for word in words { try PlugKey.set(word, in: &body) }
                    guard body["model"] != nil || body["edid"] != nil else { throw .usage("MODEL is missing") }
                    try call.end()
                    try call.show(.postScreens(JSON.object(body))) { screen in
                        let remarks = screen.edidRemarks.map { "  skipped in the EDID: \($0.printable())\n" }
                        let id = screen.id.map { "\($0)" } ?? ""
                        return "\(screen.name.printable())  screen \(id)  \(screen.mode)\n" + remarks.joined()
                    }
                }),
            Command(
                name: "unplug", arguments: "SCREEN", summary: "unplug a screen; its windows wait for it",
                run: { (call) throws(CommandError) in
                    let screen = try call.word("SCREEN")
                    try call.end()
                    try call.show(.deleteScreensScreen(screen))
                }),
            Command(
                name: "off", arguments: "SCREEN", summary: "switch a screen off, which programs see as unplugging",
                run: { (call) throws(CommandError) in try setEnabled(call, false) }),
            Command(
                name: "on", arguments: "SCREEN", summary: "switch a screen on again, with its settings",
                run: { (call) throws(CommandError) in try setEnabled(call, true) }),
            Command(
                name: "mode", arguments: "SCREEN WxH[@Hz]", summary: "switch a screen to another of its modes",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in ("mode", .string(value)) }
                }),
            Command(
                name: "scale", arguments: "SCREEN N", summary: "set the number of pixels per point",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in
                        ("scale", .number(try Values.number(value)))
                    }
                }),
            Command(
                name: "rotate", arguments: "SCREEN ORIENTATION [duration=DURATION] [flipped=true|false]",
                summary: "rotate a screen",
                details: """
                    ORIENTATION is portrait, portraitUpsideDown, landscapeLeft or landscapeRight.
                    A quarter turn takes 0.3 s and a half turn 0.6 s, unless a duration is given.
                    """,
                run: { (call) throws(CommandError) in
                    let screen = try call.word("SCREEN")
                    var body = ["orientation": JSON.string(try call.word("ORIENTATION"))]
                    for word in call.words() {
                        let (key, value) = Values.pair(word)
                        guard let value else { throw Values.unknown(key, ["duration", "flipped"]) }
                        switch key {
                        case "duration": body[key] = .number(try Values.seconds(value))
                        case "flipped": body[key] = .bool(try Values.flag(value, key))
                        default: throw Values.unknown(key, ["duration", "flipped"])
                        }
                    }
                    try call.end()
                    try call.show(.patchScreensScreen(screen, JSON.object(body)))
                }),
            Command(
                name: "mirror", arguments: "SCREEN SOURCE|auto|off",
                summary: "choose what a screen without windows shows",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in ("mirroring", .string(value)) }
                }),
            Command(
                name: "overscan", arguments: "SCREEN scale|insetBounds|none",
                summary: "choose how overscan is compensated",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in ("overscan", .string(value)) }
                }),
            Command(
                name: "brightness", arguments: "SCREEN 0…1", summary: "set the brightness of a screen",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in
                        ("brightness", .number(try Values.number(value)))
                    }
                }),
            Command(
                name: "position", arguments: "SCREEN x,y", summary: "move a screen in the global layout",
                run: { (call) throws(CommandError) in
                    try change(call) { (value) throws(CommandError) in ("position", .point(try Values.point(value))) }
                }),
        ]
    }

    private static func setEnabled(_ call: Invocation, _ isEnabled: Bool) throws(CommandError) {
        let screen = try call.word("SCREEN")
        try call.end()
        try call.show(.patchScreensScreen(screen, ["enabled": isEnabled]))
    }

    private static func change(
        _ call: Invocation, _ parse: (String) throws(CommandError) -> (String, JSON)
    ) throws(CommandError) {
        let screen = try call.word("SCREEN")
        let (key, value) = try parse(try call.word("the new value"))
        try call.end()
        try call.show(.patchScreensScreen(screen, [key: value]))
    }
}

/// A key of `plug`.
private struct PlugKey {
    let name: String
    /// How its value is written.
    let form: String
    var meaning = ""
    var read: @Sendable (String, String) throws(CommandError) -> JSON = { (value, _) throws(CommandError) in
        .string(value)
    }

    static var all: [PlugKey] {
        let number = { @Sendable (value: String, key: String) throws(CommandError) in
            JSON.number(try Values.number(value, key))
        }
        let flag = { @Sendable (value: String, key: String) throws(CommandError) in
            JSON.bool(try Values.flag(value, key))
        }
        return [
            PlugKey(name: "name", form: "NAME"),
            PlugKey(name: "serial", form: "TEXT"),
            PlugKey(name: "port", form: "PORT", meaning: "as HDMI-A-1"),
            PlugKey(name: "kind", form: "builtIn|external", meaning: "\"external\" alone is short for kind=external"),
            PlugKey(name: "mode", form: "WxH[@Hz]"),
            PlugKey(name: "scale", form: "N", meaning: "pixels per point", read: number),
            PlugKey(name: "position", form: "x,y") { (value, _) throws(CommandError) in .point(try Values.point(value))
            },
            PlugKey(name: "orientation", form: "portrait|portraitUpsideDown|landscapeLeft|landscapeRight"),
            PlugKey(name: "flipped", form: "true|false", read: flag),
            PlugKey(name: "overscan", form: "scale|insetBounds|none"),
            PlugKey(name: "mirroring", form: "auto|off|SCREEN"),
            PlugKey(name: "brightness", form: "0…1", read: number),
            PlugKey(name: "interactive", form: "true|false", read: flag),
            PlugKey(name: "edid", form: "FILE", meaning: "the display's EDID, which says modes, size and identity") {
                (value, _) throws(CommandError) in .string(try Values.base64(ofFile: value))
            },
            PlugKey(
                name: "hostile", form: "true|false",
                meaning: "globals vanish at once and names are reused,\nto provoke races in clients", read: flag),
        ]
    }

    /// A line for each.
    static var help: String {
        all.map { key in
            let form = "  \(key.name)=\(key.form)"
            return key.meaning.isEmpty ? form : "\(form): \(key.meaning.replacingAll("\n", with: "\n    "))"
        }.joined(separator: "\n")
    }

    /// Adds KEY=VALUE to a body.
    static func set(_ word: String, in body: inout [String: JSON]) throws(CommandError) {
        let (name, value) = Values.pair(word)
        guard let value else {
            guard name == "external" else { throw .usage("\"\(word)\" is not KEY=VALUE") }
            body["kind"] = .string("external")
            return
        }
        guard let key = all.first(where: { $0.name == name }) else { throw Values.unknown(name, all.map(\.name)) }
        body[name] = try key.read(value, name)
    }
}
