// An application's window on a screen.

import Geometry
import Wayland

/// A window (W1). It is created hidden, at level 0; show it with `isHidden = false` or `makeKeyAndVisible()`.
///
/// Properties are collected and take effect together at the next commit (C4): at the end of the loop's turn, or by
/// `commit()` or `Application.flush()`. The application retains its windows until `close()`.
public final class Window: Surface {
    let role: Proxy<MullionWindowV1>
    var storedFrame: Rect
    var storedScreen: Screen?
    var isHiddenWish = true
    /// Increases whenever the window enters the front of a level (W3); orders `Application.windows`.
    var sequence: Int
    /// The events requested from the server.
    var eventTypes: MullionEventsV1.EventTypes = []
    private var properties: [(kind: Property, request: MullionWindowV1.Request)] = []
    /// The window's callbacks.
    var callbacks = Callbacks()
    /// The state of the text edited in it.
    var editing = Editing()

    /// Whether it is on a connected screen and not hidden (V1), as last reported by the server.
    public internal(set) var isVisible = false
    /// Whether it is the key window of the server (K1), as last reported.
    public internal(set) var isKeyWindow = false

    /// Creates a hidden window on a screen.
    /// - Parameters:
    ///   - screen: the window's screen; nil means the main screen or, when there is none, the next one to connect (S2).
    ///   - frame: in points of the screen; nil means the screen's bounds.
    public init(_ application: Application, screen: Screen? = nil, frame: Rect? = nil) {
        let surface = application.createSurface()
        role = Proxy(application.connection, version: application.globals.application.version)
        storedScreen = screen ?? application.mainScreen
        storedFrame = storedScreen?.bounds ?? .zero
        sequence = application.nextSequence()
        application.globals.application.send(
            .createWindow(id: role.id, surface: surface.id, screen: screen?.proxy.id))
        super.init(application, surface)
        role.onEvent = { [weak self] event in self?.receive(event) }
        application.allWindows.append(self)
        if let frame { self.frame = frame }
        setNeedsCommit()
    }

    /// Itself.
    public override var window: Window? { self }

    // MARK: Geometry

    /// The area in points of the screen; it may extend outside (W6). Rounded to 1/256 point, as on the wire. A negative
    /// size becomes 0; infinite and NaN values are ignored.
    public var frame: Rect {
        get { storedFrame }
        set {
            guard newValue.minX.isFinite, newValue.minY.isFinite, newValue.width.isFinite, newValue.height.isFinite
            else { return }
            let (x, y) = (Fixed(rounding: newValue.minX), Fixed(rounding: newValue.minY))
            let (width, height) = (Fixed(rounding: max(0, newValue.width)), Fixed(rounding: max(0, newValue.height)))
            storedFrame = Rect(x: x.double, y: y.double, width: width.double, height: height.double)
            request(.frame, .setFrame(x: x, y: y, width: width, height: height))
        }
    }

    /// The window's own area: its frame's size, at the origin.
    public var bounds: Rect { Rect(origin: .zero, size: storedFrame.size) }

    /// The screen; nil after it was unplugged (S8) and when there is none yet (S2). Setting it moves the window (W3);
    /// nil makes it invisible until it gets another. Setting an unplugged screen does nothing (S9).
    public var screen: Screen? {
        get { storedScreen }
        set {
            if let newValue, !newValue.isConnected { return }
            storedScreen = newValue
            if isVisible { sequence = application.nextSequence() }
            orderedRequest(.setScreen(screen: newValue?.proxy.id), keeping: newValue)
        }
    }

