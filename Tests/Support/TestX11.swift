// An X server and its window manager, both played by the test.

import Glibc
import MullionSystem
import MullionWayland

/// The two connections: of the manager, and of the X server that it brings.
public final class TestX11 {
    public let manager: TestClient
    public let global: Proxy<MullionX11ManagerV1>
    public let server: Proxy<MullionX11ServerV1>
    /// The X server's.
    public let program: TestClient
    public private(set) var hasEnded = false
    /// The areas that panels leave free, each time that they were sent: position and size of each.
    public private(set) var workAreas: [[[Int32]]] = []
    /// The requests to end a program: "0 of 1024", with the resource.
    public private(set) var crowdings: [String] = []
    /// The names of the windows from bottom to top, moved as the server said.
    public private(set) var stack: [String] = []
    /// How many windows were moved in it.
    public private(set) var moves = 0
    private var windows: [ObjectID: TestX11Window] = [:]
    private let fixture: ServerFixture

    public init(_ fixture: ServerFixture, _ manager: TestClient? = nil) throws {
        self.fixture = fixture
        let manager = try manager ?? fixture.connect("manager")
        self.manager = manager
        global = try manager.bind(MullionX11ManagerV1.self)
        let (ours, theirs) = try Self.sockets()
        let server = Proxy<MullionX11ServerV1>(manager.connection, version: 2)
        self.server = server
        // What is sent at once.
        var first: [[[Int32]]] = []
        server.onEvent = {
            if case .workAreas(let bytes) = $0 { first.append(Self.areas(bytes)) }
        }
        global.send(.createServer(id: server.id, connection: theirs))
        try fixture.pump()
        program = try fixture.connect("X server", over: ours)
        workAreas = first
        server.onEvent = { [weak self] in
            switch $0 {
            case .ended: self?.hasEnded = true
            case .workAreas(let bytes): self?.workAreas.append(Self.areas(bytes))
            case .crowded(let resource, let limit): self?.crowdings.append("\(resource.rawValue) of \(limit)")
            }
        }
    }

    private static func areas(_ bytes: [UInt8]) -> [[Int32]] {
        let numbers = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
        }
        return stride(from: 0, to: numbers.count, by: 4).map { Array(numbers[$0..<$0 + 4]) }
    }

    /// A connected pair.
    public static func sockets(_ type: Int32 = Int32(SOCK_STREAM.rawValue)) throws -> (OwnedDescriptor, OwnedDescriptor)
    {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, type | O_CLOEXEC | O_NONBLOCK, 0, &pair) == 0 else {
            throw FixtureError("socketpair: \(errorText())")
        }
        return (OwnedDescriptor(pair[0]), OwnedDescriptor(pair[1]))
    }

    /// A window without a surface.
    public func window(_ name: String, _ kind: MullionX11WindowV1.Kind = .normal) -> TestX11Window {
        let window = TestX11Window(self, name, kind)
        windows[window.proxy.id] = window
        window.proxy.send(.setTitle(title: name))
        return window
    }

    /// A window that is shown: with the size, and at the position unless the server chooses it.
    public func map(
        _ name: String, _ kind: MullionX11WindowV1.Kind = .normal, at position: (Int32, Int32)? = nil,
        _ width: Int32 = 200, _ height: Int32 = 100, color: UInt32 = 0xff00_ff00,
        configure: (TestX11Window) -> Void = { _ in }
    ) throws -> TestX11Window {
        let window = window(name, kind)
        configure(window)
        window.setFrame(position, width, height)
        window.proxy.send(.setSurface(surface: window.surface.id.rawValue))
        try fixture.pump()
        let size = window.configured.map { ($0.width, $0.height) } ?? (width, height)
        try window.draw(max(1, min(size.0, 1000)), max(1, min(size.1, 1000)), color: color)
        try fixture.pump()
        return window
    }

    fileprivate func move(_ window: TestX11Window, above other: ObjectID?) {
        moves += 1
        stack.removeAll { $0 == window.name }
        let below = other.flatMap { windows[$0] }.flatMap { stack.firstIndex(of: $0.name) }
        stack.insert(window.name, at: below.map { $0 + 1 } ?? 0)
    }

    fileprivate func remove(_ window: TestX11Window) {
        windows[window.proxy.id] = nil
        stack.removeAll { $0 == window.name }
    }
}

public final class TestX11Window {
    public struct Configured: Equatable {
        public var x, y, width, height: Int32
        public var states: MullionX11WindowV1.State

        public init(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32, _ states: MullionX11WindowV1.State = []) {
            (self.x, self.y, self.width, self.height, self.states) = (x, y, width, height, states)
        }
    }

    public let name: String
    public let proxy: Proxy<MullionX11WindowV1>
    public let surface: Proxy<WlSurface>
    /// Everything that the server has sent.
    public private(set) var configures: [Configured] = []
    public private(set) var focus: [Bool] = []
    public private(set) var closes = 0
    /// The drags that have entered: "3 10.0,20.0", with the device.
    public private(set) var drags: [String] = []
    /// What the last one offers.
    public private(set) var drag: ObjectID?
    public private(set) var end: MullionX11WindowV1.End?
    public var configured: Configured? { configures.last }
    private let x11: TestX11

    fileprivate init(_ x11: TestX11, _ name: String, _ kind: MullionX11WindowV1.Kind) {
        self.x11 = x11
        self.name = name
        proxy = Proxy(x11.manager.connection, version: 2)
        surface = x11.program.surface()
        x11.server.send(.createWindow(id: proxy.id, kind: kind))
        // A script may have released it while events are in flight.
        proxy.onEvent = { [weak self, weak x11] event in
            guard let self else { return }
            switch event {
            case .configure(let x, let y, let width, let height, let states):
                configures.append(Configured(x, y, width, height, states))
            case .focused(let isFocused): focus.append(isFocused == 1)
            case .stacked(let above): x11?.move(self, above: above)
            case .dragEntered(_, let device, let x, let y, let offer):
                drags.append("\(device) \(x.double),\(y.double)")
                drag = offer
            case .close: closes += 1
            case .ended(let reason): end = reason
            }
        }
    }

    /// - Parameter position: nil: the server chooses it.
    public func setFrame(_ position: (Int32, Int32)?, _ width: Int32, _ height: Int32) {
        proxy.send(
            .setFrame(
                x: position?.0 ?? 0, y: position?.1 ?? 0, width: width, height: height,
                isPositioned: position == nil ? 0 : 1))
    }

    /// The X server draws the window.
    public func draw(_ width: Int32, _ height: Int32, color: UInt32 = 0xff00_ff00) throws {
        try x11.program.attach(color, width: width, height: height, to: surface)
        surface.send(.commit)
    }

    public func destroy() {
        proxy.send(.destroy)
        x11.remove(self)
    }
}
