// The schemas of the control API's answers.

import DisplayServer
import Displays
import WindowModel

extension OpenAPI {
    static var schemas: [String: JSONValue] {
        var schemas = bodies.merging(conditions) { $1 }.mapValues { Schema.object($0, isClosed: true) }
        schemas["Input"] = Schema.type("InputEvent,[InputEvent]")
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
        status integer
        detail string the error, and what is allowed
        rule string? the violated rule of the window model
        index integer? the event's index in a list, from 0
        input InputReport? the event that no client received
        errors [Mistake]? the mistakes of the body, in its order; of a scenario all, of other bodies the first
        routes [string]? the existing routes
        now integer? the time at which the clock stopped, in microseconds
        waited number? how long was waited, in milliseconds
        unmet [Unmet]? the conditions that do not hold
        """,
        "Unmet": """
        condition string as on the command line
        reason string
        instead [Candidate] what there is instead, nearest first
        """,
        "Candidate": """
        text string for people
        window integer?
        title string?
        application integer?
        applicationName string?
        screen integer?
        screenName string?
        color string? #rrggbb
        """,
        "Waited": """
        condition string as on the command line
        elapsed number milliseconds
        windows [Window]? those that match, at most 256
        applications [Application]? those that match, at most 256
        screen Screen?
        pixel WaitedPixel?
        """,
        "WaitedPixel": """
        x integer
        y integer
        color string #rrggbb
        """,
        "Mistake": """
        detail string the error, and what is allowed
        pointer string RFC 6901
        line integer counted from 1
        column integer counted from 1, in bytes
        """,
        "Status": """
        version string
        pid integer
        uptime number seconds
        socket string the clients' socket
        screens integer
        applications integer
        windows integer
        visibleWindows integer
        surfaces integer
        keyWindow integer?
        locked boolean \(Rule.l1)
        lockHolder integer? the application that holds the lock
        inputHolder integer? the application for which input is reserved: \(Rule.l4)
        touches integer active ones
        droppedPresses integer without a key window: \(Rule.e3)
        ignoredEvents integer blocked by applications that ignore interaction: \(Rule.e7)
        eventReaders integer
        health string healthy or struggling with the reason, and a summary
        refusals integer refused connections, windows, levels and requests
        x11 [string] the displays for X11 programs, as in DISPLAY
        web string? the API's address on TCP
        """,
        "Point": """
        x number
        y number
        """,
        "Size": """
        width number
        height number
        """,
        "Rect": """
        x number
        y number
        width number
        height number
        """,
        "Insets": """
        top number
        left number
        bottom number
        right number
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
        scale number
        physicalSize Size? millimetres
        overscan Insets? native pixels: \(Rule.s5)
        interactive boolean
        maximumFramesPerSecond integer
        kind builtIn|external?
        connector string
        port string?
        edid string base64
        """,
        "DisplayList": "displays [Display]",
        "Application": """
        id integer
        name string
        pid integer
        uid integer
        system boolean \(Rule.w4)
        ignoring integer \(Rule.e7)
        rotationPolicy string \(Rule.r3)
        windows [integer] back to front: \(Rule.w4)
        surfaces integer
        queuedBytes integer sent bytes that it has not read
        """,
        "ApplicationList": "applications [Application]",
        "ClientList": """
        now integer microseconds of the monotonic clock
        clients [Client]
        """,
        "Client": """
        application integer never reused
        name string
        pid integer
        uid integer
        connected boolean
        since integer? microseconds of the monotonic clock
        until integer?
        cause closed|protocolError|limit|system? how its connection ended
        reason string?
        windows integer? how many it still had at the end
        signal integer? what killed its process, if that is known
        status integer? the exit status of its process, if that is known
        messages integer? how many its journal has noted
        """,
        "Journal": """
        omitted integer how many earlier messages are no longer kept
        messages [JournalMessage]
        """,
        "JournalMessage": """
        time integer microseconds of the monotonic clock
        sender client|server
        interface string
        object integer
        message string
        arguments string
        """,
        "Seat": """
        id integer
        name string
        screens [string]
        awaitedScreens [string]
        keyWindow integer?
        pointer Place?
        touches integer
        keys [integer] evdev codes
        layout string
        """,
        "Place": """
        screen integer
        screenName string
        x number
        y number
        """,
        "SeatList": "seats [Seat]",
        "Window": windowFields,
        "WindowList": "windows [Window]",
        "Widget": """
        id string the program's bus name and the widget's object path
        role string ARIA's name, or AT-SPI's
        name string
        description string
        text string? what users edit
        value number?
        states [string] AT-SPI's names; enabled, visible and showing mean the same in all toolkits
        application string
        window integer,null
        frame Rect,null in the window's points
        part Rect,null the visible part of the frame
        popup string? the surface of the menu or list that it is in
        children [Widget]? of trees
        """,
        "WidgetList": """
        widgets [Widget]
        remarks [string] what is missing, and why, such as a program that does not answer
        """,
        "Converted": """
        point Point? as in the request
        points [Point]?
        rect Rect? the bounding box, where it comes to lie at an angle
        """,
        "Surface": """
        id string
        role string
        position Point
        size Size?
        hasContent boolean
        below boolean
        children [Surface]
        """,
        "ScreenBranch": """
        id integer
        name string
        main boolean
        mode string
        scale number
        position Point
        bounds Rect
        windows [WindowBranch] visible ones, front to back
        hidden [WindowBranch]
        """,
        "WindowBranch": """
        id integer
        application integer
        applicationName string
        title string
        level number
        frame Rect
        alpha number
        visible boolean
        key boolean
        keySeat string?
        surfaces [Surface] front to back
        """,
        "Tree": """
        screens [ScreenBranch]
        waiting [WindowBranch] windows without a screen: \(Rule.s2), \(Rule.s8)
        keyWindow integer?
        """,
        "Capture": """
        frame integer equal numbers mean equal pictures
        time integer microseconds
        keyWindow integer,null a window's id
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
        frame integer
        differing integer,null the number of differing pixels
        allowed integer,null how many pixels may differ
        pixels integer the number of compared pixels
        greatest integer(0...255),null the greatest difference of a channel
        box Rect,null the bounding box of the differing pixels
        first DifferingPixel,null the first one, row by row
        size Size
        expectedSize Size
        diff base64? a PNG
        sideBySide base64? a PNG of the expected and the actual picture and their differences
        """,
        "DifferingPixel": """
        x integer
        y integer
        expected string #rrggbb
        seen string #rrggbb
        """,
        "Clock": """
        mode real|manual
        now integer microseconds
        ticks integer?
        """,
        "ScenarioSize": "steps integer",
        "Settled": "settled boolean",
        "Keyboard": keyboardLayout + "\n" + """
            repeat KeyRepetition
            applications {KeyboardLayout} of single applications, by name
            """,
        "KeyboardLayout": keyboardLayout,
        "KeyRepetition": """
        rate integer repetitions per second, 0 for none
        delay integer milliseconds
        """,
        "InputReport": """
        type string
        hit Hit? the receiving window
        receivers [Receiver]? \(Rule.e4)
        reason \(reasons)? why it was not delivered
        candidates [InputCandidate] the windows in front, and why they did not receive it
        moreCandidates integer? how many of them are not listed
        touches [TouchReport]? one per touch, if there are several
        steps integer
        delivered integer the number of steps that were delivered
        receipts [Receipt]? whether the receivers have read it
        """,
        "Hit": """
        window integer
        title string
        application integer?
        surface string?
        location Point in the surface's points, or the window's without a surface
        screenLocation Point in the screen's points
        screen integer?
        """,
        "InputCandidate": """
        window integer? absent for an application as a whole: \(Rule.e4)
        title string the window's title, or the application's name, shortened
        application integer
        reason \(reasons)
        """,
        "TouchReport": """
        id integer
        hit Hit?
        reason \(reasons)?
        candidates [InputCandidate]
        moreCandidates integer?
        """,
        "Receiver": """
        application integer
        name string
        """,
        "Receipt": """
        application integer
        name string
        read boolean
        microseconds integer? from the injection to the answer, in real time
        reason string? why it was not read
        """,
        "InputReportList": "events [InputReport]",
    ]
}