    /// An affine transform about the centre of the frame. Infinite and NaN values become 0.
    public var transform: AffineTransform = .identity {
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
    public var autoresizing: Autoresizing = [] {
        didSet {
            let mask = MullionWindowV1.Autoresizing(rawValue: autoresizing.rawValue & 63)
            request(.autoresizing, .setAutoresizing(mask: mask))
        }
    }

    // MARK: Order and appearance

    /// The window's level; setting another level brings it to the front of that level (W2, W3).
    public var level: WindowLevel = .normal {
        didSet {
            if level != oldValue { sequence = application.nextSequence() }
            orderedRequest(.setLevel(level: Fixed(rounding: level.rawValue)))
        }
    }

    /// Sets the level to a number.
    /// - Throws: `WindowLevelError` when the wire cannot represent it; the level is unchanged then (W2).
    public func setLevel(_ value: Double) throws(WindowLevelError) { level = try WindowLevel(value) }

    /// Whether the application wants the window hidden; initially true (W1). See `isVisible` for the result.
    public var isHidden: Bool {
        get { isHiddenWish }
        set {
            isHiddenWish = newValue
            orderedRequest(.setHidden(hidden: newValue ? 1 : 0))
        }
    }

    /// 0 is invisible, 1 opaque; values are clamped. Below 0.01 the window receives no touches (H1).
    public var alpha: Double = 1 {
        didSet {
            alpha = alpha.isNaN ? 0 : min(max(alpha, 0), 1)
            request(.alpha, .setAlpha(alpha: UInt32((alpha * Double(UInt32.max)).rounded())))
        }
    }

    /// The colour of the frame under the picture; a window with only a colour needs no memory (C2).
    public var backgroundColor: Color? {
        didSet {
            request(.background, backgroundColor.map { .setBackgroundColor(argb: $0.argb) } ?? .unsetBackgroundColor)
        }
    }

    /// Whether contents are clipped to the frame; initially true (C3).
    public var clipsToBounds = true {
        didSet { request(.clips, .setClipsToBounds(clips: clipsToBounds ? 1 : 0)) }
    }

    /// A name for the tree and for logs.
    public var title = "" {
        didSet { request(.title, .setTitle(title: title.forWire)) }
    }

    // MARK: Interaction

    /// Whether the window receives touches, or lets them fall through to what is behind (E8).
    public var isUserInteractionEnabled = true {
        didSet { request(.interaction, .setUserInteractionEnabled(enabled: isUserInteractionEnabled ? 1 : 0)) }
    }

    /// Disables interaction immediately, until the token ends; several parties may do so independently (E8).
    public func disableInteraction() -> InteractionToken {
        guard !isClosed else { return InteractionToken {} }
        let token = Proxy<MullionInteractionV1>(application.connection, version: role.version)
        role.send(.disableInteraction(id: token.id))
        return InteractionToken { token.send(.destroy) }
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
        sequence = application.nextSequence()
        orderedRequest(.makeKeyAndVisible)
    }

    /// Gives up the key role, which never returns to this window (K6).
    public func resignKey() { orderedRequest(.resignKey) }

    // MARK: Requests

    /// Commits the changes of this window and everything inside it together (C4).
    public func commit() {
        guard !isClosed else { return }
        application.commit(self)
    }

    /// Hides and destroys the window and everything inside it (W7), immediately.
    public func close() {
        guard !isClosed else { return }
        application.forget(self)
        role.send(.destroy)
        destroySurface()
        isVisible = false
        isKeyWindow = false
    }

    override func setNeedsCommit() {
        super.setNeedsCommit()
        application.noteDirty(self)
    }

    /// Queues a request whose order does not matter: only the last of each kind is sent at the commit.
    private func request(_ kind: Property, _ request: MullionWindowV1.Request) {
        guard !isClosed else { return }
        properties.removeAll { $0.kind == kind }
        properties.append((kind, request))
        setNeedsCommit()
    }

    /// Queues a request whose order matters, also relative to other windows, until the commit.
    func orderedRequest(_ request: MullionWindowV1.Request, keeping screen: Screen? = nil) {
        guard !isClosed else { return }
        // The server limits the requests pending for one commit.
        if application.ordered.count >= 512 { application.commitPending() }
        application.ordered.append(OrderedRequest(window: self, request: request, screen: screen))
        setNeedsCommit()
    }

    override func willCommit() {
        for property in properties { role.send(property.request) }
        properties = []
    }
}
