// Continuous captures of a screen.

import Compositor

/// A request for one picture of a screen.
protocol Look: AnyObject {
    /// Whether it waits until the picture differs from the session's previous one.
    var waitsForChange: Bool { get }
    /// Called before the picture is drawn.
    /// - Parameters:
    ///   - damage: what may differ from the session's previous picture, in native pixels.
    ///   - time: when the screen showed it, in microseconds of the server's clock.
    func begin(_ renderer: Renderer, damage: Region, at time: UInt64)
    /// Called when the picture is drawn, to copy about this many pixels of it.
    /// - Returns: whether it is complete.
    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool
    /// Called when there will be no picture: the screen is unplugged, or the server stops.
    func fail()
}

/// A sequence of captures of a screen, or of a part of it: tracks the damage since the previous picture, and the
/// pending requests.
final class CaptureSession {
    /// Above this number, damage rectangles are replaced by their bounding box.
    private static let maximumRectangles = 16

    let view: ScreenCapture.View
    /// The captured part, in native pixels.
    let area: IntRect
    /// Sessions with the same owner take turns.
    let owner: ObjectIdentifier
    /// The requests that have not begun, in order.
    private var looks: [any Look] = []
    /// How many of these existed when the last scene began. Later ones do not receive that scene.
    private var readyCount = 0
    /// The damage to the area since the session's previous picture, as far as it was drawn.
    private var damage: Region
    /// Whether the screen may have changed since it was last drawn.
    private var hasUndrawnChange = true
    /// Whether the session has ended.
    var hasEnded = false

    init(of view: ScreenCapture.View, area: IntRect, owner: AnyObject) {
        self.view = view
        self.area = area
        self.owner = ObjectIdentifier(owner)
        damage = Region(area)
    }

    var isWaiting: Bool { !looks.isEmpty }
    /// Whether there is a request that does not wait for changes.
    var hasImmediateRequest: Bool { looks.contains { !$0.waitsForChange } }
    /// Whether there is a request that waits for changes, and there may be some.
    var hasReportableChange: Bool { (hasUndrawnChange || !damage.isEmpty) && looks.contains(where: \.waitsForChange) }

    func add(_ look: any Look) { looks.append(look) }
    func remove(_ look: any Look) {
        guard let index = looks.firstIndex(where: { $0 === look }) else { return }
        looks.remove(at: index)
        if index < readyCount { readyCount -= 1 }
    }

    /// Restores damage that a cancelled request began with.
    func restore(_ part: Region) { damage.add(part) }

    /// Damages the whole area.
    func damageAll() { damage = Region(area) }

    func fail() {
        let left = looks
        looks = []
        readyCount = 0
        for look in left { look.fail() }
    }

    func screenDidChange() { hasUndrawnChange = true }

    /// Called when the screen's current contents are going to be drawn, for this session or for others.
    func sceneBegins() {
        hasUndrawnChange = false
        readyCount = looks.count
    }

    /// Adds the region in which the scene differs from the previous one.
    func add(_ drawn: Region) {
        damage.add(drawn)
        damage.intersect(area)
        if damage.rectangleCount > Self.maximumRectangles { damage.add(damage.extents) }
    }

    /// Begins the first request that can be served.
    func begin(_ renderer: Renderer, hasTicked: Bool, at time: UInt64) -> (any Look)? {
        let hasChange = hasTicked && !damage.isEmpty
        let ready = looks.prefix(readyCount)
        guard let index = ready.firstIndex(where: { !$0.waitsForChange || hasChange }) else { return nil }
        let look = looks.remove(at: index)
        readyCount -= 1
        let changed = damage
        damage = Region()
        look.begin(renderer, damage: changed, at: time)
        return look
    }
}

/// Captures a screen continuously.
final class EndlessLook: Look {
    private unowned let captures: Captures
    private weak var session: CaptureSession?
    private let body: (Renderer) -> Void
    let waitsForChange = true

    init(_ captures: Captures, of session: CaptureSession, _ body: @escaping (Renderer) -> Void) {
        self.captures = captures
        self.session = session
        self.body = body
    }

    func begin(_ renderer: Renderer, damage: Region, at time: UInt64) {}

    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool {
        body(renderer)
        if let session { captures.add(self, of: session) }
        return true
    }

    func fail() {}
}
