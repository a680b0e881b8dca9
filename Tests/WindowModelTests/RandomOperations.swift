// Random operations on the model and the slow reference in parallel.

import MullionGeometry
import WindowModel

/// One run: both models, the objects in them, and the operations performed.
final class RandomRun {
    var random: SplitMix64
    /// Random numbers for comparing, separate so that the operations do not depend on how often is compared.
    var probes: SplitMix64
    var model = WindowModel()
    let reference = ReferenceModel()
    var applications: [Application.ID] = []
    var tokens: [Window.InteractionToken] = []
    /// The operations performed, recorded only when needed.
    private(set) var log: [String] = []
    private let keepsLog: Bool
    var time: UInt64 = 0
    var drained: [Effect] = []
    /// W3: the windows that came to the front, in order.
    var raised: [Window.ID] = []
    var told: [Window.ID: Told] = [:]
    /// W1, W7: what exists, by the effects.
    var present: (windows: Set<Window.ID>, applications: Set<Application.ID>) = ([], [])
    /// E2: the sequences that applications have received the beginning but not the end of.
    var ledger = Ledger()
    /// The screens with needsDisplay since their frame was last compared, and that frame.
    var dirty: Set<Screen.ID> = []
    var frames: [Screen.ID: Frame] = [:]

    init(seed: UInt64, keepsLog: Bool) {
        self.keepsLog = keepsLog
        random = SplitMix64(seed: seed)
        probes = SplitMix64(seed: ~seed)
    }

    func say(_ text: @autoclosure () -> String) {
        if keepsLog { log.append(text()) }
    }

    func win() -> ReferenceModel.Win? { random.pick(reference.windows) }
    /// A point on the screen, or slightly outside.
    func point(on screen: Screen.ID) -> Point { point(on: screen, &random) }
    func point(on screen: Screen.ID, _ random: inout SplitMix64) -> Point {
        let size = reference.screen(screen)?.bounds.size ?? .zero
        // R2: edges can be at thirds, where rounding decides; no point is exactly there.
        let aside = reference.windows.allSatisfy(\.isExact) ? 0 : 1.0 / 128
        return Point(
            x: Double(random.below(Int(size.width / 8) + 3)) * 8 - 8 + aside,
            y: Double(random.below(Int(size.height / 8) + 3)) * 8 - 8 + aside)
    }
    func size() -> Size { Size(width: Double(random.below(30)) * 10, height: Double(random.below(30)) * 10) }
    func frame() -> Rect {
        Rect(
            origin: Point(x: Double(random.below(40)) * 10 - 60, y: Double(random.below(30)) * 10 - 60),
            size: self.size())
    }

    /// Performs one random operation on both models.
    func step() throws {
        time += random.chance(3) ? 400_000 : 1000
        if random.chance(25) {
            model.advanceTime(to: time)
            reference.endTurns(until: time)
        }
        let choice = random.below(100)
        switch choice {
        case 0..<4: try plug()
        case 4..<18: try changeScreens()
        case 18..<20: try applicationsComeAndGo()
        case 20..<30: try create()
        case 30..<32: if let w = win() { try destroy(w) }
        case 32..<65: if let w = win() { try change(w) }
        case 65..<77: if let w = win() { try surfaces(of: w) }
        case 77..<84: try touch()
        case 84..<86: try touches()
        case 86: try pencil()
        case 87..<93: try pointer()
        case 93..<96: try press()
        default: try others()
        }
    }

    /// K2: some applications are connections of one process.
    func addApplication() {
        let process = random.chance(50) ? Application.Process(id: Int32(random.below(2)), start: 1, user: 1) : nil
        let id = model.addApplication(process: process)
        applications.append(id)
        reference.processes[id] = process
    }

