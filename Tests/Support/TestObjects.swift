// Windows, toplevels and screens of a test client.

import Displays
import MullionWayland

/// mullion_screen_v1 as the client sees it.
public final class TestScreen {
    public let proxy: Proxy<MullionScreenV1>
    public let wasAnnounced: Bool
    public private(set) var name = ""
    public private(set) var globalName: UInt32 = 0
    public private(set) var bounds: (width: Double, height: Double) = (0, 0)
    public private(set) var currentMode: (width: Int32, height: Int32, refresh: Int32) = (0, 0, 0)
    public private(set) var isConnected = true
    public private(set) var orientation = MullionScreenV1.Orientation.portrait
    /// S7: the name of the screen that is mirrored.
    public private(set) var mirrors: String?
    /// The bounds of each complete description.
    public private(set) var states: [(width: Double, height: Double)] = []

    init(_ proxy: Proxy<MullionScreenV1>, wasAnnounced: Bool, client: TestClient) {
        self.proxy = proxy
        self.wasAnnounced = wasAnnounced
        proxy.onEvent = { [unowned self, unowned client] event in
            switch event {
            case .name(let name): self.name = name
            case .global(let name): globalName = name
            case .bounds(_, _, let width, let height): bounds = (width.double, height.double)
            case .mode(let width, let height, let refresh, _, let flags):
                if flags.contains(.current) { currentMode = (width, height, refresh) }
            case .modeDidChange: client.events.append("modeDidChange \(currentMode.width)x\(currentMode.height)")
            case .orientation(let value): orientation = value
            case .mirrored(_, let name): mirrors = name
            case .done: states.append(bounds)
            case .orientationWillChange(let from, let to, let duration):
                client.events.append(
                    "willChange \(from.rawValue) \(to.rawValue) \(duration) reads \(orientation.rawValue)")
            case .orientationDidChange(let from, let to):
                client.events.append("didChange \(from.rawValue) \(to.rawValue) reads \(orientation.rawValue)")
            case .refused(let reason): client.events.append("refused: \(reason)")
            case .didDisconnect:
                isConnected = false
                client.events.append("didDisconnect")
            default: break
            }
        }
    }
}

/// mullion_window_v1 with its surface.
public final class TestWindow {
    public let surface: Proxy<WlSurface>
    public let window: Proxy<MullionWindowV1>
    public let name: String
    public private(set) var frame: (x: Double, y: Double, width: Double, height: Double)?
    /// How many commits the server had applied, as last received.
    public private(set) var commits: UInt32 = 0
    private unowned let client: TestClient

    init(_ client: TestClient, name: String, screen: TestScreen?) {
        self.client = client
        self.name = name
        surface = client.surface()
        window = Proxy(client.connection, version: client.application.version)
        client.application.send(.createWindow(id: window.id, surface: surface.id, screen: screen?.proxy.id))
        window.send(.setTitle(title: name))
        window.onEvent = { [weak self, unowned client] event in
            switch event {
            case .didBecomeVisible: client.events.append("\(name).didBecomeVisible")
            case .didBecomeHidden: client.events.append("\(name).didBecomeHidden")
            case .didBecomeKey: client.events.append("\(name).didBecomeKey")
            case .didResignKey: client.events.append("\(name).didResignKey")
            case .frameDidChange(let x, let y, let width, let height):
                self?.frame = (x.double, y.double, width.double, height.double)
                client.events.append("\(name).frameDidChange")
            case .screenDidChange(let screen):
                let screenName = client.screens.first { $0.proxy.id == screen }?.name ?? "nil"
                client.events.append("\(name).screenDidChange(\(screenName))")
            case .close: client.events.append("\(name).close")
            case .refused(let reason): client.events.append("\(name).refused: \(reason)")
            case .cameToFront: client.raised.append(name)
            case .committed(let commits): self?.commits = commits
            case .levelDidChange(let level): client.events.append("\(name).level \(level.double)")
            case .hiddenDidChange(let hidden): client.events.append("\(name).hidden \(hidden)")
            case .alphaDidChange(let alpha): client.events.append("\(name).alpha \(alpha)")
            case .titleDidChange(let title): client.events.append("\(name).title \(title)")
            case .userInteractionEnabledDidChange(let enabled): client.events.append("\(name).interaction \(enabled)")
            case .destroyed: client.events.append("\(name).destroyed")
            case .autoresizingDidChange(let mask): client.events.append("\(name).autoresizing \(mask.rawValue)")
            }
        }
    }

    /// A background colour is all the content a window needs (C2).
    @discardableResult
    public func color(_ argb: UInt32) -> TestWindow {
        window.send(.setBackgroundColor(argb: argb))
        return self
    }

    @discardableResult
    public func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> TestWindow {
        window.send(
            .setFrame(
                x: Fixed(rounding: x), y: Fixed(rounding: y), width: Fixed(rounding: width),
                height: Fixed(rounding: height)))
        return self
    }

    @discardableResult
    public func level(_ level: Double) -> TestWindow {
        window.send(.setLevel(level: Fixed(rounding: level)))
        return self
    }

    /// Commits the pending changes.
    @discardableResult
    public func commit() -> TestWindow {
        surface.send(.commit)
        return self
    }

