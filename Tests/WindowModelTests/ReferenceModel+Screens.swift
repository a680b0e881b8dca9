// Screens in the slow model: coordinates case by case, mirroring and rotation by the text of S5, S7 and R1–R3.

import MullionGeometry
import WindowModel

extension ReferenceModel {
    final class Scr {
        let id: Screen.ID
        let name: String
        let isBuiltIn: Bool
        let isInteractive: Bool
        let modes: [Screen.Mode]
        let insets: Screen.Insets
        var mode: Screen.Mode
        var scale = 1.0
        var orientation = Screen.Orientation.portrait
        var flipped = false
        var overscan: Screen.Overscan
        var mirroring: Screen.Mirroring
        var mirrored: Screen.ID?
        var position: Point
        var isPositioned: Bool

        init(_ id: Screen.ID, _ description: ScreenDescription) {
            self.id = id
            name = description.name
            isBuiltIn = description.kind == .builtIn
            isInteractive = description.isInteractive
            modes = description.modes
            mode = modes[0]
            insets = description.overscanInsets
            overscan = description.overscan
            mirroring = description.mirroring
            position = description.position
            isPositioned = description.isPositioned
        }

        /// A switched-off screen that is connected again.
        init(_ id: Screen.ID, like other: Scr) {
            self.id = id
            name = other.name
            isBuiltIn = other.isBuiltIn
            isInteractive = other.isInteractive
            modes = other.modes
            mode = other.mode
            insets = other.insets
            scale = other.scale
            orientation = other.orientation
            flipped = other.flipped
            overscan = other.overscan
            mirroring = other.mirroring
            position = other.position
            isPositioned = other.isPositioned
        }

        /// The place in the global layout.
        var place: Rect { Rect(origin: position, size: bounds.size) }

        /// Pixels, as a rectangle of the panel; the insets are those of the first mode.
        var seen: Rect {
            let x = Double(mode.width) / Double(modes[0].width)
            let y = Double(mode.height) / Double(modes[0].height)
            return Rect(
                x: insets.left * x, y: insets.top * y, width: Double(mode.width) - (insets.left + insets.right) * x,
                height: Double(mode.height) - (insets.top + insets.bottom) * y)
        }

        var fixedBounds: Rect {
            overscan == .insetBounds
                ? Rect(x: 0, y: 0, width: seen.size.width / scale, height: seen.size.height / scale)
                : Rect(x: 0, y: 0, width: Double(mode.width) / scale, height: Double(mode.height) / scale)
        }

        var bounds: Rect {
            let size = fixedBounds.size
            switch orientation {
            case .portrait, .portraitUpsideDown: return Rect(x: 0, y: 0, width: size.width, height: size.height)
            case .landscapeLeft, .landscapeRight: return Rect(x: 0, y: 0, width: size.height, height: size.width)
            }
        }

        /// With the panel's left edge up, what is at the top is at the left of the panel, and so on.
        func toFixed(_ p: Point) -> Point {
            let size = fixedBounds.size
            switch orientation {
            case .portrait: return p
            case .portraitUpsideDown: return Point(x: size.width - p.x, y: size.height - p.y)
            case .landscapeLeft: return Point(x: p.y, y: size.height - p.x)
            case .landscapeRight: return Point(x: size.width - p.y, y: p.x)
            }
        }

        func toPixels(_ p: Point) -> Point {
            let fixed = toFixed(flipped ? Point(x: bounds.size.width - p.x, y: p.y) : p)
            let pixel = Point(x: fixed.x * scale, y: fixed.y * scale)
            switch overscan {
            case .none: return pixel
            case .insetBounds: return pixel + seen.origin
            case .scale:
                return Point(
                    x: seen.minX + pixel.x * seen.size.width / Double(mode.width),
                    y: seen.minY + pixel.y * seen.size.height / Double(mode.height))
            }
        }
    }

    func screen(_ id: Screen.ID?) -> Scr? { screens.first { $0.id == id } }

    func space(_ application: Application.ID, _ scr: Scr) -> Rect {
        fixed.contains(application) ? scr.fixedBounds : scr.bounds
    }

    // S7.

    func isEmpty(_ scr: Scr) -> Bool { !windows.contains { $0.screen == scr.id && $0.visible } }

    func source(_ scr: Scr, by mirroring: Screen.Mirroring) -> Scr? {
        switch mirroring {
        case .off: return nil
        case .screen(let name): return screens.first { $0.name == name }
        case .automatic: return scr.isBuiltIn || main === scr ? nil : main
        }
    }

    /// A cycle is detected by walking too far.
    private func shown(_ scr: Scr) -> Screen.ID? {
        guard isEmpty(scr), let first = source(scr, by: scr.mirroring) else { return nil }
        var next = first
        for _ in 0...screens.count {
            guard isEmpty(next), let further = source(next, by: next.mirroring) else { return first.id }
            next = further
        }
        return nil
    }

    func updateMirrors() {
        for scr in screenList.compactMap({ screen($0) }) {
            let now = shown(scr)
            if now == scr.mirrored { continue }
            scr.mirrored = now
            notifyProperties(scr.id)
        }
    }

