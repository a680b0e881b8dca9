// What a window sends to the server, and when.

import MullionGeometry
import MullionWayland

extension Window {
    /// Pixels per point of what is drawn: the screen's scale, 1 without a screen.
    public var contentScale: Double { storedScreen?.scale ?? 1 }

    func screenScaleMayHaveChanged() { setNeedsUpdate(deep: true) }

    func setNeedsCommit() {
        guard !isClosed else { return }
        needsCommit = true
        application.noteDirty(self)
    }

    func viewOrderDidChange() {
        isOrderDirty = true
        setNeedsUpdate()
    }

    func makeLayer() -> Layer {
        isOrderDirty = true
        let layer = Layer(in: self)
        layers.append(layer)
        return layer
    }

    /// Queues a request whose order does not matter: only the last of each kind is sent at the commit.
    func request(_ property: Property, _ request: MullionWindowV1.Request) {
        guard !isClosed, requests.add(property, request) else { return }
        setNeedsCommit()
    }

    /// Queues a request whose order matters, also relative to other windows, until the commit.
    func orderedRequest(
        _ request: MullionWindowV1.Request, for property: Property? = nil, keeping screen: Screen? = nil
    ) {
        guard !isClosed else { return }
        // The server limits the requests pending for one commit.
        if application.ordered.count >= 512 { application.commitPending() }
        application.ordered.append(OrderedRequest(window: self, request: request, property: property, screen: screen))
        if let property { requests.expect(property) }
        application.isUnconfirmed = true
        setNeedsCommit()
    }

    func sendProperties() {
        for request in requests.take() { role.send(request) }
    }

    /// Sends a request of this window for the next commit.
    func send(_ item: OrderedRequest) {
        role.send(item.request)
        if let property = item.property { requests.didSend(property) }
    }

    /// Commits the views first: their state is held back until the window's commit shows everything together (C4).
    func commitTree() {
        guard !isClosed else { return }
        // A view may change what contains it.
        for _ in 0..<4 {
            needsCommit = false
            layoutIfNeeded()
            if !needsCommit { break }
        }
        needsCommit = false
        var context = LayerContext(window: self)
        updateLayers(&context)
        // Drawing may do anything, such as remove views or close the window.
        for item in context.drawings where item.view.window === self {
            item.view.show(item.state, at: item.origin, self)
        }
        guard !isClosed else { return }
        if needsCommit {
            // What drawing has changed is shown with the next frame.
            needsCommit = false
            frameBodies.append { [weak self] _ in self?.setNeedsCommit() }
            requestFrame()
        }
        if isOrderDirty { orderLayers() }
        for layer in layers where layer.picture.needsCommit { layer.picture.commit() }
        sendProperties()
        content.picture.commit()
        requests.didCommit()
        // Another view may be under the pointer.
        for seat in application.seats.values where seat.hovered === self { seat.updateCursor() }
    }

    /// Asks the server once for all functions that wait for a frame: it limits how many times a hidden window may ask.
    func requestFrame() {
        guard !isFrameRequested else { return }
        isFrameRequested = true
        let callback = Proxy<WlCallback>(application.connection, version: 1)
        callback.onEvent = { [weak self] event in
            guard let self, case .done(let milliseconds) = event else { return }
            let bodies = self.frameBodies
            (self.frameBodies, self.isFrameRequested) = ([], false)
            for body in bodies {
                self.application.enqueue { if !self.isClosed { body(Double(milliseconds) / 1000) } }
            }
        }
        content.picture.surface.send(.frame(callback: callback.id))
    }

    /// Brings the sub-surfaces into the order of the views (C1), moving only those that are out of order.
    private func orderLayers() {
        isOrderDirty = false
        var wanted: [Layer] = []
        appendLayers(to: &wanted)
        wanted.removeFirst()
        let kept = Set(wanted.map { ObjectIdentifier($0) })
        layers.removeAll { !kept.contains(ObjectIdentifier($0)) }
        for (index, layer) in wanted.enumerated() where layers[index] !== layer {
            layer.place(above: index == 0 ? content : wanted[index - 1])
            layers.removeAll { $0 === layer }
            layers.insert(layer, at: index)
        }
    }

    func sendTouchableRegion() {
        defer { setNeedsCommit() }
        let surface = content.picture.surface
        guard let touchableRegion else { return surface.send(.setInputRegion(region: nil)) }
        let compositor = application.globals.compositor
        let region = Proxy<WlRegion>(application.connection, version: compositor.version)
        compositor.send(.createRegion(id: region.id))
        var sum = PixmanRegion()
        for rect in touchableRegion {
            let (left, top) = (wholePoints(rect.minX, .down), wholePoints(rect.minY, .down))
            let (right, bottom) = (wholePoints(rect.maxX, .up), wholePoints(rect.maxY, .up))
            guard right > left, bottom > top else { continue }
            let (width, height) = (right - left, bottom - top)
            // The server limits the rectangles of a region.
            guard sum.add(x: left, y: top, width: width, height: height, atMost: 1000) else { continue }
            region.send(.add(x: left, y: top, width: width, height: height))
        }
        surface.send(.setInputRegion(region: region.id))
        region.send(.destroy)
    }
}

extension MullionEventsV1.EventTypes {
    static let all: Self = [.touches, .presses, .motion, .scroll, .hover, .transform]
}

/// A weak reference to a window.
struct WeakWindow {
    weak var window: Window?
}

/// Whole points that fit into any message; sums and differences of two fit into 32 bits.
func wholePoints(_ value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Int32 {
    value.isNaN ? 0 : Int32(min(max(value.rounded(rule), -8_388_607), 8_388_607))
}
