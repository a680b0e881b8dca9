// Random operations on screens, and their comparison.

import MullionGeometry
import WindowModel

extension RandomRun {
    static let names = ["Panel", "Desk", "Wall", "Attic"]

    /// Sizes and insets that every scale divides evenly.
    func description(_ which: Int) -> ScreenDescription {
        let sizes = [(480, 360), (600, 300), (360, 600), (480, 360)]
        let (width, height) = sizes[which]
        var result = ScreenDescription(
            name: Self.names[which], kind: which == 0 ? .builtIn : .external,
            modes: [Screen.Mode(width: width, height: height), Screen.Mode(width: width / 2, height: height / 2)])
        result.modes[0].pixelAspectRatio = which == 3 ? 1.5 : 1
        if which > 1 { result.overscanInsets = Screen.Insets(top: 12, left: 24, bottom: 0, right: 36) }
        result.overscan = random.pick(Screen.Overscan.allCases) ?? .scale
        result.isInteractive = which != 3 || random.chance(50)
        result.position = Point(x: Double(random.below(6)) * 240, y: Double(random.below(3)) * 120)
        result.isPositioned = random.chance(30)
        // The named screen may be connected already, or later.
        if random.chance(25) { result.mirroring = .screen(Self.names[(which + 1 + random.below(3)) % 4]) }
        return result
    }

    func plug() throws {
        if random.chance(20) {
            reference.orphansToMain.toggle()
            model.policy.orphans = reference.orphansToMain ? .main : .keep
        }
        let which = random.below(Self.names.count)
        let name = Self.names[which]
        if let connected = reference.screens.first(where: { $0.name == name }) {
            let isSwitchedOff = random.chance(40)
            say("\(isSwitchedOff ? "switch off" : "disconnect") \(name)")
            if isSwitchedOff {
                reference.switchedOff.append(connected)
                try model.switchOff(connected.id)
            } else {
                try model.disconnect(connected.id)
            }
            reference.disconnect(connected.id)
        } else if let off = reference.switchedOff.firstIndex(where: { $0.name == name }) {
            try switchOnOrUnplug(name, at: off)
        } else {
            say("connect \(name)")
            let description = self.description(which)
            let id = try model.connect(description)
            reference.connect(ReferenceModel.Scr(id, description))
        }
    }

    private func switchOnOrUnplug(_ name: String, at index: Int) throws {
        guard (try? model.connect(ScreenDescription(name: name, modes: [Screen.Mode(width: 8, height: 8)]))) == nil
        else { throw Mismatch("S1: the name of the switched-off \(name) is free") }
        let screen = reference.switchedOff.remove(at: index)
        if random.chance(70) {
            say("switch on \(name)")
            reference.connect(ReferenceModel.Scr(try model.switchOn(name), like: screen))
        } else {
            say("unplug the switched-off \(name)")
            try model.unplug(name)
        }
    }

    func changeScreens() throws {
        guard let scr = random.pick(reference.screens) else { return }
        let choice = random.below(13)
        say("screen \(scr.name) \(choice)")
        switch choice {
        case 0, 1:
            let mode = random.chance(50) ? scr.mode : random.pick(scr.modes) ?? scr.mode
            let scale = random.chance(50) ? random.pick([0.5, 1, 1.5, 2]) ?? 1 : scr.scale
            try model.setMode(mode, scale: scale, of: scr.id)
            guard mode != scr.mode || scale != scr.scale else { return }
            let isNew = mode != scr.mode
            reference.reshape(
                scr, { isNew ? reference.notify(.modeDidChange(scr.id)) : reference.notifyProperties(scr.id) }
            ) {
                (scr.mode, scr.scale) = (mode, scale)
            }
        case 2, 3, 4: try rotate(scr)
        case 5:
            let flipped = random.chance(50)
            let panel = reference.seat(scr.id)?.pointer.map { scr.toPixels($0.point) }
            try model.setFlipped(flipped, of: scr.id)
            guard flipped != scr.flipped else { return }
            reference.turn(scr, { reference.notifyProperties(scr.id) }) { scr.flipped = flipped }
            try followPointer(on: scr, from: panel)
        case 6:
            let overscan = random.pick(Screen.Overscan.allCases) ?? .scale
            try model.setOverscan(overscan, of: scr.id)
            guard overscan != scr.overscan else { return }
            reference.reshape(scr, { reference.notifyProperties(scr.id) }) { scr.overscan = overscan }
        case 7, 8, 9: try mirror(scr)
        case 10:
            let position = Point(x: Double(random.below(6)) * 240, y: Double(random.below(3)) * 120)
            try model.setPosition(position, of: scr.id)
            reference.setPosition(position, scr)
        default:
            guard let application = random.pick(applications) else { return }
            let policy: Application.RotationPolicy = random.chance(50) ? .fixed : .rotating
            say("\(application) \(policy)")
            try model.setRotationPolicy(policy, of: application)
            reference.setRotationPolicy(policy, application)
        }
    }

