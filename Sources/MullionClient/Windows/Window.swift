// An application's window on a screen.

import MullionGeometry
import MullionWayland

/// A window (W1; UIKit: UIWindow). It is created hidden, at level 0; show it with `isHidden = false` or
/// `makeKeyAndVisible()`.
///
/// Properties are collected and take effect together at the next commit (C4): at the end of the loop's turn, or by
/// `commit()` or `Application.flush()`. The application retains its windows until `close()`.
open class Window: View {
    /// The application it belongs to.
    public let application: Application
    let role: Proxy<MullionWindowV1>
    /// The window's own surface.
    let content: Layer
    var storedScreen: Screen?
    /// Whether it will have the bounds of its first screen: it was created without screen and frame (S2).
    var takesBounds = false
    var isHiddenWish = true
    /// What was requested, and is not confirmed yet.
    var requests = PropertyRequests()
    let observers = Observers<WindowEvent>()
    /// Visible, key and order, as read last and as of the event that is being delivered.
    var reported = Status()
    var delivered = Status()
    /// The state of the text edited in the window itself.
    var editing = Editing()
    /// Whether text was edited when that was last reported to input methods.
    var wasEditing = false
    /// Receives keys first; nil: the window itself does.
    public internal(set) weak var firstResponder: Responder?
    /// The layers of the views, in the order that the server has.
    var layers: [Layer] = []
    var isOrderDirty = false
    var needsCommit = false
    /// Called at the next frame.
    var frameBodies: [(Double) -> Void] = []
    /// Whether a frame callback has been requested.
    var isFrameRequested = false
    /// True after `close()`; later requests are ignored.
    public internal(set) var isClosed = false

    /// What the server decides.
    struct Status {
        var isVisible = false
        var isKey = false
        /// Increases whenever the window enters the front of a level (W3); orders `Application.windows`.
        var sequence = 0
    }

    /// Creates a hidden window on a screen.
    /// - Parameters:
    ///   - screen: the window's screen; nil means the main screen or, when there is none, the next one to connect (S2).
    ///   - frame: in points of the screen; nil means the screen's bounds.
    public init(_ application: Application, screen: Screen? = nil, frame: Rect? = nil) {
        self.application = application
        content = Layer(application)
        role = Proxy(application.connection, version: application.globals.application.version)
        storedScreen = screen ?? application.mainScreen
        requests.creation = .requested(on: screen)
        application.globals.application.send(
            .createWindow(id: role.id, surface: content.picture.surface.id, screen: screen?.proxy.id))
        super.init(frame: Rect(origin: .zero, size: storedScreen?.bounds.size ?? .zero))
        takesBounds = storedScreen == nil
        clipsToBounds = true
        layer = content
        role.onEvent = { [weak self] event in self?.receive(event) }
        application.eventReceiver.proxy.send(.setTypes(window: role.id, types: .all))
        application.allWindows.append(self)
        application.surfaces[content.picture.surface.id] = WeakWindow(window: self)
        reported.sequence = application.nextSequence()
        delivered = reported
        application.isUnconfirmed = true
        if let frame { self.frame = frame }
        setNeedsCommit()
    }

    /// Itself.
    open override var window: Window? { self }
    open override var next: Responder? { application }

    /// The view that fills the window, behind all others (UIKit: the root view controller's view). Setting it removes
    /// the previous one; nil once the view has left the window. Ends the program for a window (W5).
    public var rootView: View? {
        get { keptRootView?.superview === self ? keptRootView : nil }
        set {
            let old = rootView
            precondition(!(newValue is Window), "\(WindowInsideError())")
            guard newValue !== old else { return }
            old?.removeFromSuperview()
            keptRootView = newValue
            guard let newValue else { return }
            newValue.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            newValue.frame = bounds
            insertSubview(newValue, at: 0)
        }
    }
    private weak var keptRootView: View?

    // MARK: Geometry

