// What a client needs to draw for a screen's own pixels.

import MullionWayland

extension TestClient {
    /// The viewport of a surface.
    public func viewport(of surface: Proxy<WlSurface>) throws -> Proxy<WpViewport> {
        let viewporter = try bind(WpViewporter.self)
        let viewport = Proxy<WpViewport>(connection, version: 1)
        viewporter.send(.getViewport(id: viewport.id, surface: surface.id))
        return viewport
    }

    /// The object that sends a surface's scale.
    public func fractionalScale(of surface: Proxy<WlSurface>) throws -> Proxy<WpFractionalScaleV1> {
        let manager = try bind(WpFractionalScaleManagerV1.self)
        let scale = Proxy<WpFractionalScaleV1>(connection, version: 1)
        manager.send(.getFractionalScale(id: scale.id, surface: surface.id))
        return scale
    }

    /// A buffer of one pixel: red, green, blue and alpha in 32 bits each, premultiplied.
    public func singlePixel(_ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32) throws -> Proxy<WlBuffer> {
        let manager = try bind(WpSinglePixelBufferManagerV1.self)
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        manager.send(.createU32RgbaBuffer(id: buffer.id, r: red, g: green, b: blue, a: alpha))
        return buffer
    }
}

extension Proxy where Interface == WpViewport {
    /// wp_viewport.set_source in points.
    public func source(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        send(
            .setSource(
                x: Fixed(rounding: x), y: Fixed(rounding: y), width: Fixed(rounding: width),
                height: Fixed(rounding: height)))
    }

    /// wp_viewport.set_destination in points.
    public func destination(_ width: Int32, _ height: Int32) { send(.setDestination(width: width, height: height)) }
}
