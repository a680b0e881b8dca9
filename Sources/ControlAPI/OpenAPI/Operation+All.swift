// Descriptions of all routes of the control API.

import Compositor
import DisplayServer
import WindowModel

extension Operation {
    static let all: [Operation] = [
        Operation("GET /v1/status", "The server's health and key figures.", .json("Status")),
        Operation(
            "GET /v1/metrics", "Metrics in Prometheus' text format.",
            .content("text/plain", "Samples in version 0.0.4 of the format.")),
        Operation(
            "GET /v1/openapi.json", "This description.", .content("application/json", "OpenAPI 3.1.")),
        Operation("GET /v1/displays", "The library of display models.", .json("DisplayList")),
        Operation("GET /v1/applications", "The connected programs.", .json("ApplicationList")),
        Operation(
            "GET /v1/clients",
            "The clients' connections, with mulliond --journal also those that have ended, and how.",
            .json("ClientList")),
        Operation(
            "GET /v1/clients/{application}/journal",
            "The latest messages that a client has sent and received, with mulliond --journal.", .json("Journal"),
            refusals: [404, 409]),
        Operation(
            "GET /v1/seats", "\(Rule.k1): the seats, each with its screens and active input.",
            .json("SeatList")),
        Operation("GET /v1/screens", "\(Rule.s2): the screens, the main one first.", .json("ScreenList")),
        Operation(
            "POST /v1/screens", "Plugs a screen in.", body: .json("Plug"), .json("Screen", status: 201),
            refusals: [409, 422]),
        Operation("GET /v1/screens/{screen}", "One screen.", .json("Screen"), refusals: [404]),
        Operation(
            "PATCH /v1/screens/{screen}", "Changes a screen atomically.", body: .json("ScreenPatch"),
            .json("Screen"), refusals: [404, 409, 422]),
        Operation(
            "DELETE /v1/screens/{screen}", "\(Rule.s8): unplugs a screen; its windows wait for it.",
            .nothing("Unplugged.", status: 204), refusals: [404]),
        Operation(
            "GET /v1/screens/{screen}/screenshot.png", "The current picture of a screen.",
            .content("image/png", "Native pixels: \(Rule.s4)."), refusals: [404, 409, 503]),
        Operation(
            "GET /v1/screenshot.png", "The current picture of all screens in the global layout.",
            .content("image/png", "One picture of all screens."), refusals: [404, 409, 503]),
        Operation(
            "GET /v1/capture",
            "A consistent snapshot: screens, windows and pictures, now or when something has changed.",
            .json("Capture"),
            refusals: [404, 409, 503]),
        Operation(
            "POST /v1/screens/{screen}/compare", "Compares a screen's current picture with a given one.", body: .png,
            .json("Comparison"), refusals: [404, 409, 415, 503]),
        Operation(
            "POST /v1/compare", "Compares the current picture of all screens with a given one.", body: .png,
            .json("Comparison"),
            refusals: [404, 409, 415, 503]),
        Operation(
            "GET /v1/windows", "All windows, including those without a screen.", .json("WindowList"),
            refusals: [503]),
        Operation("GET /v1/windows/{id}", "One window.", .json("Window"), refusals: [404]),
        Operation(
            "GET /v1/windows/{id}/screenshot.png",
            "The current picture of a window by itself, visible or not, without what covers it.",
            .content("image/png", "Pixels of its screen's scale, upright, with alpha."), refusals: [404, 409, 503]),
        Operation(
            "POST /v1/windows/{id}/compare",
            "Compares the current picture of a window by itself, alpha included, with a given one.", body: .png,
            .json("Comparison"), refusals: [404, 409, 415, 503]),
        Operation(
            "PATCH /v1/windows/{id}", "Changes a window atomically.", body: .json("WindowPatch"),
            .json("Window"), .nothing("Changed; the client may not view it.", status: 204), refusals: [404, 409, 422]),
        Operation(
            "DELETE /v1/windows/{id}",
            "Asks a window's program to close it, or destroys it with force: \(Rule.w7).",
            .nothing("The program was asked.", status: 202), .nothing("Destroyed.", status: 204),
            refusals: [404, 409, 422]),
        Operation(
            "POST /v1/convert", "\(Rule.s4): converts points or a rectangle between windows, screens and the layout.",
            body: .json("Conversion"), .json("Converted"), refusals: [409, 422, 503]),
        Operation(
            "GET /v1/tree", "Screens, their windows front to back, and their surfaces.", .jsonOrText("Tree"),
            refusals: [503]),
        Operation(
            "GET /v1/hit",
            "The window that a touch or a click at a point would hit, and why; nothing is delivered: \(Rule.h3). "
                + "Whether its program takes touches or clicks at all shows only when there is one.",
            .json("HitTest"), refusals: [404, 409, 422],
            query: [
                "screen": ("string", "A screen's id or name; default: the main one."),
                "window": ("integer(0...4294967295)", "The window whose coordinates are used instead of a screen's."),
                "x": ("number", "Required; in points of the window or the screen."),
                "y": ("number", "Required; in points of the window or the screen."),
            ]),
        Operation(
            "POST /v1/input",
            "Injects an event, or a list atomically; reports each receiver, or why there is none: \(Rule.h3).",
            body: .json("Input"), .json("InputAnswer"), refusals: [422],
            problems: [
                409: "Why the request was refused, without effect; with input: all events were injected, but no client "
                    + "received this one. A list ends where the window of an event is gone; earlier events have happened "
                    + "then."
            ]),
        Operation(
            "GET /v1/events",
            "All events, every change of a window included, as server-sent events; Last-Event-ID resumes.",
            .events("Event", "An endless stream; data is the JSON of each."), refusals: [503]),
        Operation("GET /v1/clock", "The clock that clients observe.", .json("Clock")),
        Operation(
            "PATCH /v1/clock", "Advances a manual clock.", body: .json("ClockPatch"), .json("Clock"),
            refusals: [409, 503]),
        Operation(
            "POST /v1/settle",
            "Waits until every connected client has read and answered everything that it was sent, and no frame is due. "
                + "Programs paint on timers of their own: tests wait for conditions with GET /v1/wait.",
            body: .optional("Empty"), .json("Settled"), refusals: [503]),
        Operation(
            "GET /v1/wait",
            "Waits until conditions hold, all at the same moment. For each, for=NAME is followed by its items; with one "
                + "condition, the order is of no importance. still and pixel need the right to capture.",
            .json("Waited"), refusals: [408, 503],
            query: [
                "screen": ("string", "A screen's id or name; default: the main one, or any for windows."),
                "timeout": ("milliseconds", "Milliseconds, or 500us, 16ms or 1.5s; 0 to 10 minutes; default: 5s."),
            ]),
        Operation(
            "GET /v1/waits", "The waits of GET /v1/wait that are open, and what each of them waits for.",
            .json("OpenWaitList")),
        Operation(
            "POST /v1/scenarios", "Runs a scenario and reports each step as a server-sent event.",
            body: .json5,
            .eventsOrJSON(
                "Events named step, picture and pause, then failed or done; or with check=true:", "ScenarioSize"),
            refusals: [404, 409, 422]),
        Operation(
            "POST /v1/scenarios/continue", "Continues a scenario after its event pause, or fails that step.",
            body: .json("ScenarioContinuation"), .nothing("Continued.", status: 204), refusals: [409]),
        Operation(
            "DELETE /v1/lock", "\(Rule.l3): unlocks the server, no matter which program holds the lock.",
            .nothing("Unlocked.", status: 204), refusals: [409]),
        Operation("GET /v1/keyboard", "The layout of the keyboards.", .json("Keyboard"), refusals: [422]),
        Operation(
            "PATCH /v1/keyboard", "Changes the layout of all applications or of one.", body: .json("KeyboardPatch"),
            .json("Keyboard"), refusals: [404, 409, 422]),
    ]

