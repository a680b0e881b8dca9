// The schemas of the event stream.

import DisplayServer
import WindowModel

extension OpenAPI {
    /// "didBecomeKey" has the schema EventDidBecomeKey.
    static func eventSchema(_ event: String) -> String { "Event" + event.prefix(1).uppercased() + event.dropFirst() }

    /// - Parameter fields: those besides its name and time.
    static func eventDocument(_ event: String, _ fields: String) -> JSONValue {
        // These two are about the stream.
        let time = ["gap", "cutOff"].contains(event) ? "" : "\ntime integer microseconds of the server's clock"
        let name = time.isEmpty ? "" : "event \(event)"
        return Schema.object(name + time + "\n" + fields)
    }

    private static let screen = """
        screen integer
        screenName string?
        """
    private static let application = """
        application integer
        applicationName string?
        """
    private static let window = """
        window integer
        title string? at that time
        \(application)
        """

    /// The fields of each event.
    static let events: [String: String] = {
        var events: [String: String] = [:]
        for name in [
            "screenDidConnect", "screenDidDisconnect", "modeDidChange", "screenPropertiesDidChange", "needsDisplay",
        ] {
            events[name] = screen
        }
        for name in [
            "windowDidOpen", "windowDidClose", "didBecomeVisible", "didBecomeHidden", "frameDidChange", "cameToFront",
            "orderDidChange",
        ] + Window.Property.allCases.map({ "\($0.rawValue)DidChange" }) {
            events[name] = window
        }
        for name in ["windowDidOpen", "applicationIDDidChange"] {
            events[name] = window + "\napplicationID string? as a plain program has set it"
        }
        for name in ["didBecomeKey", "didResignKey"] { events[name] = window + "\nseat integer \(Rule.k1)" }
        for name in ["didLock", "didUnlock"] { events[name] = "" }
        return events.merging(others) { $1 }
    }()

    private static let others: [String: String] = [
        "mainScreenDidChange": """
        screen integer? absent without any: \(Rule.s2)
        screenName string?
        """,
        "orientationWillChange": """
        \(screen)
        from string
        to string
        duration integer microseconds: \(Rule.r1)
        """,
        "orientationDidChange": """
        \(screen)
        from string
        to string
        """,
        "applicationDidConnect": """
        \(application)
        pid integer? absent for those of scenarios
        """,
        "applicationNameDidChange": application,
        "applicationDidDisconnect": """
        \(application)
        pid integer?
        cause closed|protocolError|limit|system? absent for those of scenarios
        reason string? what the program did wrong, or what failed
        windows integer? how many windows it still had: one that crashes closes none
        """,
        "screenDidChange": """
        \(window)
        screen integer? absent while it waits for one: \(Rule.s8)
        screenName string?
        """,
        "bell": """
        \(application)
        window integer? absent for none in particular
        title string?
        """,
        "pointerFocus": """
        seat integer
        window integer? absent when the pointer is over none
        title string?
        application integer?
        applicationName string?
        surface string?
        location Point? in the surface's points
        screen integer?
        screenName string?
        """,
        "event": """
        application integer
        applicationName string?
        window integer?
        title string?
        screen integer?
        screenName string?
        surface string?
        seat integer
        type integer UIKit's number
        phase string
        detail touch|pointer|button|key|shake|remoteControl|scroll|transform
        timestamp integer
        serial integer
        location Point? in the surface's points
        screenLocation Point? in the screen's points
        code integer? of the touch, button, key or command
        group integer? the same for simultaneous touches
        deltaX number?
        deltaY number?
        gesture string?
        fingers integer?
        scale number?
        rotation number?
        force number?
        majorRadius number?
        minorRadius number?
        orientation number?
        tool string?
        altitude number?
        azimuth number?
        roll number?
        distance number?
        buttons [string]?
        """,
        "input": """
        clock real|manual
        input any a body for POST /v1/input
        """,
        "request": """
        method string
        path string with the query
        status integer
        duration integer microseconds of real time
        pid integer? of the program that sent it, on the control socket
        detail string? why it was refused
        """,
        "injected": """
        events [InputReport] the results of a list of injected events, the first \(InjectedPayload.maximumEvents)
        moreEvents integer? how many events are not listed
        missed [string] for each listed event that no client received, the reason
        """,
        "gap": "detail string why events are missing",
        "cutOff": "detail string why the reader is disconnected",
    ]
}
