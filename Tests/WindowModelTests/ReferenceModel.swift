// A slow, obvious model of the same rules: plain arrays, filtered and sorted for each query.

import MullionGeometry
import WindowModel

/// The reference's notifications; the fast model's effects are reduced to the same.
enum Note: Equatable {
    case notification(Effect)
    case event(ReceivedEvent)
}

/// The parts of an event other than its timestamp, serial and location in the target.
struct ReceivedEvent: Equatable {
    var seat: Seat.ID
    var kind: Event.Kind
    var phase: Event.Phase
    var detail: Event.Detail
    var window: Window.ID?
    var surface: Surface.ID?
    var screen: Screen.ID?
    var point = Point.zero
    var attributes: Event.TouchAttributes?
}

final class ReferenceModel {
    final class Win {
        let id: Window.ID
        let application: Application.ID
        var screen: Screen.ID?
        var awaits: String?
        var frame: Rect
        var level: Double
        var hidden = true
        var alpha = 1.0
        var enabled = true
        var disablers = 0
        var scale = 1.0
        var autoresizing: Window.Autoresizing = []
        var fills = false
        var takesBounds = false
        var clips: Bool
        var needsContent: Bool
        var canBecomeKey = true
        /// K8.
        var holds = false
        var isOfLock = false
        var stamp: Int
        /// W3: the stamp of the first of those that came to the front together.
        var front: Int
        var parent: Window.ID?
        /// W3, S8.
        var follows = false
        var wish: Int?
        /// W3: it enters the front before it is visible.
        var isEntering = false
        var root: Surf?
        var popups: [Surf] = []

        init(
            id: Window.ID, application: Application.ID, screen: Screen.ID?, frame: Rect, level: Double, plain: Bool,
            stamp: Int
        ) {
            self.id = id
            self.application = application
            self.screen = screen
            self.frame = frame
            self.level = level
            clips = !plain
            needsContent = plain
            self.stamp = stamp
            front = stamp
        }
        var wants: Bool { !hidden && (!needsContent || root?.size != nil) }
        var visible: Bool { wants && screen != nil && !isEntering }
        var interactive: Bool { enabled && disablers == 0 }
        /// Whether the frame is in whole steps of the wire.
        var isExact: Bool {
            [frame.minX, frame.minY, frame.size.width, frame.size.height]
                .allSatisfy { ($0 * 256).rounded() == $0 * 256 }
        }
        var all: [Surf] { (root?.all ?? []) + popups.flatMap(\.all) }
    }

    final class Surf {
        let id: Surface.ID
        var position = Point.zero
        var size: Size?
        var region: [Rect]?
        var below: [Surf] = []
        var above: [Surf] = []
        init(_ id: Surface.ID) { self.id = id }
        var all: [Surf] { [self] + (below + above).flatMap(\.all) }
    }

    var orphansToMain = false
    var screens: [Scr] = []
    /// In the order of switching off.
    var switchedOff: [Scr] = []
    var windows: [Win] = []
    var ignoring: [Application.ID: Int] = [:]
    var processes: [Application.ID: Application.Process] = [:]
    /// E7: how many events were blocked.
    var ignored: UInt64 = 0
    /// R3: the applications that do not rotate with their screens.
    var fixed: Set<Application.ID> = []
    /// R1: in the order in which they began.
    var turns: [(screen: Screen.ID, from: Screen.Orientation, until: UInt64)] = []
    var dying: Application.ID?
    var seats = [Person(.first, [])]
    var receivers: [Application.ID] = []
    var isLocked = false
    var lockHolder: Application.ID?
    var inputOwner: Application.ID?
    /// K2: every time a window was made key, or asked to be, and the seats that it concerns.
    var asked: [(number: Int, seats: [Seat.ID], isWish: Bool)] = []
    var stamps = 0
    /// S8: what has become visible on a screen that returns, and is not notified yet.
    var returning: [Win]?
    var notes: [Note] = []

    // Questions.

