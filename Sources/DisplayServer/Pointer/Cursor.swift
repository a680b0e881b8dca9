// The cursor: the image at the pointer, drawn above everything for captures that include it, and never hit.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// The appearance of the pointer. Until a client has set an image it is an arrow; the choice of the client under the
/// pointer lasts until the pointer enters another client's surface, or leaves all surfaces.
final class Cursor {
    private enum Image {
        case shape(CursorShape)
        case hidden
        case surface(CursorRole)
    }

    /// Not a window of the model, whose ids begin with 1.
    private static let window = Window.ID(rawValue: 0)

    // The server owns its seats, a seat its pointer, and a pointer its cursor.
    private unowned let server: DisplayServer
    unowned let pointer: Pointer
    private var image = Image.shape(.arrow)
    private var owner: Application.ID?
    /// The pointer's screen when the last change of the cursor was reported.
    private var screen: Screen.ID?
    private var point = Point.zero

    init(_ pointer: Pointer) {
        server = pointer.server
        self.pointer = pointer
    }

    // MARK: Image

    func isCurrent(_ role: CursorRole) -> Bool {
        if case .surface(let current) = image { current === role } else { false }
    }

    /// Sets the image that the client under the pointer requests; nil: none.
    func set(_ role: CursorRole?) { change(to: role.map { .surface($0) } ?? .hidden) }

    /// Sets one of the server's own images, for the client under the pointer.
    func set(_ shape: CursorShape) { change(to: .shape(shape)) }

    /// Called when the pointer enters a client's surface, or leaves all surfaces.
    func focusDidChange(to client: Client?) {
        guard client?.application != owner else { return }
        owner = client?.application
        change(to: .shape(.arrow))
    }

    private func change(to new: Image) {
        let old = image
        image = new
        // An image that is set again stays where it is, and its client is not notified.
        if case .surface(let old) = old, !isCurrent(old) { old.setScreen(nil) }
        if case .surface(let role) = new { role.setScreen(screen) }
        server.cursorDidChange(of: pointer.seat.id)
    }

    /// Called when the client removes its image; the cursor is then hidden.
    func lose(_ role: CursorRole) {
        guard isCurrent(role) else { return }
        image = .hidden
        server.cursorDidChange(of: pointer.seat.id)
    }

    /// Called when the pixels of a surface outside all windows changed, which can be the cursor's.
    func contentsDidChange(of surface: SurfaceResource) {
        guard case .surface(let role) = image else { return }
        var top = surface
        while let parent = top.subsurface?.parent { top = parent }
        if top === role.surface { server.cursorDidChange(of: pointer.seat.id) }
    }

    /// Follows the pointer.
    func update() {
        let now = pointer.location
        guard now?.screen != screen || now?.point ?? .zero != point else { return }
        point = now?.point ?? .zero
        if now?.screen != screen {
            screen = now?.screen
            if case .surface(let role) = image { role.setScreen(screen) }
        }
        server.cursorDidChange(of: pointer.seat.id, isMotion: true)
    }

    // MARK: Taking over

    /// The appearance; nil: the arrow.
    enum SavedState: Codable {
        case hidden
        case shape(CursorShape)
        case surface(ObjectReference)
    }

    var savedState: SavedState? {
        switch image {
        case .shape(let shape): shape == .arrow ? nil : .shape(shape)
        case .hidden: .hidden
        case .surface(let role):
            .surface(ObjectReference(application: role.surface.client.application, object: role.surface.id))
        }
    }

    /// Restores the appearance at another server, at the pointer's current position.
    func restore(_ saved: SavedState?) {
        update()
        switch saved {
        case nil: return
        case .hidden: image = .hidden
        case .shape(let shape): image = .shape(shape)
        case .surface(let reference):
            let surface = server.client(reference.application)?.resource(reference.object) as? SurfaceResource
            guard let role = surface?.role as? CursorRole, role.cursor === self else { return }
            change(to: .surface(role))
        }
    }

    // MARK: Drawing

    /// The cursor's layers in a screen's picture, back to front: on the pointer's screen, on those that mirror it (S7),
    /// and on the neighbour where it extends across the edge.
    func layers(on id: Screen.ID) -> [Layer] {
        let model = server.model
        guard let location = pointer.location, let source = model.shownScreen(on: id),
            let toPixels = model.shownToPixels(on: id),
            let inLayout = model.convertToLayout(location.point, from: location.screen),
            let point = model.convertFromLayout(inLayout, to: source), let bounds = model.screen(source)?.bounds
        else { return [] }
        let (parts, hotspot) = shown
        let origin = point - hotspot
        let isSeen = parts.contains { part in
            !part.place.offsetBy(x: origin.x, y: origin.y).intersection(bounds).isEmpty
        }
        return isSeen ? Self.layers(parts, at: origin, toPixels) : []
    }

    /// The cursor's layers in the picture of a window by itself, while the pointer is on the window's screen.
    /// - Parameter toPixels: from the window's points to the picture's pixels.
    func layers(over window: Window.ID, toPixels: AffineTransform) -> [Layer] {
        guard let point = location(in: window) else { return [] }
        let (parts, hotspot) = shown
        return Self.layers(parts, at: point - hotspot, toPixels)
    }