    /// The area in points of the screen; it may extend outside (W6). Rounded to 1/256 point, as on the wire. A negative
    /// size becomes 0; infinite and NaN values are ignored.
    open override var frame: Rect {
        get { storedFrame }
        set {
            guard let newValue = newValue.valid else { return }
            let (x, y) = (Fixed(rounding: newValue.minX), Fixed(rounding: newValue.minY))
            let (width, height) = (Fixed(rounding: newValue.width), Fixed(rounding: newValue.height))
            replaceFrame(Rect(x: x.double, y: y.double, width: width.double, height: height.double))
            takesBounds = false
            request(.frame, .setFrame(x: x, y: y, width: width, height: height))
        }
    }

    /// The screen; nil after it was unplugged (S8) and when there is none yet (S2). Setting it moves the window (W3), nil
    /// to the main screen, or to the next one when there is none (S2). Setting an unplugged screen does nothing (S9).
    public var screen: Screen? {
        get { storedScreen }
        set {
            if let newValue, !newValue.isConnected { return }
            storedScreen = newValue ?? application.mainScreen
            if takesBounds, let storedScreen {
                takesBounds = false
                replaceFrame(Rect(origin: .zero, size: storedScreen.bounds.size))
            }
            screenScaleMayHaveChanged()
            orderedRequest(.setScreen(screen: newValue?.proxy.id), for: .screen, keeping: newValue)
        }
    }

    /// An affine transform about the centre of the frame. Infinite and NaN values become 0.
    open override var transform: AffineTransform {
        didSet {
            func whole(_ value: Double) -> Int32 {
                guard value.isFinite else { return 0 }
                return Int32(min(max((value * 65_536).rounded(), Double(Int32.min)), Double(Int32.max)))
            }
            func points(_ value: Double) -> Fixed { Fixed(rounding: value.isFinite ? value : 0) }
            request(
                .transform,
                .setTransform(
                    a: whole(transform.a), b: whole(transform.b), c: whole(transform.c), d: whole(transform.d),
                    tx: points(transform.tx), ty: points(transform.ty)))
        }
    }

    /// How the frame follows the bounds of the screen (W1, R2); initially empty.
    open override var autoresizingMask: AutoresizingMask {
        didSet {
            let mask = MullionWindowV1.Autoresizing(rawValue: UInt32(autoresizingMask.rawValue) & 63)
            request(.autoresizing, .setAutoresizing(mask: mask))
        }
    }

    // MARK: Order and appearance

    /// The window's level; setting another level brings it to the front of that level (W2, W3).
    public var windowLevel: WindowLevel {
        get { storedLevel }
        set {
            storedLevel = newValue
            orderedRequest(.setLevel(level: Fixed(rounding: newValue.rawValue)), for: .level)
        }
    }
    var storedLevel = WindowLevel.normal

    /// Whether the window is on a connected screen and not hidden (V1). After a request of this application it waits
    /// for the server's answer; in a callback it is as of the event.
    public var isVisible: Bool { status.isVisible }
    /// Whether it is the key window of the server (K1), up to date like `isVisible`.
    public var isKeyWindow: Bool { status.isKey }

    var status: Status {
        application.confirm()
        return application.readsReports ? reported : delivered
    }

    /// Whether the application wants the window hidden; initially true (W1). See `isVisible` for the result.
    open override var isHidden: Bool {
        get { isHiddenWish }
        set {
            isHiddenWish = newValue
            if newValue { resetGestures() }
            orderedRequest(.setHidden(hidden: newValue ? 1 : 0), for: .hidden)
        }
    }

    /// 0 is invisible, 1 opaque; values are clamped. Below 0.01 the window receives no touches (H1).
    open override var alpha: Double {
        didSet { request(.alpha, .setAlpha(alpha: UInt32((alpha * Double(UInt32.max)).rounded()))) }
    }

    /// The colour of the frame under the picture; a window with only a colour needs no memory (C2).
    open override var backgroundColor: Color? {
        didSet {
            request(.background, backgroundColor.map { .setBackgroundColor(argb: $0.argb) } ?? .unsetBackgroundColor)
        }
    }

    /// Whether contents are clipped to the frame; initially true (C3).
    open override var clipsToBounds: Bool {
        didSet {
            request(.clips, .setClipsToBounds(clips: clipsToBounds ? 1 : 0))
            for layer in layers { layer.setReceivesEvents(!clipsToBounds) }
        }
    }