    private func rotate(_ scr: ReferenceModel.Scr) throws {
        let orientation = random.pick(Screen.Orientation.allCases) ?? .portrait
        let duration: UInt64? = random.pick([nil, nil, 0, 2000, 7000]) ?? nil
        say("\(orientation) in \(String(describing: duration))")
        let panel = reference.seat(scr.id)?.pointer.map { scr.toPixels($0.point) }
        try model.rotate(scr.id, to: orientation, duration: duration, time: time)
        reference.rotate(scr, orientation, duration, time)
        try followPointer(on: scr, from: panel)
    }

    /// R4: the pointer keeps its position on the panel.
    private func followPointer(on scr: ReferenceModel.Scr, from panel: Point?) throws {
        guard let seat = reference.seat(scr.id), seat.pointer?.screen == scr.id, let panel,
            let now = model.pointerLocation(of: seat.id)
        else { return }
        let pixel = scr.toPixels(now.point)
        guard isClose(pixel, panel) else { throw Mismatch("R4: the pointer is at pixel \(pixel), not \(panel)") }
        seat.pointer = (scr.id, now.point)
    }

    private func mirror(_ scr: ReferenceModel.Scr) throws {
        let wanted: Screen.Mirroring =
            random.pick([.automatic, .off] + Self.names.map { .screen($0) } + Self.names.map { .screen($0) }) ?? .off
        say("mirrors \(wanted)")
        var error: ModelError?
        do throws(ModelError) { try model.setMirroring(wanted, of: scr.id) } catch let refusal { error = refusal }
        let isAllowed = reference.setMirroring(wanted, scr)
        guard error == nil ? isAllowed : !isAllowed && error?.rule == .s7 else {
            throw Mismatch("S7: \(String(describing: error)), allowed \(isAllowed)")
        }
    }

    func isClose(_ a: Point, _ b: Point) -> Bool { abs(a.x - b.x) < 1e-6 && abs(a.y - b.y) < 1e-6 }

    // Comparing.

    /// Throws the first difference between screens and frames.
    func compareScreens() throws {
        if model.nextDeadline != reference.turns.map(\.until).min() {
            throw Mismatch("R1: the next turn ends at \(String(describing: model.nextDeadline))")
        }
        let plugged = reference.screenList.compactMap { reference.screen($0)?.name } + reference.switchedOff.map(\.name)
        guard model.pluggedScreens.map(\.name) == plugged else {
            throw Mismatch("S2: \(model.pluggedScreens.map(\.name)) are plugged in, not \(plugged)")
        }
        for w in reference.windows where model.frame(of: w.id) != w.frame {
            throw Mismatch("the frame of \(w.id) is \(String(describing: model.frame(of: w.id))), not \(w.frame)")
        }
        for scr in reference.screens {
            guard let screen = model.screen(scr.id) else { throw Mismatch("no screen \(scr.name)") }
            guard screen.mirroredScreen == scr.mirrored else {
                throw Mismatch("S7: \(scr.name) shows \(String(describing: screen.mirroredScreen))")
            }
            guard screen.position == scr.position, screen.properties.isPositioned == scr.isPositioned else {
                throw Mismatch("\(scr.name) is at \(screen.position), not \(scr.position)")
            }
            guard screen.bounds == scr.bounds, screen.fixedBounds == scr.fixedBounds, screen.visibleArea == scr.seen
            else { throw Mismatch("S4, S5: the bounds of \(scr.name) are \(screen.bounds), not \(scr.bounds)") }
        }
        try checkLayout()
        guard let scr = probes.pick(reference.screens), let screen = model.screen(scr.id) else { return }
        try compareCoordinates(screen, scr)
        if probes.chance(15) { try compareFrame(screen, scr) }
    }