    func notifyProperties(_ id: Screen.ID) {
        let enough: [Effect] = [.screenPropertiesDidChange(id), .modeDidChange(id), .screenDidConnect(id)]
        if !notes.contains(where: { note in enough.contains { note == .notification($0) } }) {
            notify(.screenPropertiesDidChange(id))
        }
    }

    /// Returns false if it is refused.
    func setMirroring(_ mirroring: Screen.Mirroring, _ scr: Scr) -> Bool {
        if mirroring == scr.mirroring { return true }
        var next = source(scr, by: mirroring)
        if case .screen = mirroring, next == nil { return false }
        for _ in screens {
            if next === scr { return false }
            next = next.flatMap { source($0, by: $0.mirroring) }
        }
        scr.mirroring = mirroring
        notifyProperties(scr.id)
        updateMirrors()
        return true
    }

    // S6, S8.

    func connect(_ scr: Scr) {
        let (id, old) = (scr.id, main?.id)
        screens.append(scr)
        notify(.screenDidConnect(id))
        if main?.id != old { notify(.mainScreenDidChange(main?.id)) }
        moving { arrange(scr.isPositioned ? leftToRight : [scr]) }
        updateMirrors()
        bringBack(to: scr)
    }

    func disconnect(_ id: Screen.ID) {
        guard let lost = screen(id) else { return }
        defer {
            for seat in seats {
                losePencils(seat, on: id)
                if seat.pointer?.screen == id { losePointer(seat) }
            }
        }
        let old = main?.id
        screens.removeAll { $0.id == id }
        turns.removeAll { $0.screen == id }
        notify(.screenDidDisconnect(id))
        if main?.id != old { notify(.mainScreenDidChange(main?.id)) }
        updateMirrors()
        let residents = sorted(windows.filter { $0.screen == id })
        if orphansToMain, let main {
            for w in residents where w.screen == id { place(w, on: main.id, from: seat(named: lost.name)) }
            return
        }
        let shown = residents.filter(\.visible).map(\.id)
        for w in residents {
            w.screen = nil
            w.awaits = orphansToMain ? nil : lost.name
        }
        for w in residents {
            if shown.contains(w.id) { becameHidden(w) }
            notify(.screenDidChange(w.id, w.application, nil))
        }
    }

    /// - Parameter lost: the seat of the screen that has just been unplugged.
    func place(_ w: Win, on id: Screen.ID, from lost: Person? = nil) {
        for member in subtree(w) { member.follows = false }
        let members = subtree(w).filter { $0.screen != id }
        if members.count > 1 {
            for seat in seats where seat !== self.seat(id) && members.contains(where: { $0.id == seat.key }) {
                inherit(seat, leaving: members)
            }
        }
        for member in members where member.wants { put(inFront: family(member)) }
        holdersTakeKey()
        for member in members { put(member, on: id, from: seat(member.screen) ?? lost) }
    }

    private func put(_ w: Win, on id: Screen.ID, from old: Person?) {
        if let seat = keySeat(w), seat !== self.seat(id) { inherit(seat) }
        let visible = w.visible
        if visible, old !== seat(id) { withdraw(w) }
        w.screen = nil
        updateMirrors()
        w.screen = id
        w.awaits = nil
        updateMirrors()
        cancel { $0.window == w.id }
        notify(.screenDidChange(w.id, w.application, id))
        if w.takesBounds, let scr = screen(id) { setFrame(w, space(w.application, scr)) }
        if w.visible && !visible { becameVisible(w) }
        holdersTakeKey()
    }

    // S3, S5, R1–R3.

    /// Changes a screen's properties, records that with `note`, and lets windows follow (R2).
    func reshape(_ scr: Scr, _ note: () -> Void, _ change: () -> Void) {
        let old = (scr.bounds, scr.fixedBounds)
        let place = scr.place
        change()
        note()
        defer { makeRoom(scr, place) }
        for w in sorted(windows.filter { $0.screen == scr.id }) {
            follow(w, scr, from: fixed.contains(w.application) ? old.1 : old.0)
        }
    }

    private func follow(_ w: Win, _ scr: Scr, from old: Rect) {
        let new = space(w.application, scr)
        if new == old { return }
        if w.frame == old || w.fills { return setFrame(w, new) }
        var (x, y, width, height) = (w.frame.minX, w.frame.minY, w.frame.size.width, w.frame.size.height)
        stretch(
            &x, &width, old.size.width, new.size.width,
            w.autoresizing.intersection([.leftMargin, .width, .rightMargin]).rawValue)
        stretch(
            &y, &height, old.size.height, new.size.height,
            w.autoresizing.intersection([.topMargin, .height, .bottomMargin]).rawValue / 8)
        let frame = Rect(x: x, y: y, width: width, height: height)
        if frame != w.frame { setFrame(w, frame) }
    }

