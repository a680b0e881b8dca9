// A scenario: timed steps on screens, input and pictures, with what is expected of them.

import Compositor
import DisplayServer
import Displays
import Geometry
import WindowModel

/// What `POST /v1/scenarios` carries out, one step after the other, until the first expectation that is not met.
struct Scenario {
    /// More than any person writes.
    static let maximumSteps = 10_000

    var name: String
    var steps: [Step]

    /// One thing to be done.
    enum Step {
        case plug(ScreenSpecification)
        case unplug(ScreenReference)
        case flap(Flap)
        case change(verb: String, ScreenReference, Change)
        case input([InputRequest])
        case claim(Claim)
        /// The claimed window of that title goes.
        case release(String)
        /// The claimed window of that title changes.
        case window(String, WindowPatch)
        case wait(Wait)
        case expect(Expectation)
        case screenshot(Picture)
        case compare(Picture, tolerance: UInt8)
    }

    /// A cable that comes loose again and again.
    struct Flap {
        var screen: ScreenReference
        var times: Int
        /// How long it is out, and in again, each time; microseconds.
        var out: UInt64
        var `in`: UInt64
        /// Differs the times by up to a half, the same way for the same number.
        var seed: UInt64?
        /// See `ScreenSpecification.isHostile`.
        var isHostile: Bool
    }

    /// A change of one screen.
    enum Change {
        case mode(String)
        case scale(Double)
        /// R1: microseconds, nil: as long as it takes.
        case orientation(Screen.Orientation, duration: UInt64?)
        case mirroring(Screen.Mirroring)
        case overscan(Screen.Overscan)
        case brightness(Double)
        case position(Point)
    }

    /// A window of the scenario's own: a colour, no program.
    struct Claim {
        var title: String
        var screen: ScreenReference?
        var level: Double
        /// Nil: all of the screen.
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
    }

    /// A picture of one screen, or of all.
    struct Picture {
        var name: String
        var screen: ScreenReference?
        /// What it is compared with, a PNG file.
        var golden: [UInt8] = []
    }
}

/// What is to be true. What is left out may be anything.
struct Expectation {
    /// S2: the names of the connected screens, in order.
    var screens: [String]?
    var states: [ScreenState] = []
    var windows: [WindowState] = []
    /// K1: the key window's title; `.some(nil)`: none.
    var key: String??
    var pixels: [Pixel] = []
    /// How long it may take to come true, in microseconds of real time, with either clock.
    var patience: UInt64?

    struct ScreenState {
        var name: String
        var isConnected: Bool?
        /// As people write it: what it leaves out, the rate or the pixel aspect ratio, may be anything.
        var mode: String?
        var scale: Double?
        var orientation: Screen.Orientation?
        var overscan: Screen.Overscan?
        var brightness: Double?
        /// S7: the name of the screen that is shown; `.some(nil)`: none.
        var mirrors: String??
        /// Points.
        var size: Size?
        var position: Point?
        var isMain: Bool?
        /// W3: the titles of the visible windows, front to back.
        var windows: [String]?
    }

    struct WindowState {
        var title: String
        var exists: Bool?
        var isVisible: Bool?
        var isKey: Bool?
        /// The name of its screen; `.some(nil)`: it has none.
        var screen: String??
        /// S8: the name of the screen that it waits for.
        var awaits: String??
        var frame: Rect?
        var level: Double?
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
