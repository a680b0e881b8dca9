// Random operations on the model and the slow reference side by side.

import WindowModel

/// One run: both models, what exists in them, and what was done.
final class RandomRun {
    var random: SplitMix64
    let model = WindowModel()
    let reference = ReferenceModel()
    var applications: [Application.ID] = []
    var tokens: [Window.InteractionToken] = []
    var log: [String] = []
    var time: UInt64 = 0
    var drained: [Effect] = []
    var isScrolling = false

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    static let names = ["Panel", "Desk", "Wall"]

    func description(_ which: Int) -> ScreenDescription {
        ScreenDescription(
            name: Self.names[which], kind: which == 0 ? .builtIn : .external,
            modes: [Screen.Mode(width: 400 + 100 * which, height: 300)])
    }

    func win() -> ReferenceModel.Win? { random.pick(reference.windows) }
    func point() -> Point { Point(x: Double(random.below(64)) * 8, y: Double(random.below(48)) * 8) }
    func size() -> Size { Size(width: Double(random.below(30)) * 10, height: Double(random.below(30)) * 10) }
    func frame() -> Rect {
        Rect(
            origin: Point(x: Double(random.below(40)) * 10 - 60, y: Double(random.below(30)) * 10 - 60),
            size: self.size())
    }

    /// One random operation on both.
    func step() throws {
        time += 1000
        let choice = random.below(100)
        switch choice {
        case 0..<4: try screens()
        case 4..<6: try applicationsComeAndGo()
        case 6..<18: try create()
        case 18..<20: if let w = win() { try destroy(w) }
        case 20..<60: if let w = win() { try change(w) }
        case 60..<75: if let w = win() { try surfaces(of: w) }
        case 75..<88: try touch()
        case 88..<94: try pointer()
        default: try press()
        }
    }

    private func screens() throws {
        if random.chance(20) {
            reference.orphansToMain.toggle()
            model.policy.orphans = reference.orphansToMain ? .main : .keep
        }
        let which = random.below(3)
        if let lost = reference.screens.first(where: { $0.name == Self.names[which] }) {
            log.append("disconnect \(lost.name)")
            try model.disconnect(lost.id)
            reference.disconnect(lost.id)
        } else {
            log.append("connect \(Self.names[which])")
            let id = try model.connect(description(which))
            reference.connect(
                id, Self.names[which], isBuiltIn: which == 0,
                size: Size(width: Double(400 + 100 * which), height: 300))
        }
    }

    private func applicationsComeAndGo() throws {
        if applications.count < 3 {
            applications.append(model.addApplication())
        } else if random.chance(30), let id = random.pick(applications) {
            log.append("end \(id)")
            applications.removeAll { $0 == id }
            try model.removeApplication(id)
            reference.end(id)
        }
    }

    private func create() throws {
        guard let application = random.pick(applications), reference.windows.count < 9 else { return }
        let plain = random.chance(40)
        let screen = random.chance(50) ? nil : random.pick(reference.screens)?.id
        var options = plain ? Window.Options.plain : Window.Options()
        let frame = self.frame()
        options.frame = frame
        options.level = random.pick([0.0, 0, 0, 1000, 2000, -1.5]) ?? 0
        let id = try model.createWindow(application: application, screen: screen, options: options)
        log.append("create \(id) plain \(plain) level \(options.level)")
        let place = screen ?? reference.main?.id
        let w = ReferenceModel.Win(
            id: id, application: application, screen: place, frame: frame, level: options.level, plain: plain,
            stamp: reference.stamp())
        reference.windows.append(w)
        if plain { try surfaces(of: w) }
        if random.chance(70) {
            try model.makeKeyAndVisible(id)
            reference.makeKeyAndVisible(w)
        }
    }

    private func destroy(_ w: ReferenceModel.Win) throws {
        log.append("destroy \(w.id)")
        try model.destroyWindow(w.id)
        reference.destroy(w)
    }

    private func change(_ w: ReferenceModel.Win) throws {
        let choice = random.below(16)
        log.append("change \(choice) \(w.id)")
        switch choice {
        case 0, 1:
            let hidden = random.chance(50)
            try model.setHidden(hidden, of: w.id)
            reference.changing(w) { w.hidden = hidden }
        case 2:
            let level: Double = random.pick([0.0, 0, 10, 1000, 2000, -1.5]) ?? 0
            try model.setLevel(level, of: w.id)
            reference.setLevel(w, level)
        case 3:
            let frame = self.frame()
            try model.setFrame(frame, of: w.id)
            reference.setFrame(w, frame)
        case 4:
            w.alpha = random.pick([0.0, 0.005, 0.5, 1]) ?? 1
            try model.setAlpha(w.alpha, of: w.id)
        case 5:
            w.enabled.toggle()
            try model.setUserInteractionEnabled(w.enabled, of: w.id)
        case 6: try tokens(w)
        case 7, 8:
            try model.makeKey(w.id)
            reference.request(w)
        case 9, 10:
            try model.makeKeyAndVisible(w.id)
            reference.makeKeyAndVisible(w)
        case 11:
            try model.resignKey(w.id)
            w.wish = nil
            if reference.key == w.id { reference.inherit(from: w) }
        case 12:
            let can = random.chance(60)
            try model.setCanBecomeKey(can, of: w.id)
            reference.setCanBecomeKey(w, can)
        case 13:
            try model.bringToFront(w.id)
            w.stamp = reference.stamp()
        case 14:
            let screen = random.chance(30) ? nil : random.pick(reference.screens)?.id
            try model.move(w.id, to: screen)
            reference.move(w, to: screen)
        default:
            w.scale = random.pick([0.0, 0.5, 1, 2]) ?? 1
            try model.setTransform(.scale(x: w.scale, y: w.scale), of: w.id)
        }
    }

    private func tokens(_ w: ReferenceModel.Win) throws {
        if random.chance(50) || tokens.isEmpty {
            tokens.append(try model.disableInteraction(w.id))
            w.disablers += 1
        } else {
            let token = tokens.remove(at: random.below(tokens.count))
            guard let owner = reference.window(token.window) else { return }
            try model.enableInteraction(token)
            owner.disablers -= 1
        }
    }
}