    /// Descriptions of query items, and their types in `Schema` syntax.
    static let query: [String: (type: String, meaning: String)] = [
        "after": ("count", "Waits until the frame's number is greater, that is, until a screen may have changed."),
        "application": ("string", "An application's name or application id, or a pattern like /fire.*/."),
        "check": ("boolean", "Reads the scenario and returns the number of its steps, without running it."),
        "color": ("pixelColor", "The pixel's colour, #RRGGBB; the # may be omitted."),
        "connected": ("boolean", "Whether the screen has to be connected, or must not be; default: true."),
        "count": (
            "integer(0...\(Condition.mostWindows))", "Exactly how many windows must match; default: at least one."
        ),
        "crop": ("string", "The part of the picture: \(PictureArea.grammar)."),
        "cursor": ("boolean", "Whether to include the cursor."),
        "diff": ("boolean", "Whether to return a picture of the differences."),
        "duration": (
            "milliseconds", "How long pixels have to stand still: milliseconds, or 16ms or 1.5s; default: 100ms."
        ),
        "for": (
            Condition.Kind.allCases.map(\.rawValue).joined(separator: "|"),
            "The name of a condition. It can be repeated, each with the items of its condition after it, where the client "
                + "keeps the order of the items; generated clients send one condition."
        ),
        "force": ("boolean", "Destroys the window without asking its program."),
        "key": ("boolean", "\(Rule.k1): whether the window has to be key, or must not be."),
        "main": ("boolean", "\(Rule.s2): whether the screen has to be the main one, or must not be."),
        "joined": ("boolean", "One picture of all screens instead of one per screen."),
        "masks": (
            "string",
            "A part that is not compared: \(PictureArea.grammar); repeatable. Semicolons may separate rectangles in one."
        ),
        "maxEdge": (
            "integer(1...\(PNG.maximumEdge))",
            "The maximum width and height in pixels; a larger picture is scaled down by averaging its pixels."
        ),
        "maxDiffering": ("string", "How many pixels may differ: \(Comparison.Allowance.examples)."),
        "mustHit": ("boolean", "Whether it is an error (409) if no client receives one of the events."),
        "pid": ("integer(1...\(Int32.max))", "The process of the client."),
        "popups": ("boolean", "Whether the picture extends to pop-ups outside the window's bounds."),
        "requests": (
            "boolean", "Whether to include answered requests to this API, and the results of injected input."
        ),
        "scale": (
            "number(\(ControlLimits.smallestScale)...1)",
            "The factor by which the picture is scaled down, averaging its pixels; default: 1."
        ),
        "screen": ("string", "Only the picture of this screen, by id or name."),
        "seat": ("string", "The seat's name; default: the first seat: \(Rule.k1)."),
        "sideBySide": ("boolean", "Whether to return both pictures and their differences as one."),
        "timeout": ("number(0...600)", "Seconds, 0 to 600; default: 5."),
        "title": ("string", "The window's title, or a pattern like /Save.*/; /save/i ignores case."),
        "tolerance": ("integer(0...255)", "The largest allowed difference of a channel, 0 to 255."),
        "upright": ("boolean", "As a person sees it, not in the panel's native orientation."),
        "visible": ("boolean", "\(Rule.v1): whether the window has to be visible, or must not be."),
        "wait": ("boolean", "Answers when the receivers have read the events."),
        "window": ("string", "Only this window, by id."),
        "x": ("integer(0...\(Int32.max))", "The pixel's column, from 0, in native pixels."),
        "y": ("integer(0...\(Int32.max))", "The pixel's row, from 0, in native pixels."),
    ]

    /// Descriptions of path placeholders.
    static let placeholders: [String: (type: String, meaning: String, example: String)] = [
        "screen": ("string", "A screen's id or name.", "1"),
        "id": ("string", "A window's id.", "1"),
        "application": ("string", "The id of a client's application.", "1"),
    ]
}
