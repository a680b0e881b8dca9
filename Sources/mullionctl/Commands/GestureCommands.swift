// pinch, twist, swipe, hold, shake, remote

import JSON5
import MullionControl

extension Command {
    static var gestureCommands: [Command] {
        let means = """
            The gesture is made on a touch pad, at the pointer, which moves to x,y. With
            by=touch it is made by fingers on the screen: they begin at radius= points (50)
            from x,y and have consecutive ids from id= (0).
            """
        return [
            Command(
                name: "pinch", arguments: "SCREEN x,y [scale=N] [rotation=N] [fingers=N] [steps=N] [by=gesture|touch]",
                summary: "pinch with two fingers",
                details: """
                    scale= is the final distance of the fingers relative to the initial one,
                    rotation= the clockwise angle in radians or as 45deg, deltaX= and deltaY= the
                    movement in points.

                    \(means)
                    """,
                run: { (call) throws(CommandError) in
                    try gesture(
                        call, "pinch",
                        ["scale", "rotation", "deltaX", "deltaY", "fingers", "steps", "by", "id", "radius"])
                }),
            Command(
                name: "twist", arguments: "SCREEN x,y rotation=N [fingers=N] [steps=N] [by=gesture|touch]",
                summary: "rotate with two fingers",
                details: "rotation= is the clockwise angle in radians or as 45deg.\n\n\(means)",
                run: { (call) throws(CommandError) in
                    try gesture(call, "rotate", ["rotation", "fingers", "steps", "by", "id", "radius"])
                }),
            Command(
                name: "swipe", arguments: "SCREEN x,y x,y [fingers=N] [steps=N] [by=gesture|touch]",
                summary: "swipe with three fingers",
                details: """
                    The gesture is made on a touch pad, at the pointer, which moves to the first
                    point. With by=touch it is made by fingers on the screen: they are radius=
                    points (50) apart and have consecutive ids from id= (0).
                    """,
                run: { (call) throws(CommandError) in
                    var event = try on(call, "swipe")
                    event["from"] = .point(try Values.point(try call.word("the first x,y")))
                    event["to"] = .point(try Values.point(try call.word("the second x,y")))
                    try options(call, ["fingers", "steps", "by", "id", "radius"], &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "hold", arguments: "SCREEN x,y [began|ended|cancelled]",
                summary: "hold a finger still on the touch pad",
                run: { (call) throws(CommandError) in
                    var event = try at(call, "hold")
                    if let phase = call.word() { event["phase"] = .string(phase) }
                    try Injection(call).show(event)
                }),
            Command(
                name: "shake", arguments: "[began|ended|cancelled] [seat=NAME]", summary: "shake the device",
                details: "Without a phase, the shake begins and ends. It goes to the key window.",
                run: { (call) throws(CommandError) in
                    var event: [String: JSON] = ["type": .string("shake")]
                    if let phase = call.next, Values.pair(phase).value == nil {
                        event["phase"] = .string(phase)
                        _ = call.word()
                    }
                    try options(call, ["seat"], &event)
                    try Injection(call).show(event)
                }),
            Command(
                name: "remote", arguments: "COMMAND [seat=NAME]", summary: "send a command of a remote control",
                details: """
                    The command goes to the applications that receive remote control events, first
                    to the key window's. COMMAND is play, pause, stop, togglePlayPause, nextTrack,
                    previousTrack, beginSeekingBackward, endSeekingBackward, beginSeekingForward or
                    endSeekingForward.
                    """,
                run: { (call) throws(CommandError) in
                    var event: [String: JSON] = [
                        "type": .string("remote"), "command": .string(try call.word("COMMAND")),
                    ]
                    try options(call, ["seat"], &event)
                    try Injection(call).show(event)
                }),
        ]
    }

    private static func gesture(_ call: Invocation, _ type: String, _ known: [String]) throws(CommandError) {
        var event = try at(call, type)
        try options(call, known, &event)
        try Injection(call).show(event)
    }
}