    /// S6: screens overlap only where both positions were set.
    private func checkLayout() throws {
        let screens = model.screens.compactMap { model.screen($0) }
        for (index, a) in screens.enumerated() {
            for b in screens[..<index] where !(a.properties.isPositioned && b.properties.isPositioned) {
                let x = min(a.position.x + a.bounds.size.width, b.position.x + b.bounds.size.width)
                let y = min(a.position.y + a.bounds.size.height, b.position.y + b.bounds.size.height)
                guard x <= max(a.position.x, b.position.x) || y <= max(a.position.y, b.position.y) else {
                    throw Mismatch("S6: \(a.name) at \(a.position) overlaps \(b.name) at \(b.position)")
                }
            }
        }
    }

    private func compareCoordinates(_ screen: Screen, _ scr: ReferenceModel.Scr) throws {
        let point = self.point(on: scr.id, &probes)
        let pixel = screen.convertToPixels(point)
        guard isClose(pixel, scr.toPixels(point)), isClose(screen.convertFromPixels(pixel), point) else {
            throw Mismatch("S5: \(point) on \(scr.name) is at pixel \(pixel), not \(scr.toPixels(point))")
        }
        guard screen.convertToFixed(point) == scr.toFixed(point),
            screen.convertFromFixed(screen.convertToFixed(point)) == point
        else { throw Mismatch("S4: \(point) on \(scr.name) is \(screen.convertToFixed(point)) in the fixed space") }
    }

    /// Checks that needsDisplay is recorded exactly for screens that look different, and that a touch hits what is
    /// seen.
    private func compareFrame(_ screen: Screen, _ scr: ReferenceModel.Scr) throws {
        guard let frame = model.frame(for: scr.id) else { throw Mismatch("no frame of \(scr.name)") }
        if let old = frames[scr.id], old != frame, !dirty.contains(scr.id) {
            throw Mismatch("S7: \(scr.name) changed without needsDisplay: \(old) \(frame)")
        }
        frames[scr.id] = frame
        dirty.remove(scr.id)
        let pixel = Point(
            x: Double(probes.below(frame.pixelWidth)) + 0.37, y: Double(probes.below(frame.pixelHeight)) + 0.37)
        guard frame.visibleArea.contains(pixel) else { return }
        let point = screen.convertFromPixels(pixel)
        let hit = model.hitTest(point, on: scr.id)
        // H3: the explanation looks at every window, the search only at those whose boxes hold the point.
        let found = model.hitTest(point, on: scr.id, explain: false).hit
        let explained = model.hitTest(point, on: scr.id, explain: true).hit
        guard found == explained else {
            throw Mismatch("H3: \(String(describing: explained)), not \(String(describing: found))")
        }
        guard scr.mirrored == nil else {
            if hit != nil { throw Mismatch("S7: a mirrored picture was touched") }
            return
        }
        // L4: what is seen need not take events.
        if reference.inputOwner != nil { return }
        let seen = reference.windows.filter { $0.screen == scr.id && $0.visible && reference.shows($0) }
        // H2: input regions make what is touched differ from what is seen.
        if seen.contains(where: { $0.all.contains { $0.region != nil } }) { return }
        let layer = frame.layers.last { layer in
            guard let w = reference.window(layer.window), w.alpha >= 0.01, w.interactive,
                let p = place(pixel, in: layer)
            else { return false }
            return Rect(origin: .zero, size: layer.size).contains(p) && layer.clip?.contains(p) ?? true
        }
        guard hit?.window == layer?.window else {
            throw Mismatch("R4: pixel \(pixel) shows \(String(describing: layer)); \(String(describing: hit)) is hit")
        }
        guard let layer, let hit, let p = place(pixel, in: layer) else { return }
        if case .surface(let id) = layer.content, hit.surface != id {
            // H1: the root covers the whole frame, in front of sub-surfaces below it.
            guard let w = reference.window(layer.window), !w.needsContent, hit.surface == w.root?.id else {
                throw Mismatch("R4: \(id) is seen, not \(hit)")
            }
            return
        }
        guard isClose(hit.location, p) else { throw Mismatch("R4: \(pixel) hits \(hit.location), shows \(p)") }
    }

    private func place(_ pixel: Point, in layer: Layer) -> Point? { layer.toPixels.inverse?.apply(to: pixel) }
}
