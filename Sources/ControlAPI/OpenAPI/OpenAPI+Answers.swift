// The schemas of the control API's answers.

import DisplayServer
import Displays
import WindowModel

extension OpenAPI {
    static var schemas: [String: JSONValue] {
        var schemas = bodies.mapValues { Schema.object($0, isClosed: true) }
        schemas["Input"] = Schema.type("InputEvent,[InputEvent]")
        schemas["InputAnswer"] = Schema.type("InputReport,InputReportList")
        for (name, table) in answers { schemas[name] = Schema.object(table) }
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
        input InputReport? the event that nobody received
        routes [string]? the existing routes
        now integer? the time at which the clock stopped, in microseconds
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
        "Screen": """
        id integer? absent while it is switched off
        enabled boolean
        powered boolean false: its picture is black
        main boolean
        vendor string
        model string
        modes [string] WIDTHxHEIGHT@HERTZ, native pixels
        preferredMode string
        rotating boolean
        overscanInsets Insets native pixels: \(Rule.s5)
        mirrors string? the mirrored screen
        maximumFramesPerSecond integer
        nativeSize Size pixels, never rotated: \(Rule.s4)
        bounds Rect points
        physicalSize Size millimetres
        edid string base64
        windows [integer] visible ones, front to back
        \(ScreenProperty.all.answer)
        """,
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
        "Window": """
        id integer
        application integer
        applicationName string
        title string
        plain boolean true for a plain Wayland program (xdg-shell)
        screen integer? absent while it waits for one
        screenName string?
        awaitedScreen string? \(Rule.s8)
        parent integer? the window that it is always in front of
        modal boolean its parent waits for it (xdg-dialog)
        icon string? the name of its icon (xdg-toplevel-icon)
        frame Rect in the screen's points
        level number
        hidden boolean
        visible boolean
        key boolean
        keySeat string?
        alpha number
        backgroundColor string? #AARRGGBB
        transform [number] a, b, c, d, tx, ty
        userInteractionEnabled boolean
        canBecomeKey boolean
        clipsToBounds boolean
        autoresizing [leftMargin|width|rightMargin|topMargin|height|bottomMargin] \(Rule.r2)
        surface string?
        """,
        "WindowList": "windows [Window]",
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
        keyWindow any a window's id, or null
        png string? base64
        screens [any]
        windows [any]
        """,
        "Comparison": """
        equal boolean
        reason string?
        frame integer
        differing any the number of differing pixels, or null
        allowed any how many pixels may differ, or null
        pixels integer the number of compared pixels
        greatest any the greatest difference of a channel, 0 to 255, or null
        box any the bounding box of the differing pixels, or null
        first any the first differing pixel, or null
        size Size
        expectedSize Size
        diff string? a PNG, base64
        sideBySide string? a PNG of the expected and the actual picture and their differences, base64
        """,
        "Clock": """
        mode real|manual
        now integer microseconds
        ticks integer?
        """,
        "Settled": "settled boolean",
        "Keyboard": """
        rules string
        model string
        layout string
        variant string
        options string
        repeat any
        applications {any}
        """,
        "InputReport": """
        type string
        hit any? the receiving window
        receivers [any]? \(Rule.e4)
        reason string? why it was not delivered
        candidates [any] the windows in front, and why they did not receive it
        touches [any]?
        steps integer
        delivered integer
        receipts [any]? whether the receivers have read it
        """,
        "InputReportList": "events [InputReport]",
    ]
}
