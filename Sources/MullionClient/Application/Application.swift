// The application: a connection to the server, with its screens, windows and loop.

import Dispatch
import MullionSystem
import MullionWayland

/// A client of the window server (UIKit: UIApplication). It and everything made with it belong to the main actor;
/// `run()`, `dispatch` and `roundTrip` call the callbacks, in the order in which the server sent the events. Callbacks
/// may do anything, including dispatching.
///
/// ```swift
/// let application = try Application(name: "hello")
/// let window = Window(application)
/// window.backgroundColor = .white
/// window.makeKeyAndVisible()
/// try application.run()
/// ```
@MainActor open class Application: Responder {
    /// The name shown in the tree and in logs.
    public let name: String
    /// The connected screens: the main one first, the others in order of connection (S2).
    public internal(set) var screens: [Screen] = []

    let connection: ClientConnection
    let globals: Globals
    let observers = Observers<ApplicationEvent>()
    var seats: [UInt32: Seat] = [:]
    lazy var eventReceiver = EventReceiver(self)
    let eventDelivery = EventDelivery()
    var surfaces: [ObjectID: WeakWindow] = [:]
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
    /// Whether the server may not have answered a request that shows or hides windows or makes one key; in a callback,
    /// a request of that callback.
    var isUnconfirmed = false
    /// Whether windows read as last reported, rather than as of the event that is being delivered.
    var readsReports = true
    var timers: [Timer] = []
    /// Why the connection has ended.
    var failure: ApplicationError? {
        didSet { if oldValue == nil { enqueue { [weak self] in self?.connectionDidEnd() } } }
    }
    /// Whether `disconnect()` was called.
    var isDisconnected = false
    /// Whether a commit is under way.
    var isCommitting = false
    var isStopped = false
    var keptPasteboard: Pasteboard?
    var keptPrimaryPasteboard: Pasteboard?
    /// Called when there is something to send or a timer to wait for, while `run()` is suspended in the main queue.
    var wake: (() -> Void)?
    /// The number of screens that have come.
    var screenCount = 0
    private var sequence = 0
    private var ignoringDepth = 0
    private var remoteControlDepth = 0

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
        // What the server passes on is other programs'.
        connection.transport.closer = DescriptorCloser(isApart: true)
        do throws(ApplicationError) {
            globals = try Globals(connection)
        } catch {
            connection.disconnect()
            throw error
        }
        self.connection = connection
        super.init()
        listen()
        globals.application.send(.setName(name: name.forWire))
        do throws(ApplicationError) {
            try roundTrip()
        } catch {
            connection.disconnect()
            throw error
        }
    }

    isolated deinit { connection.disconnect() }

    /// Ends the connection; the server hides and destroys the windows (W7). The application cannot be used afterwards.
    public func disconnect() {
        isDisconnected = true
        failure = failure ?? .disconnected(reason: "the application has disconnected")
        connectionDidEnd()
        queue = []
        queueHead = 0
        timers = []
        seats = [:]
        screens = []
        comingScreens = []
        isStopped = true
        // `run()` may have a copy of the descriptor.
        connection.transport.shutDown()
        connection.disconnect()
        wake?()
    }

    /// Nothing will happen to the windows and screens any more.
    private func connectionDidEnd() {
        for window in allWindows {
            window.forget()
            window.observers.finish()
        }
        for screen in screens { screen.observers.finish() }
        allWindows = []
        ordered = []
        dirtyWindows = []
        observers.finish()
    }

    /// The main screen, which is the first of `screens`; nil when there is none. The built-in screen that connected
    /// first, without one the screen that connected first (S2).
    public var mainScreen: Screen? { screens.first }

    /// This application's windows, including hidden ones, back to front: by level, then by order within it (W4).
    ///
    /// After a request of this application it waits for the server's answer; in a callback the order within a level is
    /// as of the event (W3).
    public var windows: [Window] {
        confirm()
        return allWindows.sorted { ($0.windowLevel, $0.status.sequence) < ($1.windowLevel, $1.status.sequence) }
    }

    /// The key window when it is one of this application's (K1).
    public var keyWindow: Window? { allWindows.first { $0.isKeyWindow } }

    /// The frontmost window that is on the main screen, visible, with alpha above 0 and at level normal. To find the
    /// application's main window, use this rather than the key window, which may have inherited key (K5).
    public func findKeyWindow() -> Window? {
        windows.last { $0.isVisible && $0.alpha > 0 && $0.windowLevel == .normal && $0.screen === mainScreen }
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

    /// Receives remote-control commands from now on, whichever window is key (E4): in
    /// `remoteControlReceived(_:with:)`, of the first responder of the key window first. Calls nest.
    public func beginReceivingRemoteControlEvents() {
        remoteControlDepth += 1
        if remoteControlDepth == 1 { eventReceiver.proxy.send(.beginReceivingRemoteControlEvents) }
    }

    /// Ends one `beginReceivingRemoteControlEvents`; does nothing without one.
    public func endReceivingRemoteControlEvents() {
        guard remoteControlDepth > 0 else { return }
        remoteControlDepth -= 1
        if remoteControlDepth == 0 { eventReceiver.proxy.send(.endReceivingRemoteControlEvents) }
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
