// The operations of the slow model.

import WindowModel

extension ReferenceModel {
    func connect(_ id: Screen.ID, _ name: String, isBuiltIn: Bool, size: Size) {
        screens.append(Scr(id: id, name: name, isBuiltIn: isBuiltIn, size: size))
        tell(.screenDidConnect(id))
        let back = sorted(windows.filter { $0.screen == nil && ($0.awaits == nil || $0.awaits == name) })
        for w in back {
            w.screen = id
            w.awaits = nil
        }
        for w in back { tell(.screenDidChange(w.id, w.application, id)) }
        for w in back where w.visible { becameVisible(w) }
    }

    func disconnect(_ id: Screen.ID) {
        guard let lost = screens.first(where: { $0.id == id }) else { return }
        screens.removeAll { $0.id == id }
        tell(.screenDidDisconnect(id))
        let residents = sorted(windows.filter { $0.screen == id })
        if orphansToMain, let main {
            for w in residents { put(w, on: main.id) }
            return
        }
        let shown = residents.filter(\.visible).map(\.id)
        for w in residents {
            w.screen = nil
            w.awaits = orphansToMain ? nil : lost.name
        }
        for w in residents {
            if shown.contains(w.id) { becameHidden(w) }
            tell(.screenDidChange(w.id, w.application, nil))
        }
        for i in touches.indices where touches[i].screen == id { touches[i].window = nil }
    }

    func put(_ w: Win, on screen: Screen.ID) {
        let visible = w.visible
        w.screen = screen
        w.awaits = nil
        if w.wants { w.stamp = stamp() }
        cancelTouches { window, _ in window == w.id }
        tell(.screenDidChange(w.id, w.application, screen))
        if w.visible && !visible { becameVisible(w) }
    }

    func move(_ w: Win, to screen: Screen.ID?) {
        guard let target = screen ?? main?.id else {
            w.awaits = nil
            return
        }
        if w.screen != target { put(w, on: target) }
    }

    func destroy(_ w: Win) {
        changing(w) { w.hidden = true }
        windows.removeAll { $0.id == w.id }
    }

    func end(_ application: Application.ID) {
        dying = application
        for id in windows(of: application) { window(id).map(destroy) }
        dying = nil
        ignoring[application] = nil
    }

    func setLevel(_ w: Win, _ level: Double) {
        if level == w.level { return }
        w.level = level
        w.stamp = stamp()
    }

    func setFrame(_ w: Win, _ frame: Rect) {
        if frame == w.frame { return }
        w.frame = frame
        tell(.frameDidChange(w.id, w.application))
    }

    func makeKeyAndVisible(_ w: Win) {
        if w.wants { w.stamp = stamp() }
        if !w.visible { request(w) }
        changing(w) { w.hidden = false }
        request(w)
    }

    func setCanBecomeKey(_ w: Win, _ can: Bool) {
        w.canBecomeKey = can
        if !can {
            w.wish = nil
            if key == w.id { inherit(from: w) }
        }
    }

    func setContent(_ s: Surf, of w: Win, _ size: Size?) {
        let lost = s.size != nil && size == nil
        if lost && !(s === w.root && !w.needsContent) { cancel(in: s) }
        changing(w) { s.size = size }
    }

    func cancel(in s: Surf) {
        let ids = s.all.map(\.id)
        cancelTouches { _, surface in surface.map(ids.contains) ?? false }
    }

    // Hit-testing (H1, H2).

    func hit(_ point: Point, _ screen: Screen.ID) -> (Win, Surf?)? {
        guard let size = screens.first(where: { $0.id == screen })?.size,
            point.x >= 0, point.y >= 0, point.x < size.width, point.y < size.height
        else { return nil }
        for w in sorted(windows.filter({ $0.screen == screen && $0.visible })).reversed() {
            if w.alpha < 0.01 || !w.interactive || w.scale == 0 { continue }
            let center = w.frame.center
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

    // Events.

    /// What the routing must say: the window and surface, or nil.
    func beginTouch(_ id: Int32, _ point: Point, _ screen: Screen.ID, keyOnTouch: Bool) -> (Window.ID, Surface.ID?)? {
        guard let (w, s) = hit(point, screen), ignoring[w.application, default: 0] == 0 else {
            touches.append((id, screen, nil, nil))
            return nil
        }
        touches.append((id, screen, w.id, s?.id))
        if keyOnTouch && w.needsContent {
            w.stamp = stamp()
            request(w)
        }
        notes.append(.event(.touches, .began, w.id, s?.id))
        return (w.id, s?.id)
    }

    /// Who takes a click where the pointer is.
    func click() -> Window.ID? {
        guard let pointer, let (w, _) = hit(pointer.point, pointer.screen), ignoring[w.application, default: 0] == 0
        else { return nil }
        if w.needsContent {
            w.stamp = stamp()
            request(w)
        }
        return w.id
    }

    func continueTouch(_ index: Int, _ phase: Event.Phase) {
        if let w = touches[index].window { notes.append(.event(.touches, phase, w, touches[index].surface)) }
        if phase == .ended { touches.remove(at: index) }
    }

    func press(_ code: UInt32, _ down: Bool) {
        guard let w = window(key) else { return }
        if down {
            pressed.append(code)
        } else {
            guard let index = pressed.firstIndex(of: code) else { return }
            pressed.remove(at: index)
        }
        notes.append(.event(.presses, down ? .began : .ended, w.id, w.root?.id))
    }
}
