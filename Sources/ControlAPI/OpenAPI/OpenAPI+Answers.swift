// The schemas of the control API's answers.

import DisplayServer
import Displays
import JSON5
import WindowModel

extension OpenAPI {
    static var schemas: [String: JSON] {
        var schemas = bodies.merging(conditions) { $1 }.merging(changes) { $1 }.mapValues {
            Schema.object($0, isClosed: true)
        }
        schemas["Input"] = Schema.type("InputEvent,[InputEvent]")
        schemas["ScenarioWaitText"] = Schema.type("settled|idle,duration")
        schemas["InputAnswer"] = Schema.type("InputReport,InputReportList")
        schemas["ScenarioStep"]?["minProperties"] = .number(1)
        schemas["ScenarioStep"]?["maxProperties"] = .number(1)
        for (name, table) in answers { schemas[name] = Schema.object(table) }
        for (event, fields) in events { schemas[eventSchema(event)] = eventDocument(event, fields) }
        schemas["Event"] = Schema.type(events.keys.sorted().map(eventSchema).joined(separator: ","))
        return schemas
    }

    private static let answers: [String: String] = [
        "Problem": """
        type string urn:mullion:rule:RULE, or about:blank
        title string
        status integer(400...599)
        code \(names(of: Problem.Code.self)) \(Problem.Code.meanings)
        detail string a message for people: what is wrong, and what is allowed
        rule string? the violated rule of the window model
        index count? the event's index in a list, from 0
        input InputReport? the event that no client received
        errors [Mistake]? the mistakes of the body, in its order; of a scenario all, of other bodies the first
        routes [string]? the existing routes
        now microseconds? the time at which the clock stopped, in microseconds
        waited number(0...)? how long was waited, in milliseconds
        unmet [Unmet]? the conditions that do not hold
        unfinished [Unfinished]? what keeps the server from being settled or idle; absent without the right to view
        rights [string]? the missing rights
        """,
        "Unfinished": """
        kind \(names(of: Unfinished.Kind.self))
        application id? absent for work of the server
        program string? its name and its process
        detail string for people
        """,
        "Unmet": """
        kind \(names(of: Condition.Kind.self))
        condition string as on the command line
        pixel Point? where the pixel of the condition is, in native pixels
        reason string
        instead [Candidate] what there is instead, nearest first
        """,
        "Candidate": """
        text string for people
        window id?
        title string?
        application id?
        applicationName string?
        screen id?
        screenName string?
        color rgb? #rrggbb
        """,
        "Waited": """
        condition string as on the command line
        elapsed number(0...) milliseconds
        windows [Window]? those that match, at most 256
        applications [Application]? those that match, at most 256
        screen Screen?
        pixel WaitedPixel?
        """,
        "OpenWaitList": """
        waits [OpenWait] the longest first
        """,
        "OpenWait": """
        condition string as on the command line
        waited number(0...) milliseconds so far
        unmet [Unmet]? the conditions that do not hold now; absent where pixels may not be seen, or if it takes too long
        """,
        "WaitedPixel": """
        x count
        y count
        color rgb #rrggbb
        """,
        "Mistake": """
        code \(names(of: Problem.Code.self))
        detail string a message for people: what is wrong, and what is allowed
        pointer string RFC 6901
        line integer(1...) counted from 1
        column integer(1...) counted from 1, in bytes
        allowed [string]? the fields that are possible there
        """,
        "Status": """
        version string
        pid pid
        uptime number(0...) seconds
        socket string the clients' socket
        screens count
        applications count
        windows count
        visibleWindows count
        surfaces count
        keyWindow id?
        locked boolean \(Rule.l1)
        lockHolder id? the application that holds the lock
        inputHolder id? the application for which input is reserved: \(Rule.l4)
        touches count active ones
        droppedPresses count without a key window: \(Rule.e3)
        ignoredEvents count blocked by applications that ignore interaction: \(Rule.e7)
        eventReaders count
        health string healthy or struggling with the reason, and a summary
        refusals count refused connections, windows, levels and requests
        x11 [X11Display] for X11 programs of the user that asks, the best one first
        web string? the API's address on TCP
        """,
        "X11Display": """
        display string as in DISPLAY
        uid id the user whose X server it is: the one that asks, or the server's own
        """,
        "Point": """
        x number
        y number
        """,
        "Size": """
        width number(0...)
        height number(0...)
        """,
        "Rect": """
        x number
        y number
        width number(0...)
        height number(0...)
        """,
        "Insets": """
        top number(0...)
        left number(0...)
        bottom number(0...)
        right number(0...)
        """,
        "Screen": screenFields,
        "ScreenList": "screens [Screen]",
        "Display": """
        name string
        summary string?
        type string?
        vendor string
        model string
        serial string?
        pnp string
        modes [string]
        preferredMode string
        scale number(0...)
        physicalSize Size? millimetres
        overscan Insets? native pixels: \(Rule.s5)
        interactive boolean
        maximumFramesPerSecond count
        kind builtIn|external?
        connector string
        port string?
        edid string base64
        """,
        "DisplayList": "displays [Display]",
        "Application": """
        id id
        name string
        pid pid
        uid id
        system boolean \(Rule.w4)
        ignoring count \(Rule.e7)
        rotationPolicy \(names(of: Application.RotationPolicy.self)) \(Rule.r3)
        windows [id] back to front: \(Rule.w4)
        surfaces count
        queuedBytes count sent bytes that it has not read
        """,
        "ApplicationList": "applications [Application]",
        "ClientList": """
        now microseconds microseconds of the monotonic clock
        clients [Client]
        """,
        "Client": """
        application id never reused
        name string
        pid pid
        uid id
        connected boolean
        since microseconds? microseconds of the monotonic clock
        until microseconds?
        cause closed|protocolError|limit|system? how its connection ended
        reason string?
        windows count? how many it still had at the end
        signal integer(1...64)? what killed its process, if that is known
        status integer(0...255)? the exit status of its process, if that is known
        messages count? how many its journal has noted
        """,
        "Journal": """
        omitted count how many earlier messages are no longer kept
        messages [JournalMessage]
        """,
        "JournalMessage": """
        time microseconds microseconds of the monotonic clock
        sender client|server
        interface string
        object count
        message string
        arguments string
        """,
        "Seat": """
        id id
        name string
        screens [string]
        awaitedScreens [string]
        keyWindow id?
        pointer Place?
        touches count
        keys [code] evdev codes
        layout string
        """,
        "Place": """
        screen id
        screenName string
        x number
        y number
        """,
        "SeatList": "seats [Seat]",
        "Window": windowFields,
        "WindowList": "windows [Window]",
        "Converted": """
        point Point? as in the request
        points [Point]?
        rect Rect? the bounding box, where it comes to lie at an angle
        """,
        "Surface": """
        id string
        role none|root|subsurface|popup
        position Point
        size Size?
        hasContent boolean
        below boolean
        children [Surface]
        """,
        "ScreenBranch": """
        id id
        name string
        main boolean
        mode string
        scale number(0...)
        position Point
        bounds Rect
        windows [WindowBranch] visible ones, front to back
        hidden [WindowBranch]
        """,
        "WindowBranch": """
        id id
        application id
        applicationName string
        title string
        level number,infinity|-infinity
        frame Rect
        alpha number(0...1)
        visible boolean
        key boolean
        keySeat string?
        surfaces [Surface] front to back
        """,
        "Tree": """
        screens [ScreenBranch]
        waiting [WindowBranch] windows without a screen: \(Rule.s2), \(Rule.s8)
        keyWindow id?
        """,
        "Capture": """
        frame count equal numbers mean equal pictures
        time microseconds microseconds
        keyWindow id,null a window's id
        png base64?
        screens [CapturedScreen]
        windows [CapturedWindow]
        """,
        "CapturedScreen": screenFields + "\n" + """
            toPixels [number] from points to pixels of the picture: a, b, c, d, tx, ty
            png base64?
            """,
        "CapturedWindow": windowFields + "\n" + """
            toPixels [number]? from points to pixels of the picture: a, b, c, d, tx, ty
            surfaces [Surface] front to back
            """,
        "Comparison": """
        equal boolean
        reason string? why the pictures cannot be compared
        frame count
        differing count,null the number of differing pixels
        allowed count,null how many pixels may differ
        pixels count the number of compared pixels
        greatest integer(0...255),null the greatest difference of a channel
        box Rect,null the bounding box of the differing pixels
        first DifferingPixel,null the first one, row by row
        size Size
        expectedSize Size
        diff base64? a PNG
        sideBySide base64? a PNG of the expected and the actual picture and their differences
        """,
        "DifferingPixel": """
        x count
        y count
        expected string #rrggbb
        seen string #rrggbb
        """,
        "Clock": """
        mode real|manual
        now microseconds microseconds
        ticks count?
        """,
        "ScenarioSize": "steps count",
        "Settled": "settled boolean",
        "Keyboard": keyboardLayout + "\n" + """
            repeat KeyRepetition
            applications {KeyboardLayout} of single applications, by name
            """,
        "KeyboardLayout": keyboardLayout,
        "KeyRepetition": """
        rate count repetitions per second, 0 for none
        delay count milliseconds
        """,
        "InputReport": """
        type \(inputTypes)
        hit Hit? the receiving window
        receivers [Receiver]? \(Rule.e4)
        reason \(reasons)? why it was not delivered
        bounds Rect? those of the screen, if the point is outside of them
        candidates [InputCandidate] the windows in front, and why they did not receive it
        moreCandidates count? how many of them are not listed
        touches [TouchReport]? one per touch, if there are several
        steps count
        delivered count the number of steps that were delivered
        receipts [Receipt]? whether the receivers have read it
        """,
        "HitTest": """
        screen id
        screenName string
        point Point in the screen's points
        hit Hit? the window at the point
        reason \(reasons)? why there is none
        candidates [InputCandidate] the windows in front, and why they are not hit
        moreCandidates count? how many of them are not listed
        """,
        "Hit": """
        window id
        title string? absent without the right to view
        application id?
        surface string?
        location Point? absent without the right to view; in the surface's points, or the window's without a surface
        screenLocation Point in the screen's points
        screen id?
        """,
        "InputCandidate": """
        window id? absent for an application as a whole: \(Rule.e4)
        title string? the window's title, or the application's name, shortened; absent without the right to view
        application id
        reason \(reasons)? absent without the right to view
        """,
        "TouchReport": """
        id integer(0...\(Int32.max))
        hit Hit?
        reason \(reasons)?
        candidates [InputCandidate]
        moreCandidates count?
        """,
        "Receiver": """
        application id
        name string? absent without the right to view
        """,
        "Receipt": """
        application id
        name string? absent without the right to view
        read boolean
        microseconds microseconds? from the injection to the answer, in real time
        reason string? why it was not read
        """,
        "InputReportList": "events [InputReport]",
    ]
}
