// A sequence of captures of the same view.

import Compositor

/// A sequence of captures of a view, or of a part of it: tracks the damage since the previous picture, and the pending
/// requests.
final class CaptureSession {
    /// Above this number, damage rectangles are replaced by their bounding box.
    private static let maximumRectangles = 16

    let view: CaptureView
    /// The captured part, in the picture's pixels.
    let area: IntRect
    /// Sessions with the same owner take turns.
    let owner: ObjectIdentifier
    /// The requests that have not begun, in order.
    private var requests: [any CaptureRequest] = []
    /// How many of these existed when the last scene began. Later ones do not receive that scene.
    private var readyCount = 0
    /// The damage to the area since the session's previous picture, as far as it was drawn.
    private var damage: Region
    /// Whether the view may have changed since it was last drawn.
    private var hasUndrawnChange = true
    /// Whether the session has ended.
    var hasEnded = false

    init(of view: CaptureView, area: IntRect, owner: AnyObject) {
        self.view = view
        self.area = area
        self.owner = ObjectIdentifier(owner)
        damage = Region(area)
    }

    var isWaiting: Bool { !requests.isEmpty }
    /// Whether there is a request that does not wait for changes.
    var hasImmediateRequest: Bool { requests.contains { !$0.waitsForChange } }
    /// Whether there is a request that waits for changes, and there may be some.
    var hasReportableChange: Bool {
        (hasUndrawnChange || !damage.isEmpty) && requests.contains(where: \.waitsForChange)
    }

    func add(_ request: any CaptureRequest) { requests.append(request) }
    func remove(_ request: any CaptureRequest) {
        guard let index = requests.firstIndex(where: { $0 === request }) else { return }
        requests.remove(at: index)
        if index < readyCount { readyCount -= 1 }
    }

    /// Restores damage that a cancelled request began with.
    func restore(_ part: Region) { damage.add(part) }

    /// Damages the whole area.
    func damageAll() { damage = Region(area) }

    func fail() {
        let left = requests
        requests = []
        readyCount = 0
        for request in left { request.fail() }
    }

    func viewDidChange() { hasUndrawnChange = true }

    /// Called when the view's current contents are going to be drawn, for this session or for others.
    func sceneBegins() {
        hasUndrawnChange = false
        readyCount = requests.count
    }

    /// Adds the region in which the scene differs from the previous one.
    func add(_ drawn: Region) {
        damage.add(drawn)
        damage.intersect(area)
        if damage.rectangleCount > Self.maximumRectangles { damage.add(damage.extents) }
    }

    /// Begins the first request that can be served.
    func begin(_ renderer: Renderer, hasTicked: Bool, at time: UInt64) -> (any CaptureRequest)? {
        let hasChange = hasTicked && !damage.isEmpty
        let ready = requests.prefix(readyCount)
        guard let index = ready.firstIndex(where: { !$0.waitsForChange || hasChange }) else { return nil }
        let request = requests.remove(at: index)
        readyCount -= 1
        let changed = damage
        damage = Region()
        request.begin(renderer, damage: changed, at: time)
        return request
    }
}