    /// A name for the tree and for logs.
    public var title: String {
        get { storedTitle }
        set {
            storedTitle = newValue
            request(.title, .setTitle(title: newValue.forWire))
        }
    }
    var storedTitle = ""

    // MARK: Interaction

    /// Whether the window receives touches, or lets them fall through to what is behind (E8).
    open override var isUserInteractionEnabled: Bool {
        didSet { request(.interaction, .setUserInteractionEnabled(enabled: isUserInteractionEnabled ? 1 : 0)) }
    }

    /// Disables interaction immediately, until the token ends; several parties may do so independently (E8).
    public func disableInteraction() -> InteractionToken {
        guard !isClosed else { return InteractionToken {} }
        let token = Proxy<MullionInteractionV1>(application.connection, version: role.version)
        role.send(.disableInteraction(id: token.id))
        return InteractionToken { token.send(.destroy) }
    }

    /// Where the window receives touches, clicks and scrolling, in its own points extended to whole ones; elsewhere they
    /// fall through to the windows behind (H2). Nil (initially): everywhere; empty: nowhere. A rectangle is left out if
    /// the region would need more than 1000 with it, none of which overlap.
    public var touchableRegion: [Rect]? {
        didSet {
            guard !isClosed, touchableRegion != oldValue else { return }
            sendTouchableRegion()
        }
    }

    // MARK: Key

    /// False declines the key role: by request, by touch and by inheritance (K4).
    public var canBecomeKey = true {
        didSet { orderedRequest(.setCanBecomeKey(can: canBecomeKey ? 1 : 0)) }
    }

    /// Makes this the key window without changing the order (K2).
    public func makeKey() { orderedRequest(.makeKey) }

    /// Shows the window, brings it to the front of its level and makes it key (K3).
    public func makeKeyAndVisible() {
        isHiddenWish = false
        orderedRequest(.makeKeyAndVisible, for: .hidden)
    }

    /// Gives the key role away, never back to this window (K6). UIKit's `resignKey`, which is not to be called, is the
    /// method that reports it.
    public func relinquishKey() { orderedRequest(.resignKey) }

    /// Called when the window became key (K2, K3), before the callbacks; to be overridden, not to be called.
    open func becomeKey() {}
    /// Called when the window resigned key (K2, K5), before the callbacks; to be overridden, not to be called. To give
    /// the role away, see `relinquishKey()`.
    open func resignKey() {}

    // MARK: Text

    open override var textContentType: TextContentType? { editing.contentType }
    open override var textBeforeCursor: String? { editing.textBeforeCursor }
    open override var caretRectangle: Rect? { editing.caretRectangle }
    open override func insertText(_ text: String) { notify(.insertText(text), nil) }
    open override func deleteBackward() { notify(.deleteBackward, nil) }
    open override func setMarkedText(_ text: String) { notify(.markedText(text), nil) }

    // MARK: Requests

    /// Commits the changes of this window and everything inside it together (C4).
    public func commit() {
        guard !isClosed else { return }
        application.commit(self)
    }

    /// Hides and destroys the window (W7), immediately. Its views can be put into another one.
    public func close() {
        guard !isClosed else { return }
        destroy()
        observers.finish()
    }

    /// Destroys everything that the server has of the window.
    func destroy() {
        application.forget(self)
        application.isUnconfirmed = true
        for view in subviews { view.removeFromSuperview() }
        role.send(.destroy)
        content.destroy()
        forget()
    }

    /// Marks the window as gone.
    func forget() {
        isClosed = true
        frameBodies = []
        application.eventDelivery.forget(self)
        application.eventReceiver.forget(self)
        layer = nil
        (reported, delivered) = (Status(), Status())
        application.surfaces[content.picture.surface.id] = nil
    }

    /// Calls `body` once, when it is time to draw the next frame; the argument is the server's clock in seconds. While
    /// no screen shows the window, that is once a second (V3). See `DisplayLink` for animations.
    public func onNextFrame(_ body: @escaping (_ timestamp: Double) -> Void) {
        guard !isClosed else { return }
        frameBodies.append(body)
        requestFrame()
        setNeedsCommit()
    }

    override func setNeedsUpdate(deep: Bool = false) {
        super.setNeedsUpdate(deep: deep)
        setNeedsCommit()
    }
}
