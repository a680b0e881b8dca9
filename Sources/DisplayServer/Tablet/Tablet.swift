// Sends the pencils of a seat as the tools of a tablet (zwp_tablet_v2).

import MullionWayland
import WindowModel

/// A tablet with two tools, for the two ends of a pencil. The clients that have bound it receive pencils as tools and
/// not as touches; the model determines the receiver in the same way. A second pencil with the same end is a touch for
/// everybody.
final class Tablet {
    // The server owns its seats, and a seat its tablet.
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    private let tools: [TabletTool]
    private var needsFrame = false

    init(_ seat: ServerSeat) {
        server = seat.server
        self.seat = seat
        let owner = seat
        tools = TabletTool.Kind.allCases.map { TabletTool(owner, $0) }
    }

    /// The tool that a pencil is for a client; nil when the client receives it as a touch.
    func tool(for id: Int32, _ event: Event, of client: Client) -> TabletTool? {
        // Usually there are no pencils.
        guard let tool = tool(for: id, event),
            client.seat(seat).tabletTools.contains(where: { $0.kind == tool.kind })
        else { return nil }
        return tool
    }

    private func tool(for id: Int32, _ event: Event) -> TabletTool? {
        guard let pencil = event.touchAttributes?.tool.pencil else { return nil }
        let tool = tools.first { $0.kind == TabletTool.Kind(pencil.end) }
        guard let tool, tool.pencil == id || tool.pencil.map(isNear) != true else { return nil }
        return tool
    }

    /// Whether a pencil is on a screen of the seat or above it.
    private func isNear(_ id: Int32) -> Bool {
        let input = server.model.input[seat.id]
        return input.pencils.contains { $0.id == id }
            || input.touches.contains { $0.id == id && $0.attributes.tool != .direct }
    }

    // MARK: Events

    /// A step of a pencil on the screen.
    /// - Parameter surface: for the beginning, with its serial.
    func touch(
        _ tool: TabletTool, _ id: Int32, _ event: Event, on surface: SurfaceResource? = nil, serial: UInt32 = 0
    ) {
        needsFrame = true
        switch event.phase {
        case .began:
            guard let surface else { return }
            tool.pencil = id
            tool.state = TabletTool.State(event, on: surface, press: serial, in: server.model)
        case .moved, .stationary: tool.state?.update(event, in: server.model)
        case .ended:
            tool.state?.update(event, in: server.model)
            // If it hovers, the model has recorded that.
            tool.state?.press = nil
        case .cancelled: tool.state = nil
        }
    }

    /// A step of a pencil above the screen.
    /// - Returns: whether the client has an object for it.
    func hover(_ id: Int32, _ event: Event) -> Bool {
        guard let tool = tool(for: id, event) else { return false }
        needsFrame = true
        tool.pencil = id
        let surface = seat.target(event)
        switch event.phase {
        case .began, .moved, .stationary:
            tool.state = surface.map { TabletTool.State(event, on: $0, press: nil, in: server.model) }
        case .ended, .cancelled: tool.state = nil
        }
        return surface?.client.seat(seat).tabletTools.contains { $0.kind == tool.kind } == true
    }

    /// Called when a client made an object for one of the tools.
    func didAdd(_ resource: TabletToolResource) { tools.first { $0.kind == resource.kind }?.didAdd(resource) }

    /// Takes a tool from the surface that has it: a drag has taken its touch.
    func lift(_ tool: TabletTool) {
        tool.state = nil
        tool.sendChanges()
    }

    /// Called when all events of a step have been delivered: sends what has changed.
    func endFrame() {
        guard needsFrame else { return }
        needsFrame = false
        let pencils = server.model.input[seat.id].pencils
        for tool in tools {
            // Lifted, and not above the screen.
            if tool.state?.press == nil, !pencils.contains(where: { $0.id == tool.pencil }) { tool.state = nil }
            tool.sendChanges()
        }
    }

    /// Called when the surface is being destroyed: its events can name it for the last time.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        for tool in tools { tool.surfaceWillBeDestroyed(surface) }
    }
}
