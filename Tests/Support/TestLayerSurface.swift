// Layer surfaces of a test client.

import MullionWayland

/// zwlr_layer_surface_v1 with its surface.
public final class TestLayerSurface {
    public let surface: Proxy<WlSurface>
    public let layer: Proxy<ZwlrLayerSurfaceV1>
    /// The sizes of the configures.
    public private(set) var configures: [String] = []
    public private(set) var serials: [UInt32] = []
    public private(set) var isClosed = false
    /// Set to false to leave configures unanswered.
    public var acknowledges = true
    private let client: TestClient
    private var size: (width: Int32, height: Int32) = (0, 0)

    public init(
        _ client: TestClient, _ layer: ZwlrLayerShellV1.Layer = .top, on output: Proxy<WlOutput>? = nil,
        version: UInt32 = ZwlrLayerShellV1.version, surface known: Proxy<WlSurface>? = nil
    ) throws {
        self.client = client
        let surface = known ?? client.surface()
        self.surface = surface
        let shell = try client.bind(ZwlrLayerShellV1.self, version: version)
        self.layer = Proxy(client.connection, version: version)
        shell.send(
            .getLayerSurface(
                id: self.layer.id, surface: surface.id, output: output?.id, layer: layer, namespace: "test"))
        if version >= 3 { shell.send(.destroy) }
        // A test may drop a surface whose events are still in flight.
        self.layer.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .configure(let serial, let width, let height):
                configures.append("\(width)x\(height)")
                serials.append(serial)
                size = (Int32(clamping: width), Int32(clamping: height))
                if acknowledges { self.layer.send(.ackConfigure(serial: serial)) }
            case .closed: isClosed = true
            }
        }
    }

    /// Sets what a panel at an edge sets.
    @discardableResult
    public func set(
        _ width: UInt32 = 0, _ height: UInt32 = 0, at anchor: ZwlrLayerSurfaceV1.Anchor = [], zone: Int32 = 0,
        margin: (top: Int32, right: Int32, bottom: Int32, left: Int32) = (0, 0, 0, 0),
        keyboard: ZwlrLayerSurfaceV1.KeyboardInteractivity = .none
    ) -> TestLayerSurface {
        layer.send(.setSize(width: width, height: height))
        layer.send(.setAnchor(anchor: anchor))
        layer.send(.setExclusiveZone(zone: zone))
        layer.send(.setMargin(top: margin.top, right: margin.right, bottom: margin.bottom, left: margin.left))
        layer.send(.setKeyboardInteractivity(keyboardInteractivity: keyboard))
        return self
    }

    public func commit() { surface.send(.commit) }

    /// Shows content of the requested size and one colour.
    @discardableResult
    public func draw(_ argb: UInt32 = 0xff0000ff) throws -> TestLayerSurface {
        try client.attach(argb, width: size.width, height: size.height, to: surface)
        commit()
        return self
    }

    /// The first commit, and content of the size that it is answered with.
    @discardableResult
    public func map(_ fixture: ServerFixture, argb: UInt32 = 0xff0000ff) throws -> TestLayerSurface {
        commit()
        try fixture.pump()
        try draw(argb)
        try fixture.pump()
        return self
    }

    public func destroy() {
        layer.send(.destroy)
        surface.send(.destroy)
    }

    /// Takes the sizes of the configures since the last call.
    public func takeConfigures() -> [String] {
        defer { configures = [] }
        return configures
    }
}

extension ZwlrLayerSurfaceV1.Anchor {
    /// All along the upper edge.
    public static let along: ZwlrLayerSurfaceV1.Anchor = [.top, .left, .right]
    public static let all: ZwlrLayerSurfaceV1.Anchor = [.top, .bottom, .left, .right]
}
