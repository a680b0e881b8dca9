// Fields that several answers of the control API have.

import DisplayServer
import Displays
import WindowModel

extension OpenAPI {
    /// The fields of a screen's answers.
    static let screenFields = """
        id id? absent while it is switched off
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
        maximumFramesPerSecond count
        nativeSize Size pixels, never rotated: \(Rule.s4)
        bounds Rect points
        physicalSize Size millimetres
        edid base64
        edidRemarks [string] the parts of the EDID that were skipped, and why
        windows [id] visible ones, front to back
        \(ScreenProperty.all.answer)
        """

    /// The fields of a window's answers.
    static let windowFields = """
        id id
        application id
        applicationName string
        title string
        applicationID string? as a plain program has set it (xdg-shell)
        plain boolean true for a plain Wayland program (xdg-shell)
        screen id? absent while it waits for one
        screenName string?
        awaitedScreen string? \(Rule.s8)
        parent id? the window that it is always in front of
        modal boolean its parent waits for it (xdg-dialog)
        icon string? the name of its icon (xdg-toplevel-icon)
        frame Rect in the screen's points
        level number,infinity|-infinity
        hidden boolean
        visible boolean
        key boolean
        keySeat string?
        alpha number(0...1)
        backgroundColor color? #AARRGGBB
        transform [number] a, b, c, d, tx, ty
        userInteractionEnabled boolean
        canBecomeKey boolean
        clipsToBounds boolean
        autoresizing [leftMargin|width|rightMargin|topMargin|height|bottomMargin] \(Rule.r2)
        surface string?
        """

    /// The fields of a keyboard layout in an answer.
    static let keyboardLayout = """
        rules string
        model string
        layout string
        variant string
        options string
        """

    /// H3: why a window does not receive an event.
    static let reasons = Routing.Reason.allCases.map(\.rawValue).joined(separator: "|")
}
