// The viewport that a commit sets.

import MullionWayland

/// wp_viewport's part of a surface's double-buffered state.
struct ViewportState: SurfaceExtensionState {
    /// Nil: unchanged.
    var viewport: Viewport?

    mutating func merge(_ later: ViewportState) { viewport = later.viewport ?? viewport }

    func willApplyContents(to surface: SurfaceResource) throws(ProtocolError) {
        guard let viewport else { return }
        guard viewport.hasWholeSize else {
            throw surface.viewportError(.badSize, "the source's size is not integral, and no destination is set")
        }
        surface.layout.viewport = viewport
    }
}

extension SurfaceResource {
    var viewport: ViewportResource? { object() }

    /// Checks that the buffer contains the viewport's source.
    func checkViewport(of buffer: BufferResource) throws(ProtocolError) {
        guard let source = layout.viewport.source?.rect else { return }
        let whole = layout.wholeSize(of: buffer)
        guard source.maxX <= whole.width, source.maxY <= whole.height else {
            throw viewportError(
                .outOfBuffer,
                "the source reaches to (\(source.maxX), \(source.maxY)), beyond the content's "
                    + "\(whole.width)x\(whole.height) points")
        }
    }

    /// A pending state (C4) can outlive the viewport object it came from.
    fileprivate func viewportError(_ code: WpViewport.Error, _ message: String) -> ProtocolError {
        viewport?.error(code, message) ?? error(.invalidSize, message)
    }
}