    public func show() { window.send(.setHidden(hidden: 0)); commit() }
    public func hide() { window.send(.setHidden(hidden: 1)); commit() }
    public func makeKey() { window.send(.makeKey); commit() }
    public func makeKeyAndVisible() { window.send(.makeKeyAndVisible); commit() }
    public func resignKey() { window.send(.resignKey); commit() }
    public func destroy() { window.send(.destroy); surface.send(.destroy) }
}

/// xdg_toplevel with its surface.
public final class TestToplevel {
    public let surface: Proxy<WlSurface>
    public let xdg: Proxy<XdgSurface>
    public let toplevel: Proxy<XdgToplevel>
    public let name: String
    /// The last configure: size and states.
    public private(set) var size: (width: Int32, height: Int32) = (0, 0)
    public private(set) var states: [UInt8] = []
    public private(set) var configures = 0
    /// Set to false to leave configures unanswered.
    public var acknowledges = true

    init(_ client: TestClient, name: String) {
        self.name = name
        surface = client.surface()
        xdg = Proxy(client.connection, version: client.wmBase.version)
        client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        toplevel = Proxy(client.connection, version: client.wmBase.version)
        xdg.send(.getToplevel(id: toplevel.id))
        toplevel.send(.setTitle(title: name))
        // A test may drop a toplevel whose events are still in flight.
        xdg.onEvent = { [weak self] event in
            guard case .configure(let serial) = event, let self else { return }
            configures += 1
            if acknowledges { xdg.send(.ackConfigure(serial: serial)) }
        }
        toplevel.onEvent = { [weak self, unowned client] event in
            guard let self else { return }
            switch event {
            case .configure(let width, let height, let states):
                size = (width, height)
                self.states = states
            case .close: client.events.append("\(name).close")
            case .configureBounds, .wmCapabilities: break
            }
        }
    }

    /// Whether the last configure had this state.
    public func has(_ state: XdgToplevel.State) -> Bool {
        stride(from: 0, to: states.count, by: 4).contains { UInt32(states[$0]) == state.rawValue }
    }
}

extension TestToplevel {
    /// A mapped toplevel of one colour.
    public static func map(
        _ client: TestClient, _ fixture: ServerFixture, _ name: String = "t", argb: UInt32 = 0xffff0000,
        width: Int32 = 200, height: Int32 = 100
    ) throws -> TestToplevel {
        let toplevel = client.toplevel(name)
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(argb, width: width, height: height, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        return toplevel
    }
}

/// wl_subsurface with its surface.
public final class TestSubsurface {
    public let surface: Proxy<WlSurface>
    public let subsurface: Proxy<WlSubsurface>

    /// A sub-surface of one colour, committed; the parent's commit shows it.
    public init(
        _ client: TestClient, of parent: Proxy<WlSurface>, argb: UInt32, x: Int32, y: Int32, width: Int32,
        height: Int32
    ) throws {
        surface = client.surface()
        subsurface = Proxy(client.connection, version: 1)
        client.subcompositor.send(.getSubsurface(id: subsurface.id, surface: surface.id, parent: parent.id))
        subsurface.send(.setPosition(x: x, y: y))
        try client.attach(argb, width: width, height: height, to: surface)
        surface.send(.commit)
    }

    /// Requests the role and nothing else.
    public init(bare client: TestClient, surface: Proxy<WlSurface>, parent: Proxy<WlSurface>) {
        self.surface = surface
        subsurface = Proxy(client.connection, version: 1)
        client.subcompositor.send(.getSubsurface(id: subsurface.id, surface: surface.id, parent: parent.id))
    }
}

/// A client's objects of a seat, and their events.
public final class TestInput {
    public let pointer: Proxy<WlPointer>
    public let keyboard: Proxy<WlKeyboard>
    public let touch: Proxy<WlTouch>
    public private(set) var events: [String] = []
    public private(set) var keymapSize: UInt32 = 0

    public init(_ client: TestClient) throws {
        // From version 10 on held keys would repeat.
        let seat = try client.bind(WlSeat.self, version: 9)
        pointer = Proxy(client.connection, version: seat.version)
        keyboard = Proxy(client.connection, version: seat.version)
        touch = Proxy(client.connection, version: seat.version)
        seat.send(.getPointer(id: pointer.id))
        seat.send(.getKeyboard(id: keyboard.id))
        seat.send(.getTouch(id: touch.id))
        touch.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .down(_, _, let surface, let id, let x, let y):
                events.append("down \(id) \(surface) \(x.double),\(y.double)")
            case .up(_, _, let id): events.append("up \(id)")
            case .motion(_, let id, let x, let y): events.append("move \(id) \(x.double),\(y.double)")
            case .cancel: events.append("cancel")
            default: break
            }
        }
        keyboard.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .keymap(_, _, let size): keymapSize = size
            case .enter(_, let surface, let keys): events.append("enter \(surface) \(keys)")
            case .leave(_, let surface): events.append("leave \(surface)")
            case .key(_, _, let key, let state): events.append("key \(key) \(state.rawValue)")
            case .modifiers(_, let depressed, _, _, _): events.append("modifiers \(depressed)")
            default: break
            }
        }
        pointer.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .enter(_, let surface, let x, let y): events.append("pointer enter \(surface) \(x.double),\(y.double)")
            case .leave(_, let surface): events.append("pointer leave \(surface)")
            case .motion(_, let x, let y): events.append("motion \(x.double),\(y.double)")
            case .button(_, _, let button, let state): events.append("button \(button) \(state.rawValue)")
            default: break
            }
        }
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }
}