    var main: Scr? { screens.first { $0.isBuiltIn } ?? screens.first }
    var screenList: [Screen.ID] {
        guard let main else { return [] }
        return [main.id] + screens.map(\.id).filter { $0 != main.id }
    }
    func window(_ id: Window.ID?) -> Win? { windows.first { $0.id == id } }
    func sorted(_ list: [Win]) -> [Win] { list.sorted { place($0) < place($1) } }
    private func place(_ w: Win) -> (Double, Int, Int) { (level(w), w.front, w.stamp) }
    /// All windows as if they were at one level.
    var backToFront: [Win] { windows.sorted { ($0.front, $0.stamp) < ($1.front, $1.stamp) } }
    func order(_ screen: Screen.ID) -> [Window.ID] {
        sorted(windows.filter { $0.screen == screen && $0.visible }).map(\.id)
    }
    func windows(of application: Application.ID) -> [Window.ID] {
        sorted(windows.filter { $0.application == application }).map(\.id)
    }
    func stamp() -> Int {
        stamps += 1
        return stamps
    }

    // Parents and children (W3).

    /// From the window's parent up.
    func ancestors(_ w: Win) -> [Win] { window(w.parent).map { [$0] + ancestors($0) } ?? [] }
    func subtree(_ w: Win) -> [Win] {
        sorted(windows.filter { other in other === w || ancestors(other).contains { $0 === w } })
    }
    func level(_ w: Win) -> Double { ([w] + ancestors(w)).map(\.level).max() ?? w.level }

    /// Everything that comes to the front with a window, back to front, its own children last.
    func family(_ w: Win) -> [Win] {
        let own = subtree(w)
        return subtree(ancestors(w).last ?? w).filter { other in !own.contains { $0 === other } } + own
    }
    func enterFront(_ w: Win) { enterFront(family(w)) }
    func enterFront(_ family: [Win]) {
        put(inFront: family)
        holdersTakeKey()
    }
    /// Gives nobody key.
    func put(inFront family: [Win]) {
        let front = stamps + 1
        for other in family { (other.front, other.stamp) = (front, stamp()) }
    }

    /// Returns false if it is refused.
    func setParent(_ parent: Win?, of w: Win) -> Bool {
        if let parent, subtree(w).contains(where: { $0 === parent }) { return false }
        if w.parent == parent?.id { return true }
        let own = subtree(w).map { ($0, level($0)) }
        w.parent = parent?.id
        w.follows = parent.map { $0.screen == nil } ?? false
        for (member, old) in own {
            // It comes to the level that it has from its parent, or is behind it there.
            guard let parent = window(member.parent), level(member) == level(parent) else { continue }
            if level(member) != old || place(member) < place(parent) {
                (member.front, member.stamp) = (parent.front, stamp())
            }
        }
        holdersTakeKey()
        return true
    }

    func leaveFamily(_ w: Win) {
        for child in sorted(windows) where child.parent == w.id { _ = setParent(window(w.parent), of: child) }
        (w.parent, w.follows) = (nil, false)
        holdersTakeKey()
    }

    // Consequences.

    func notify(_ effect: Effect) { notes.append(.notification(effect)) }

    func becameHidden(_ w: Win) {
        cancel { $0.window == w.id }
        notify(.didBecomeHidden(w.id, w.application))
        if let seat = keySeat(w) { inherit(seat) }
    }

    func becameVisible(_ w: Win) {
        if returning != nil {
            returning?.append(w)
            return
        }
        notify(.didBecomeVisible(w.id, w.application))
        let wish = w.wish
        withdraw(w)
        guard let seat = seat(w.screen) else { return }
        let isLatest = wish.map { wish in !asked.contains { $0.number > wish && $0.seats.contains(seat.id) } } ?? false
        let key = window(seat.key)
        let isFree = key.map { isOneProgram($0, w) && !ancestors($0).contains { $0 === w } } ?? true
        // K7: plain programs cannot ask.
        if isLatest || admits(w) && (w.holds || w.needsContent && isFree) { request(w) }
    }

    /// K2.
    private func isOneProgram(_ a: Win, _ b: Win) -> Bool {
        let processes = [a, b].compactMap { self.processes[$0.application] }
        return a.application == b.application || processes.count == 2 && processes[0] == processes[1]
            || family(a).contains { $0 === b }
    }

    /// Makes a change that may show or hide one window, and records the consequences.
    func changing(_ w: Win, _ change: () -> Void) {
        let (wanted, visible) = (w.wants, w.visible)
        change()
        w.isEntering = w.wants && !wanted
        if w.isEntering { enterFront(w) }
        w.isEntering = false
        if visible != w.visible { updateMirrors() }
        if visible && !w.visible { becameHidden(w) }
        if !visible && w.visible { becameVisible(w) }
    }
}