    private func applicationsComeAndGo() throws {
        if applications.count < 3 {
            addApplication()
        } else if random.chance(30), let id = random.pick(applications) {
            say("end \(id)")
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
        let frame = random.chance(80) ? self.frame() : nil
        options.frame = frame
        options.level = random.pick([0.0, 0, 0, 1000, 2000, -1.5]) ?? 0
        options.isOfLock = random.chance(reference.isLocked ? 60 : 5)
        let id = try model.createWindow(application: application, screen: screen, options: options)
        say("create \(id) plain \(plain) level \(options.level)")
        let place = screen ?? reference.main?.id
        let space = reference.screen(place).map { reference.space(application, $0) }
        told[id, default: Told()].level = options.level
        let w = ReferenceModel.Win(
            id: id, application: application, screen: place, frame: frame ?? space ?? .zero, level: options.level,
            plain: plain, stamp: reference.stamp())
        w.takesBounds = frame == nil && place == nil
        w.isOfLock = options.isOfLock
        reference.windows.append(w)
        if plain { try surfaces(of: w) } else { try model.setBackgroundColor(.black, of: id) }
        if random.chance(70) {
            try model.makeKeyAndVisible(id)
            reference.makeKeyAndVisible(w)
        }
    }

    private func destroy(_ w: ReferenceModel.Win) throws {
        say("destroy \(w.id)")
        try model.destroyWindow(w.id)
        reference.destroy(w)
    }

    private func change(_ w: ReferenceModel.Win) throws {
        let choice = random.below(20)
        say("change \(choice) \(w.id)")
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
            reference.ask(w)
        case 9, 10:
            try model.makeKeyAndVisible(w.id)
            reference.makeKeyAndVisible(w)
        case 11:
            try model.resignKey(w.id)
            reference.resignKey(w)
        case 12:
            let can = random.chance(60)
            try model.setCanBecomeKey(can, of: w.id)
            reference.setCanBecomeKey(w, can)
        case 13:
            try model.bringToFront(w.id)
            reference.enterFront(w)
        case 14:
            let screen = random.chance(30) ? nil : random.pick(reference.screens)?.id
            try model.move(w.id, to: screen)
            reference.move(w, to: screen)
        case 15:
            w.autoresizing = Window.Autoresizing(rawValue: UInt8(random.below(64)))
            try model.setAutoresizing(w.autoresizing, of: w.id)
            w.fills = random.chance(10)
            try model.setFillsScreen(w.fills, of: w.id)
        case 16, 17: try family(of: w)
        case 18:
            w.holds = random.chance(40)
            try model.setHoldsKey(w.holds, of: w.id)
            reference.holdersTakeKey()
        default:
            w.scale = random.pick([0.0, 0.5, 1, 2]) ?? 1
            try model.setTransform(.scale(x: w.scale, y: w.scale), of: w.id)
        }
    }

    /// W3: parents and children.
    private func family(of w: ReferenceModel.Win) throws {
        if random.chance(10) {
            try model.leaveFamily(w.id)
            return reference.leaveFamily(w)
        }
        let parent = random.chance(20) ? nil : win()
        let orders = model.screens.map { model.windows(on: $0) }
        let moving = reference.subtree(w).map(\.id)
        var isAccepted = true
        do { try model.setParent(parent?.id, of: w.id) } catch { isAccepted = false }
        guard reference.setParent(parent, of: w) == isAccepted else {
            throw Mismatch("window \(w.id) as a child of \(String(describing: parent?.id)): \(isAccepted)")
        }
        for (before, screen) in zip(orders, model.screens) {
            try checkRaising(of: moving, under: parent, from: before, to: model.windows(on: screen))
        }
    }

    /// W3: having a parent brings a window in front of that one, but not of what is in front of that one, other than
    /// windows that came to the front together with it; and no other window moves.
    private func checkRaising(
        of moving: [Window.ID], under parent: ReferenceModel.Win?, from before: [Window.ID], to now: [Window.ID]
    ) throws {
        guard before.filter({ !moving.contains($0) }) == now.filter({ !moving.contains($0) }) else {
            throw Mismatch("W3: other windows than \(moving) moved: \(before), then \(now)")
        }
        guard let parent, let behind = before.firstIndex(of: parent.id) else { return }
        let others = before[behind...].filter { reference.window($0)?.front != parent.front && !moving.contains($0) }
        for window in moving {
            let was = before.firstIndex(of: window).map { before[$0...].filter(others.contains) }
            let isNow = now.firstIndex(of: window).map { now[$0...].filter(others.contains) }
            guard Set(was ?? []).isSubset(of: isNow ?? []) else {
                throw Mismatch("W3: \(window) was raised by a parent: \(before), then \(now)")
            }
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
