// The application: a connection to the server, with its screens, windows and loop.

import Wayland

/// A client of the window server (UIKit: UIApplication). Everything runs on the thread that calls `run`, `dispatch` or
/// `roundTrip`; these call the callbacks, in the order in which the server sent the events. Callbacks may do anything,
/// including dispatching.
///
/// ```swift
/// let application = try Application(name: "hello")
/// let window = Window(application)
/// window.backgroundColor = .white
/// window.makeKeyAndVisible()
/// try application.run()
/// ```
public final class Application {
    /// The name shown in the tree and in logs.
    public let name: String
    /// The connected screens: the main one first, the others in order of connection (S2).
    public internal(set) var screens: [Screen] = []
    /// Called when a screen is plugged in; screens that were connected before are not announced (S6).
    public var onScreenDidConnect: ((Screen) -> Void)?
    /// Called when a screen is unplugged; it is no longer in `screens` (S6). Its windows are kept (S8).
    public var onScreenDidDisconnect: ((Screen) -> Void)?
    /// Called when another screen has become the main one, or none is left; `mainScreen` and `screens` are
    /// already new (S2).
    public var onMainScreenDidChange: ((Screen?) -> Void)?
    /// Called for every event, after its specific callback.
    public var onEvent: ((ApplicationEvent) -> Void)?

    let connection: ClientConnection
    let globals: Globals
    var seats: [UInt32: Seat] = [:]
    /// Created when the first callback is set.
    lazy var eventReceiver = EventReceiver(self)
    var remoteControl: ((RemoteCommand, Event) -> Void)?
    var surfaces: [ObjectID: WeakSurface] = [:]
    var screensByID: [ObjectID: WeakScreen] = [:]
    /// The number of the screen that is main, as the server last said; 0: of none; nil: it has not said it.
    var mainScreenNumber: Int?
    /// Screens whose first description is incomplete.
    var comingScreens: [Screen] = []
    /// In order of creation.
    var allWindows: [Window] = []
    var ordered: [OrderedRequest] = []
    var dirtyWindows: [Window] = []
    /// Events that were read and wait for delivery.
    var queue: [() -> Void] = []
    /// How many of them were delivered.
    var queueHead = 0
    var timers: [(deadline: Double, body: () -> Void)] = []
    var failure: ApplicationError?
    var isStopped = false
    /// The number of screens that have come.
    var screenCount = 0
    private var sequence = 0
    private var ignoringDepth = 0

    /// Connects to a server and receives its screens.
    /// - Parameters:
    ///   - name: shown in the tree and in logs.
    ///   - display: a name in XDG_RUNTIME_DIR or an absolute path; nil means WAYLAND_DISPLAY, else wayland-0.
    /// - Throws: `ApplicationError` when there is no server, or it lacks the window model.
    public init(name: String, display: String? = nil) throws(ApplicationError) {
        self.name = name
        let connection: ClientConnection
        do throws(ClientError) {
            connection = try ClientConnection(connectingTo: display)
        } catch {
            throw ApplicationError(error)
        }
        do throws(ApplicationError) {
            globals = try Globals(connection)
        } catch {
            connection.disconnect()
            throw error
        }
        self.connection = connection
        listen()
        globals.application.send(.setName(name: name.forWire))
        do throws(ApplicationError) {
            try roundTrip()
        } catch {
            connection.disconnect()
            throw error
        }
    }

    deinit { connection.disconnect() }

    /// Ends the connection; the server hides and destroys the windows (W7). The application cannot be used afterwards.
    public func disconnect() {
        failure = failure ?? .disconnected(reason: "the application has disconnected")
        for window in allWindows { window.isClosed = true }
        allWindows = []
        ordered = []
        dirtyWindows = []
        queue = []
        queueHead = 0
        timers = []
        seats = [:]
        screens = []
        comingScreens = []
        isStopped = true
        connection.disconnect()
    }

    /// The main screen, which is the first of `screens`; nil when there is none. The built-in screen that connected
    /// first, without one the screen that connected first (S2).
    public var mainScreen: Screen? { screens.first }

    /// This application's windows, including hidden ones, back to front: by level, then by order within it (W4).
    ///
    /// The order within a level is computed by the server's rules (W3) from this application's requests and received
    /// events.
    public var windows: [Window] {
        allWindows.sorted { ($0.level, $0.sequence) < ($1.level, $1.sequence) }
    }

    /// The key window when it is one of this application's (K1).
    public var keyWindow: Window? { allWindows.first { $0.isKeyWindow } }

    /// The frontmost window that is on the main screen, visible, with alpha above 0 and at level normal. To find the
    /// application's main window, use this rather than the key window, which may have inherited key (K5).
    public func findKeyWindow() -> Window? {
        windows.last { $0.isVisible && $0.alpha > 0 && $0.level == .normal && $0.screen === mainScreen }
    }

    /// Whether what points and begins is dropped (E7).
    public var isIgnoringInteractionEvents: Bool { ignoringDepth > 0 }

    /// Drops touches, clicks, scrolling, hovering and gestures that begin over this application's windows until the
    /// matching end. Running ones continue; keys, shaking and remote control are not affected. Calls nest (E7).
    public func beginIgnoringInteractionEvents() {
        ignoringDepth += 1
        globals.application.send(.beginIgnoringInteractionEvents)
    }

    /// Ends one `beginIgnoringInteractionEvents`.
    /// - Returns: false, without effect, when there was no begin (the server would end the connection: E7).
    @discardableResult
    public func endIgnoringInteractionEvents() -> Bool {
        guard ignoringDepth > 0 else { return false }
        ignoringDepth -= 1
        globals.application.send(.endIgnoringInteractionEvents)
        return true
    }

    /// How this application's windows behave when their screen rotates (R3).
    public enum RotationPolicy: Sendable {
        /// The bounds swap; windows that filled the screen fill it again.
        case rotating
        /// Screens stay portrait, and so do frames and the positions of events; the windows are drawn rotated, as in
        /// iOS 7.
        case fixed
    }

    /// Sets how the windows behave when their screen rotates (R3).
    public func setRotationPolicy(_ policy: RotationPolicy) {
        globals.application.send(.setRotationPolicy(policy: policy == .fixed ? .fixed : .rotating))
    }

    func nextSequence() -> Int {
        sequence += 1
        return sequence
    }
}
