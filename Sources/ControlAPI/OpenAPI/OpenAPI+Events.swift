// The schemas of the event stream.

import DisplayServer
import EventLoop
import JSON5
import WindowModel

extension OpenAPI {
    /// "didBecomeKey" has the schema EventDidBecomeKey.
    static func eventSchema(_ event: String) -> String { "Event" + event.prefix(1).uppercased() + event.dropFirst() }

    /// - Parameter fields: those besides its name and time.
    static func eventDocument(_ event: String, _ fields: String) -> JSON {
        // These two are about the stream.
        let time = ["gap", "cutOff"].contains(event) ? "" : "\ntime microseconds microseconds of the server's clock"
        let name = time.isEmpty ? "" : "event \(event)"
        return Schema.object(name + time + "\n" + fields)
    }

    private static let screen = """
        screen id
        screenName string?
        """
    private static let application = """
        application id
        applicationName string?
        """
    private static let window = """
        window id
        title string? at that time
        \(application)
        """

    private static let orientations = names(of: Screen.Orientation.self)

    /// An enumeration in a table.
    static func names<T: RawRepresentable<String> & CaseIterable>(of type: T.Type) -> String {
        T.allCases.map(\.rawValue).joined(separator: "|")
    }

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
        for name in ["didBecomeKey", "didResignKey"] { events[name] = window + "\nseat id \(Rule.k1)" }
        for name in ["didLock", "didUnlock"] { events[name] = "" }
        return events.merging(others) { $1 }
    }()

    private static let others: [String: String] = [
        "mainScreenDidChange": """
        screen id? absent without any: \(Rule.s2)
        screenName string?
        """,
        "orientationWillChange": """
        \(screen)
        from \(orientations)
        to \(orientations)
        duration microseconds microseconds: \(Rule.r1)
        """,
        "orientationDidChange": """
        \(screen)
        from \(orientations)
        to \(orientations)
        """,
        "applicationDidConnect": """
        \(application)
        pid pid? absent for those of scenarios
        """,
        "applicationNameDidChange": application,
        "applicationDidDisconnect": """
        \(application)
        pid pid?
        cause closed|protocolError|limit|system? absent for those of scenarios
        reason string? what the program did wrong, or what failed
        windows count? how many windows it still had: one that crashes closes none
        signal integer(1...64)? what killed its process, if that has ended and is known
        status integer(0...255)? the exit status of its process, if that has ended and is known
        """,
        "screenDidChange": """
        \(window)
        screen id? absent while it waits for one: \(Rule.s8)
        screenName string?
        """,
        "bell": """
        \(application)
        window id? absent for none in particular
        title string?
        """,
        "pointerFocus": """
        seat id
        window id? absent when the pointer is over none
        title string?
        application id?
        applicationName string?
        surface string?
        location Point? in the surface's points
        screen id?
        screenName string?
        """,
        "event": """
        application id
        applicationName string?
        window id?
        title string?
        screen id?
        screenName string?
        surface string?
        seat id
        type integer(0...255) UIKit's number
        phase began|moved|stationary|ended|cancelled
        detail touch|pointer|button|key|shake|remoteControl|scroll|transform
        timestamp microseconds
        serial count
        location Point? in the surface's points
        screenLocation Point? in the screen's points
        code code? of the touch, button, key or command
        group count? the same for simultaneous touches
        deltaX number?
        deltaY number?
        gesture \(names(of: Event.TransformGesture.Kind.self))?
        fingers integer(0...255)?
        scale number(0...)?
        rotation number?
        force number(0...1)?
        majorRadius number(0...8388607)?
        minorRadius number(0...8388607)?
        orientation angle? in radians
        tool pencil|eraser?
        altitude number(0...\(Double.pi / 2))? in radians
        azimuth angle?
        roll angle?
        distance number(0...1)?
        buttons [primary|secondary|tertiary]?
        """,
        "input": """
        clock real|manual
        input InputEvent a body for POST /v1/input
        """,
        "request": """
        method \(names(of: HTTPMethod.self))
        path string with the query, unless the request needs the right capture and the reader does not have it
        status integer(100...599)
        duration microseconds microseconds of real time
        pid pid? of the program that sent it, on the control socket
        code \(names(of: Problem.Code.self))? why it was refused; absent under the same condition
        detail string? the same for people
        """,
        "injected": """
        events [InputReport] the results of a list of injected events, the first \(InjectedPayload.maximumEvents)
        moreEvents count? how many events are not listed
        missed [string] for each listed event that no client received, the reason
        """,
        "gap": "detail string why events are missing",
        "cutOff": "detail string why the reader is disconnected",
    ]
}
