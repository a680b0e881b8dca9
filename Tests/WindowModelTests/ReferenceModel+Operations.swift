// The operations of the slow model.

import MullionGeometry
import WindowModel

extension ReferenceModel {
    func move(_ w: Win, to screen: Screen.ID?) {
        guard let target = screen ?? main?.id else {
            w.awaits = nil
            return
        }
        if w.screen != target { place(w, on: target) }
    }

    func destroy(_ w: Win) {
        changing(w) { w.hidden = true }
        leaveFamily(w)
        windows.removeAll { $0.id == w.id }
    }

    func end(_ application: Application.ID) {
        dying = application
        for id in windows(of: application) { window(id).map(destroy) }
        dying = nil
        ignoring[application] = nil
        fixed.remove(application)
        receivers.removeAll { $0 == application }
        abandon(application)
        release(application)
    }

    func setLevel(_ w: Win, _ level: Double) {
        if level == w.level { return }
        let family = family(w)
        w.level = level
        enterFront(family)
    }

    func setFrame(_ w: Win, _ frame: Rect) {
        w.takesBounds = false
        if frame == w.frame { return }
        w.frame = frame
        notify(.frameDidChange(w.id, w.application))
    }

    func makeKeyAndVisible(_ w: Win) {
        if w.wants { enterFront(w) }
        if !w.visible { request(w) }
        changing(w) { w.hidden = false }
        ask(w)
    }

    func setCanBecomeKey(_ w: Win, _ can: Bool) {
        w.canBecomeKey = can
        if can { holdersTakeKey() } else { giveAway(w) }
    }

    func resignKey(_ w: Win) {
        if keySeat(w) == nil || !w.holds { giveAway(w) }
    }

    private func giveAway(_ w: Win) {
        withdraw(w)
        if let seat = keySeat(w) { inherit(seat) }
    }

    func setContent(_ s: Surf, of w: Win, _ size: Size?) {
        let lost = s.size != nil && size == nil
        if lost && !(s === w.root && !w.needsContent) { cancel(in: s) }
        changing(w) { s.size = size }
    }

    func cancel(in s: Surf) {
        let ids = s.all.map(\.id)
        cancel { $0.surface.map(ids.contains) ?? false }
    }

    // Hit-testing (H1, H2).

    func hit(_ point: Point, _ screen: Screen.ID) -> (Win, Surf?)? {
        guard let scr = self.screen(screen), scr.bounds.contains(point) else { return nil }
        for w in sorted(windows.filter({ $0.screen == screen && $0.visible })).reversed() {
            if w.alpha < 0.01 || !w.interactive || w.scale == 0 || !admits(w) { continue }
            let center = w.frame.center
            let point = fixed.contains(w.application) ? scr.toFixed(point) : point
            let p = Point(
                x: (point.x - center.x) / w.scale + w.frame.size.width / 2,
                y: (point.y - center.y) / w.scale + w.frame.size.height / 2)
            if let popup = w.popups.reversed().lazy.compactMap({ self.hit($0, p - $0.position) }).first {
                return (w, popup)
            }
            let inside = p.x >= 0 && p.y >= 0 && p.x < w.frame.size.width && p.y < w.frame.size.height
            if w.clips && !inside { continue }
            if let root = w.root {
                if let s = hit(root, p, own: inside && !w.needsContent, mapped: !w.needsContent) { return (w, s) }
            } else if inside && !w.needsContent {
                return (w, nil)
            }
        }
        return nil
    }

    private func hit(_ s: Surf, _ p: Point, own: Bool = false, mapped: Bool = false) -> Surf? {
        if s.size == nil && !mapped { return nil }
        for child in s.above.reversed() { if let found = hit(child, p - child.position) { return found } }
        let covers = s.size.map { Rect(origin: .zero, size: $0).contains(p) } ?? false
        if (covers || own) && (s.region?.contains { $0.contains(p) } ?? true) { return s }
        for child in s.below.reversed() { if let found = hit(child, p - child.position) { return found } }
        return nil
    }
}
