// The application: one connection to the server, its screens, its windows and its loop.

import Wayland

/// A client of the window server (UIKit: UIApplication). Everything runs on the thread that calls `run`,
/// `dispatch` or `roundTrip`; callbacks come from there, in the order in which the server sent things, and may
/// themselves do anything, even dispatch.
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
    /// Called when a screen was plugged in; those that were there before are not announced (S6).
    public var onScreenDidConnect: ((Screen) -> Void)?
    /// Called when a screen was unplugged; it is no longer in `screens` (S6). Its windows are kept (S8).
    public var onScreenDidDisconnect: ((Screen) -> Void)?
    /// Called for everything that happens, after the callback of its own.
    public var onEvent: ((ApplicationEvent) -> Void)?

    let connection: ClientConnection
    let globals: Globals
    var seats: [UInt32: Seat] = [:]
    /// Made when somebody listens first.
    lazy var eventReceiver = EventReceiver(self)
    var remoteControl: ((RemoteCommand, Event) -> Void)?
    var surfaces: [ObjectID: WeakSurface] = [:]
    var screensByID: [ObjectID: WeakScreen] = [:]
    /// Screens whose first description is not complete.
    var comingScreens: [Screen] = []
    /// In order of creation.
    var allWindows: [Window] = []
    var ordered: [OrderedRequest] = []
    var dirtyWindows: [Window] = []
    /// Events that were read and wait for their turn.
    var queue: [() -> Void] = []
    /// How many of them have been told.
    var queueHead = 0
    var timers: [(deadline: Double, body: () -> Void)] = []
    var failure: ApplicationError?
    var isStopped = false
    private var sequence = 0
    private var ignoringDepth = 0

    /// Connects to a server and learns its screens.
    /// - Parameters:
    ///   - name: shown in the tree and in logs.
    ///   - display: name in XDG_RUNTIME_DIR or an absolute path; nil is WAYLAND_DISPLAY, else wayland-0.
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

    /// Ends the connection: the server hides and destroys the windows (W7). Nothing works afterwards.
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

    /// The first screen; nil when there is none (S2).
    public var mainScreen: Screen? { screens.first }

    /// This application's windows, hidden ones too, back to front: by level, then by order within it (W4).
    ///
    /// The order within a level is what the server's rules (W3) make of what this application asked for and was told.
    public var windows: [Window] {
        allWindows.sorted { ($0.level, $0.sequence) < ($1.level, $1.sequence) }
    }

    /// The key window when it is one of this application's (K1).
    public var keyWindow: Window? { allWindows.first { $0.isKeyWindow } }

    /// The frontmost window that is on the main screen, visible, with alpha above 0 and at level normal; whoever asks
    /// "which window is the application's" wants this rather than whatever inherited key (K5).
    public func findKeyWindow() -> Window? {
        windows.last { $0.isVisible && $0.alpha > 0 && $0.level == .normal && $0.screen === mainScreen }
    }

    /// Whether touches that begin are being dropped (E7).
    public var isIgnoringInteractionEvents: Bool { ignoringDepth > 0 }

    /// Drops touches that begin over this application's windows until the matching end; calls nest (E7).
    public func beginIgnoringInteractionEvents() {
        ignoringDepth += 1
        globals.application.send(.beginIgnoringInteractionEvents)
    }

    /// Ends one `beginIgnoringInteractionEvents`.
    /// - Returns: false, and nothing happens, when there was no begin (the server would end the connection: E7).
    @discardableResult
    public func endIgnoringInteractionEvents() -> Bool {
        guard ignoringDepth > 0 else { return false }
        ignoringDepth -= 1
        globals.application.send(.endIgnoringInteractionEvents)
        return true
    }

    /// What becomes of this application's windows when their screen turns (R3).
    public enum RotationPolicy: Sendable {
        /// The bounds swap; windows that filled the screen fill it again.
        case rotating
        /// Frames stay in the portrait space of the panel and are drawn turned, as in iOS 7.
        case fixed
    }

    /// Chooses what becomes of the windows when their screen turns (R3).
    public func setRotationPolicy(_ policy: RotationPolicy) {
        globals.application.send(.setRotationPolicy(policy: policy == .fixed ? .fixed : .rotating))
    }

    func nextSequence() -> Int {
        sequence += 1
        return sequence
    }
}
