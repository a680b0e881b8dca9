// A scenario: timed steps on screens, input and pictures, with expectations.

import DisplayServer
import Displays
import MullionGeometry
import WindowModel

/// The body of `POST /v1/scenarios`: steps performed in order until the first unmet expectation.
struct Scenario {
    /// Limits the size of a scenario.
    static let maximumSteps = 10_000

    var name: String
    var steps: [Step]

    /// One step.
    enum Step {
        case plug(ScreenSpecification)
        case unplug(ScreenReference)
        case flap(Flap)
        /// Changes one screen; the verb is the step's name. R1: the duration is in microseconds; nil for the default.
        case change(verb: String, ScreenReference, ScreenSettings, duration: UInt64?)
        case input([InputRequest])
        case claim(Claim)
        /// Closes the claimed window of that title.
        case release(String)
        /// Changes the claimed window of that title.
        case window(String, WindowPatch)
        case wait(Wait)
        case expect(Expectation)
        /// Waits until a client continues the scenario; the client chooses the name.
        case pause(String)
        case screenshot(Picture)
        case compare(Picture)
    }

    /// A loose cable, which disconnects repeatedly.
    struct Flap {
        var screen: ScreenReference
        var times: Int
        /// How long it is disconnected, and then connected, each time; in microseconds.
        var out: UInt64
        var `in`: UInt64
        /// Varies the times by up to a half; the same seed gives the same times.
        var seed: UInt64?
        /// See `ScreenSpecification.provokesRaces`.
        var provokesRaces: Bool
    }

    /// A window of the scenario itself: a colour without a program.
    struct Claim {
        var title: String
        var screen: ScreenReference?
        var level: Double
        /// Nil for the whole screen.
        var frame: Rect?
        var color: Color
        /// 0…1.
        var alpha: Double
        var isHidden: Bool
        var isInteractive: Bool
        /// K3.
        var becomesKey: Bool
        var autoresizing: Window.Autoresizing
    }

    enum Wait {
        /// Microseconds.
        case time(UInt64)
        case settled
        case idle
        case conditions(WaitStep)
    }

    /// A picture of one screen, of all, or of a window by itself.
    struct Picture {
        var name: String
        var screen: ScreenReference?
        /// The window's id or title.
        var window: String?
        /// A screenshot uses only the crop.
        var terms = ComparisonTerms()
        /// The expected picture, a PNG file.
        var golden: [UInt8] = []
    }
}

/// The expected state. Absent fields match any value.
struct Expectation {
    /// S2: the names of the connected screens, in order.
    var screens: [String]?
    var states: [ScreenState] = []
    var windows: [WindowState] = []
    /// K1: the key window's title; `.some(nil)`: there must be none.
    var key: String??
    var pixels: [Pixel] = []
    var hits: [Hit] = []
    /// How long it may take to be met, in microseconds of real time, with either clock.
    var patience: UInt64?

    struct ScreenState {
        var name: String
        var isConnected: Bool?
        /// The name is left out. A missing rate or pixel aspect ratio of a mode matches any.
        var settings: ScreenSettings
        /// S7: the name of the mirrored screen; `.some(nil)`: there must be none.
        var mirrors: String??
        /// Points.
        var size: Size?
        var isMain: Bool?
        /// W3: the titles of the visible windows, front to back.
        var windows: [String]?
    }

    struct WindowState {
        var title: String
        var exists: Bool?
        var isVisible: Bool?
        var isKey: Bool?
        /// The name of its screen; `.some(nil)`: it must have none.
        var screen: String??
        /// S8: the name of the screen that it waits for.
        var awaits: String??
        var frame: Rect?
        var level: Double?
    }

    /// H1: which window receives a touch that begins at a point.
    struct Hit {
        var screen: ScreenReference?
        /// In the screen's points.
        var point: Point
        /// Its title; nil: none may receive it.
        var window: String?
    }

    struct Pixel {
        var screen: ScreenReference?
        /// Native pixels of the screen.
        var x: Int
        var y: Int
        /// 0xRRGGBB.
        var color: UInt32
        /// 0…255 for each of red, green and blue.
        var tolerance: UInt8
    }
}
