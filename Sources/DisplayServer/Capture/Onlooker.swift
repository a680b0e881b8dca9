// Those who look at a screen again and again.

import Compositor

/// One look at a screen.
protocol Look: AnyObject {
    /// Whether it waits until there is something else to be seen than its onlooker saw last. Others get what there is.
    var waitsForChange: Bool { get }
    /// It will get the picture that is about to be drawn.
    /// - Parameters:
    ///   - damage: what may be different from what the onlooker saw last, native pixels.
    ///   - time: when the screen showed it, in microseconds of the server's clock.
    func begin(_ renderer: Renderer, damage: Region, at time: UInt64)
    /// The picture is drawn: takes about so many pixels of it.
    /// - Returns: whether it needs no more.
    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool
    /// There will be no picture: the screen is unplugged, or the server goes.
    func fail()
}

/// Knows what of a screen, or of a part of it, somebody has seen, and what they wait for.
final class Onlooker {
    /// More rectangles than this are replaced by the one around them.
    private static let maximumRectangles = 16

    let view: ScreenCapture.View
    /// What they look at, native pixels.
    let area: IntRect
    /// Those with the same owner take turns.
    let owner: ObjectIdentifier
    /// Those that have not begun, in order.
    private var looks: [any Look] = []
    /// How many of `looks` existed when the last scene began. Later ones do not receive that scene.
    private var readyCount = 0
    /// What of the area may be different from what was seen last, as far as it was drawn since.
    private var damage: Region
    /// Whether the screen may show something else than was drawn last.
    private var isBehind = true
    /// Whether they look no more.
    var isGone = false

    init(at view: ScreenCapture.View, area: IntRect, owner: AnyObject) {
        self.view = view
        self.area = area
        self.owner = ObjectIdentifier(owner)
        damage = Region(area)
    }

    var isWaiting: Bool { !looks.isEmpty }
    /// Whether a look waits for nothing but its turn.
    var isInHurry: Bool { looks.contains { !$0.waitsForChange } }
    /// Whether a look that waits for a change may have one.
    var hasNews: Bool { (isBehind || !damage.isEmpty) && looks.contains(where: \.waitsForChange) }

    func add(_ look: any Look) { looks.append(look) }
    func remove(_ look: any Look) {
        guard let index = looks.firstIndex(where: { $0 === look }) else { return }
        looks.remove(at: index)
        if index < readyCount { readyCount -= 1 }
    }

    /// What a look began with was not seen after all.
    func giveBack(_ part: Region) { damage.add(part) }

    /// Nothing is where it was seen.
    func forgetAll() { damage = Region(area) }

    func fail() {
        let left = looks
        looks = []
        readyCount = 0
        for look in left { look.fail() }
    }

    func screenDidChange() { isBehind = true }

    /// What the screen shows now is going to be drawn, for this one or for others.
    func sceneBegins() {
        isBehind = false
        readyCount = looks.count
    }

    /// The scene differs in this region from what was drawn before it.
    func add(_ drawn: Region) {
        damage.add(drawn)
        damage.intersect(area)
        if damage.rectangleCount > Self.maximumRectangles { damage.add(damage.extents) }
    }

    /// Begins the first look whose turn it is.
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

/// Keeps a screen drawn as if somebody watched it.
final class EndlessLook: Look {
    private unowned let captures: Captures
    private weak var onlooker: Onlooker?
    private let body: (Renderer) -> Void
    let waitsForChange = true

    init(_ captures: Captures, by onlooker: Onlooker, _ body: @escaping (Renderer) -> Void) {
        self.captures = captures
        self.onlooker = onlooker
        self.body = body
    }

    func begin(_ renderer: Renderer, damage: Region, at time: UInt64) {}

    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool {
        body(renderer)
        if let onlooker { captures.add(self, by: onlooker) }
        return true
    }

    func fail() {}
}
