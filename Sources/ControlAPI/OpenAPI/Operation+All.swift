// Descriptions of all routes of the control API.

import DisplayServer
import WindowModel

extension Operation {
    static let all: [Operation] = [
        Operation("GET /v1/status", "How the server is, in a sentence and in numbers.", .json("Status")),
        Operation(
            "GET /v1/metrics", "What is counted, in Prometheus' text format.",
            .content("text/plain", "Samples, version 0.0.4 of the format.")),
        Operation(
            "GET /v1/openapi.json", "This description.", .content("application/json", "OpenAPI 3.")),
        Operation("GET /v1/displays", "The library of display models.", .json("DisplayList")),
        Operation("GET /v1/applications", "The connected programs.", .json("ApplicationList")),
        Operation(
            "GET /v1/seats", "\(Rule.k1): the seats, each with its screens and the input that it holds.",
            .json("SeatList")),
        Operation("GET /v1/screens", "\(Rule.s2): the screens, the main one first.", .json("ScreenList")),
        Operation(
            "POST /v1/screens", "Plugs a screen in.", body: .json("Plug"), .json("Screen", status: 201),
            refusals: [409, 422]),
        Operation("GET /v1/screens/{screen}", "One screen.", .json("Screen"), refusals: [404]),
        Operation(
            "PATCH /v1/screens/{screen}", "Changes a screen, all of it or nothing.", body: .json("ScreenPatch"),
            .json("Screen"), refusals: [404, 409, 422]),
        Operation(
            "DELETE /v1/screens/{screen}", "\(Rule.s8): unplugs a screen; its windows wait for it.",
            .nothing("It is unplugged.", status: 204), refusals: [404]),
        Operation(
            "GET /v1/screens/{screen}/screenshot.png", "What a screen shows at this moment.",
            .content("image/png", "Native pixels: \(Rule.s4)."), refusals: [404, 409, 503]),
        Operation(
            "GET /v1/screenshot.png", "What all screens show at one moment, side by side.",
            .content("image/png", "The global layout."), refusals: [404, 409, 503]),
        Operation(
            "GET /v1/capture", "Screens, windows and pictures of one moment.", .json("Capture"),
            refusals: [404, 409, 503]),
        Operation(
            "POST /v1/screens/{screen}/compare", "Compares what a screen shows with a picture.", body: .png,
            .json("Comparison"), refusals: [404, 409, 415, 503]),
        Operation(
            "POST /v1/compare", "Compares what all screens show with a picture.", body: .png, .json("Comparison"),
            refusals: [404, 409, 415, 503]),
        Operation(
            "GET /v1/windows", "All windows, including windows on no screen.", .json("WindowList"),
            refusals: [503]),
        Operation("GET /v1/windows/{id}", "One window.", .json("Window"), refusals: [404]),
        Operation(
            "PATCH /v1/windows/{id}", "Changes a window, all of it or nothing.", body: .json("WindowPatch"),
            .json("Window"), refusals: [404, 409, 422]),
        Operation(
            "DELETE /v1/windows/{id}",
            "Asks a window's program to close it; with force it is gone at once: \(Rule.w7).",
            .nothing("Its program was asked.", status: 202), .nothing("It is gone.", status: 204),
            refusals: [404, 409, 422]),
        Operation(
            "GET /v1/tree", "Screens, their windows front to back, and their surfaces.", .jsonOrText("Tree"),
            refusals: [503]),
        Operation(
            "POST /v1/input",
            "Injects an event, or a list of events as a whole; the answer names the window that received each, or explains why none did: \(Rule.h3).",
            body: .json("Input"), .json("InputAnswer"), refusals: [409, 422]),
        Operation(
            "GET /v1/events", "Everything that happens, as server-sent events; Last-Event-ID resumes.",
            .content("text/event-stream", "A stream without end."), refusals: [503]),
        Operation("GET /v1/clock", "The time that clients notice.", .json("Clock")),
        Operation(
            "PATCH /v1/clock", "Moves time that is manual.", body: .json("ClockPatch"), .json("Clock"),
            refusals: [409, 503]),
        Operation(
            "POST /v1/settle", "Waits until programs have carried out what they were told.", body: .optional("Empty"),
            .json("Settled"), refusals: [503]),
        Operation(
            "POST /v1/scenarios", "Runs a scenario and reports each step as a server-sent event.",
            body: .json5, .content("text/event-stream", "The events step, picture, then failed or done."),
            refusals: [404, 409, 422]),
        Operation("GET /v1/keyboard", "The layout of the keyboards.", .json("Keyboard"), refusals: [422]),
        Operation(
            "PATCH /v1/keyboard", "Changes the layout, for everybody or for one program.", body: .json("KeyboardPatch"),
            .json("Keyboard"), refusals: [404, 409, 422]),
    ]

    /// Descriptions of query items, and their types in `Schema` syntax.
    static let query: [String: (type: String, meaning: String)] = [
        "cursor": ("boolean", "With the pointer's picture."),
        "diff": ("boolean", "With a picture of where they differ."),
        "force": ("boolean", "Does not ask its program."),
        "joined": ("boolean", "One picture of all screens instead of one of each."),
        "screen": ("string", "Only the picture of this screen, by id or name."),
        "seat": ("string", "Of which seat, by name; the first one when it is left out: \(Rule.k1)."),
        "timeout": ("number", "Seconds, 0 to 600; 5 when it is left out."),
        "tolerance": ("integer", "How much a channel may differ, 0 to 255."),
        "upright": ("boolean", "As a person sees it, not in the panel's native orientation."),
        "wait": ("boolean", "Answers when those who got the events have read them."),
    ]

    /// Descriptions of path placeholders.
    static let placeholders: [String: (type: String, meaning: String, example: String)] = [
        "screen": ("string", "A screen's id or name.", "1"),
        "id": ("string", "A window's id.", "1"),
    ]
}