    /// R2 for one axis, case by case.
    private func stretch(_ start: inout Double, _ size: inout Double, _ old: Double, _ new: Double, _ mask: UInt8) {
        let (gain, end) = (new - old, old - start - size)
        func share(_ part: Double, of parts: Double..., and count: Double) -> Double {
            let sum = parts.reduce(0, +)
            let result = part + (sum > 0 ? gain / sum * part : gain / count)
            let whole = (result * 65_536).rounded() / 65_536
            return abs(whole - result) < 1e-9 ? whole : result
        }
        switch mask {
        case 1: start = share(start, of: start, and: 1)
        case 2: size = share(size, of: size, and: 1)
        case 3: (start, size) = (share(start, of: start, size, and: 2), share(size, of: start, size, and: 2))
        case 5: start = share(start, of: start, end, and: 2)
        case 6: size = share(size, of: size, end, and: 2)
        case 7:
            (start, size) = (
                share(start, of: start, size, end, and: 3), share(size, of: start, size, end, and: 3)
            )
        default: break
        }
        size = max(0, size)
    }

    // The layout, of the connected and the switched-off screens.

    func setPosition(_ position: Point, _ scr: Scr) {
        if position != scr.position || !scr.isPositioned { notifyProperties(scr.id) }
        (scr.position, scr.isPositioned) = (position, true)
        moving { arrange(leftToRight) }
    }

    private func makeRoom(_ scr: Scr, _ old: Rect) {
        let gain = scr.bounds.size.width - old.size.width
        if scr.bounds.size == old.size { return }
        let set = (screens + switchedOff).filter { $0.isPositioned && $0 !== scr }.map(\.place)
        moving {
            for other in leftToRight where other !== scr && other.position.x >= old.maxX {
                // What is right of a screen that somebody has put there stays with that one.
                if set.contains(where: { $0.minX >= old.maxX && $0.maxX <= other.position.x }) { continue }
                other.position.x += gain
            }
            arrange((scr.isPositioned ? [] : [scr]) + leftToRight.filter { $0 !== scr })
        }
    }

    /// The screens that nobody has given a position.
    private var leftToRight: [Scr] {
        (screens + switchedOff).filter { !$0.isPositioned }.sorted { ($0.position.x, $0.id) < ($1.position.x, $1.id) }
    }

    /// Moves these, one after the other, to the right until they touch none of those that are in their places.
    private func arrange(_ free: [Scr]) {
        var settled = (screens + switchedOff).filter { scr in !free.contains { $0 === scr } }
        for scr in free {
            while let hit = settled.first(where: { touch($0.place, scr.place) }) { scr.position.x = hit.place.maxX }
            settled.append(scr)
        }
    }

    /// Notifies of the screens that a change has moved.
    private func moving(_ change: () -> Void) {
        let before = screenList.map { screen($0)?.position }
        change()
        for (id, old) in zip(screenList, before) where screen(id)?.position != old { notifyProperties(id) }
    }

    /// Whether there is a point inside both.
    private func touch(_ a: Rect, _ b: Rect) -> Bool {
        max(a.minX, b.minX) < min(a.maxX, b.maxX) && max(a.minY, b.minY) < min(a.maxY, b.maxY)
    }

    func turn(_ scr: Scr, _ note: () -> Void, _ change: () -> Void) {
        cancel { self.window($0.window)?.screen == scr.id }
        reshape(scr, note, change)
    }

    func rotate(_ scr: Scr, _ to: Screen.Orientation, _ duration: UInt64?, _ time: UInt64) {
        let from = scr.orientation
        if from == to { return }
        if let under = turns.firstIndex(where: { $0.screen == scr.id }) { endTurn(under) }
        let quarters = from.isLandscape == to.isLandscape ? 2 : 1
        let duration = duration ?? UInt64(quarters) * 300_000
        notify(.orientationWillChange(scr.id, from: from, to: to, duration: duration))
        let notifyNew = {
            self.notes.removeAll { $0 == .notification(.screenPropertiesDidChange(scr.id)) }
            self.notify(.screenPropertiesDidChange(scr.id))
        }
        turn(scr, notifyNew) { scr.orientation = to }
        turns.append((scr.id, from, time + duration))
        if duration == 0 { endTurn(turns.count - 1) }
    }

    func endTurns(until time: UInt64) {
        while let next = turns.indices.min(by: { turns[$0].until < turns[$1].until }), turns[next].until <= time {
            endTurn(next)
        }
    }

    private func endTurn(_ index: Int) {
        let turn = turns.remove(at: index)
        guard let scr = screen(turn.screen) else { return }
        notify(.orientationDidChange(scr.id, from: turn.from, to: scr.orientation))
    }

    func setRotationPolicy(_ policy: Application.RotationPolicy, _ application: Application.ID) {
        if fixed.contains(application) == (policy == .fixed) { return }
        let own = windows.filter { $0.application == application }
        for w in own where screen(w.screen).map({ $0.orientation != .portrait }) ?? false {
            cancel { $0.window == w.id }
        }
        let old = own.map { w in screen(w.screen).map { space(application, $0) } }
        if policy == .fixed { fixed.insert(application) } else { fixed.remove(application) }
        for (w, old) in zip(own, old) {
            if let scr = screen(w.screen), let old { follow(w, scr, from: old) }
        }
    }
}