    /// The pointer's position in a visible window, or outside it on the same screen, in its points.
    func location(in window: Window.ID) -> Point? {
        // L1: it is in no window that a lock hides.
        guard let location = pointer.location, server.model.isShown(window),
            server.model.visibleScreen(of: window) == location.screen
        else { return nil }
        return server.model.convertFromScreen(location.point, to: window)
    }

    /// The pointer's position on a screen that shows it, or beside that, in the screen's points.
    func location(on id: Screen.ID) -> Point? {
        let model = server.model
        guard let location = pointer.location, let source = model.shownScreen(on: id),
            let inLayout = model.convertToLayout(location.point, from: location.screen),
            let point = model.convertFromLayout(inLayout, to: source)
        else { return nil }
        guard source != id else { return point }
        // S7: by way of the mirror's pixels.
        guard let toPixels = model.shownToPixels(on: id), let own = model.screen(id)?.toPixels.inverse else {
            return nil
        }
        return own.apply(to: toPixels.apply(to: point))
    }

    /// The cursor by itself, upright; nil when nothing is shown.
    /// - Parameter scale: pixels per point.
    /// - Returns: a picture that contains it, and the hotspot in that, in pixels.
    func picture(scale: Double) -> (layers: [Layer], width: Int, height: Int, hotspot: (x: Int, y: Int))? {
        let (parts, hotspot) = shown
        guard let first = parts.first?.place else { return nil }
        let box = parts.dropFirst().reduce(first) { $0.union($1.place) }
        guard box.isFinite, !box.isEmpty else { return nil }
        let origin = Point(x: -box.minX, y: -box.minY)
        func pixels(_ length: Double) -> Int { Int(max(0, min(length * scale, 0x100_0000)).rounded(.up)) }
        func pixel(_ value: Double) -> Int { Int(Int32(clamped: (value * scale).rounded())) }
        return (
            Self.layers(parts, at: origin, .scale(x: scale, y: scale)), pixels(box.size.width),
            pixels(box.size.height), (pixel(hotspot.x + origin.x), pixel(hotspot.y + origin.y))
        )
    }

    /// What is shown, back to front, and which point of that is at the pointer's position.
    private var shown: (parts: [(content: Layer.Content, place: Rect)], hotspot: Point) {
        switch image {
        case .hidden: return ([], .zero)
        case .shape(let shape):
            let picture = server.cursorPictures.picture(of: shape)
            return (
                [(.surface(shape.layer), Rect(origin: .zero, size: picture?.size ?? ArrowImage.size))],
                picture?.hotspot ?? ArrowImage.hotspot
            )
        case .surface(let role): return (parts(of: role.surface.node), role.hotspot)
        }
    }

    private static func layers(
        _ parts: [(content: Layer.Content, place: Rect)], at origin: Point, _ toPixels: AffineTransform
    ) -> [Layer] {
        // On whole pixels, so that the cursor looks the same everywhere.
        var place = AffineTransform.translation(x: origin.x, y: origin.y).then(toPixels)
        (place.tx, place.ty) = (place.tx.rounded(), place.ty.rounded())
        return parts.map { part in
            Layer(
                window: Self.window, content: part.content, size: part.place.size,
                toPixels: .translation(x: part.place.minX, y: part.place.minY).then(place), clip: nil, alpha: 1)
        }
    }

    /// C1: a surface with its sub-surfaces, back to front, in its points.
    private func parts(of id: Surface.ID, at origin: Point = .zero) -> [(content: Layer.Content, place: Rect)] {
        guard let surface = server.model.surface(id), let size = surface.size else { return [] }
        let children = surface.children.map { child in
            parts(of: child, at: origin + (server.model.surface(child)?.position ?? .zero))
        }
        return children.prefix(surface.childrenBelow).flatMap { $0 }
            + [(.surface(id), Rect(origin: origin, size: size))]
            + children.dropFirst(surface.childrenBelow).flatMap { $0 }
    }
}

/// A surface used as a cursor: never part of a window.
final class CursorRole: SurfaceRole {
    static let roleName = RoleName.cursor
    var containingWindow: Window.ID? { nil }
    // The surface reports its destruction, which ends the role.
    private(set) unowned var surface: SurfaceResource
    /// The cursor of the seat for whose pointer the surface was last set; it is shown at only one pointer.
    private(set) unowned var cursor: Cursor
    /// The point of the image that is at the pointer's position, in the surface's points.
    var hotspot = Point.zero
    /// The screen where it is shown; nil while it is not.
    private(set) var screen: Screen.ID?

    init(_ surface: SurfaceResource, _ cursor: Cursor) {
        self.surface = surface
        self.cursor = cursor
    }

    /// Moves the image to another seat's pointer; the previous one has no image then.
    func move(to new: Cursor) {
        guard new !== cursor else { return }
        cursor.lose(self)
        cursor = new
    }

    func setScreen(_ screen: Screen.ID?) {
        self.screen = screen
        surface.updateEnteredScreen()
        surface.client.server.scheduleFrame(for: surface)
    }

    /// wl_surface.offset and attach move the image relative to the pointer, and thereby the hotspot.
    func willApply(_ state: SurfaceState, to surface: SurfaceResource) {
        guard state.offset != .zero else { return }
        hotspot = hotspot - state.offset
        cursor.contentsDidChange(of: surface)
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) { cursor.lose(self) }
}
