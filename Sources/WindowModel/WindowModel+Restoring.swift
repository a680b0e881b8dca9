// Restores a model from a snapshot.

extension WindowModel {
    /// Restores the model that the snapshot was taken of; it behaves as that one would. Records no effects for the
    /// existing state. Throws, naming the rule, for an inconsistent snapshot.
    public convenience init(restoring snapshot: Snapshot, policy: Policy = Policy()) throws(ModelError) {
        self.init(policy: policy)
        try snapshot.checkNumbers()
        counts = snapshot.counts
        keyRequests = snapshot.keyRequests
        droppedPresses = snapshot.droppedPresses
        ignoredEvents = snapshot.ignoredEvents
        lastSerial = snapshot.lastSerial
        now = snapshot.now
        try restoreSeats(snapshot)
        try restoreScreens(snapshot)
        try restoreApplications(snapshot)
        lock = snapshot.lock
        inputOwner = snapshot.inputOwner
        for id in [lock?.holder, inputOwner] {
            if let id { _ = try node(id) }
        }
        try restoreWindows(snapshot)
        try restoreSurfaces(snapshot)
        for saved in snapshot.seats { try restore(saved) }
        for id in snapshot.remoteReceivers { remoteReceivers.append(try node(id)) }
        overlays = snapshot.overlays
        guard overlays.allSatisfy({ surfaces.exists($0.surface) && screenNode($0.screen) != nil }) else {
            throw .broken("a dragged surface does not exist")
        }
        if let broken = checkInvariants().first { throw .broken(broken) }
    }

    private func restoreSeats(_ snapshot: Snapshot) throws(ModelError) {
        seatNodes = snapshot.seats.map { SeatNode($0.seat) }
        guard !seatNodes.isEmpty, seatNodes.enumerated().allSatisfy({ $1.id.rawValue == UInt32($0 + 1) }) else {
            throw .broken("\(Rule.k1): the seats are not numbered from 1")
        }
        input = InputState(seatCount: seatNodes.count)
    }

    private func restoreScreens(_ snapshot: Snapshot) throws(ModelError) {
        for saved in snapshot.screens {
            try saved.screen.properties.checked()
            guard screenNode(saved.screen.id) == nil, saved.screen.id.rawValue <= counts.screens else {
                throw .broken("\(Rule.s1): screen \(saved.screen.id) is duplicate or out of order")
            }
            let node = ScreenNode(saved.screen)
            node.seat = seat(ofScreenNamed: saved.screen.name)
            node.needsDisplay = false
            if let from = saved.turningFrom, let deadline = saved.turnDeadline {
                guard deadline < UInt64.max / 2 else {
                    throw .broken("\(Rule.r1): screen \(node.id) has a rotation without end")
                }
                node.rotation = ScreenNode.Rotation(from: from, deadline: deadline)
            }
            screenNodes.append(node)
        }
        for screen in snapshot.switchedOff {
            try screen.properties.checked()
            guard !screen.isEnabled, screen.id.rawValue <= counts.screens else {
                throw .broken("\(Rule.s1): screen \(screen.id) is listed as switched off, but is on or out of order")
            }
            switchedOff.append(screen)
        }
        mirrorCount = screenNodes.count { $0.value.mirroredScreen != nil }
        for id in snapshot.rotating { rotating.append(try node(id)) }
    }

    private func restoreApplications(_ snapshot: Snapshot) throws(ModelError) {
        for saved in snapshot.applications {
            let application = saved.application
            guard applicationNodes[application.id] == nil, application.id.rawValue <= counts.applications,
                (0...Snapshot.most).contains(application.ignoringDepth)
            else { throw .broken("\(Rule.w7): application \(application.id) is duplicate or invalid") }
            applicationNodes[application.id] = ApplicationNode(application)
        }
    }

    private func restoreWindows(_ snapshot: Snapshot) throws(ModelError) {
        for saved in snapshot.windows {
            let value = saved.window
            try Self.validate(level: value.level)
            try Self.validate(frame: value.frame)
            if let margins = value.margins { try Self.validate(margins: margins) }
            let owner = try node(value.application)
            guard windowNodes[value.id] == nil, value.id.rawValue <= counts.windows,
                saved.entry.time <= saved.entry.number, saved.entry.number <= counts.entries,
                saved.disablers.allSatisfy({ $0 <= counts.tokens })
            else { throw .broken("\(Rule.w1): window \(value.id) is duplicate or out of order") }
            let window = WindowNode(value, application: owner, entry: saved.entry)
            window.keyRequest = saved.keyRequest
            window.disablers = saved.disablers
            window.takesBounds = saved.takesBounds
            window.followsParent = saved.followsParent ?? false
            window.rootOffset = saved.rootOffset
            window.popups = saved.popups
            if let screen = value.screen { window.screen = try node(screen) }
            windowNodes[value.id] = window
        }
        try restoreParents()
        keyHolderCount = windowNodes.values.count(where: \.value.holdsKey)
        for window in windowNodes.values where window.value.isVisible { window.screen?.insert(window) }
        for saved in snapshot.applications {
            let owner = try node(saved.application.id)
            for id in saved.windows { owner.windows.append(try node(id)) }
            guard owner.windows.allSatisfy({ $0.application === owner }) else {
                throw .broken("\(Rule.w4): application \(owner.value.id) lists another's window")
            }
        }
        guard windowNodes.count == applicationNodes.values.reduce(0, { $0 + $1.windows.count }) else {
            throw .broken("\(Rule.w4): a window is listed twice")
        }
    }

    private func restoreParents() throws(ModelError) {
        for window in windowNodes.values {
            let follows = window.followsParent
            if let parent = window.value.parent { window.link(to: try node(parent)) }
            window.followsParent = follows && window.parent != nil
        }
        var linked = windowNodes.values.filter { $0.parent == nil }
        var index = 0
        while index < linked.count {
            linked[index].updateStackingLevel()
            linked += linked[index].children
            index += 1
        }
        guard linked.count == windowNodes.count else {
            throw .broken("\(Rule.w3): a window is its own descendant")
        }
    }

    private func restoreSurfaces(_ snapshot: Snapshot) throws(ModelError) {
        var nodes: [SurfaceTree.Node] = []
        for saved in snapshot.surfaces {
            var node = SurfaceTree.Node(generation: saved.generation)
            node.isAlive = saved.isAlive
            node.role = saved.role
            node.hasContent = saved.size != nil
            node.size = saved.size ?? .zero
            node.position = saved.position
            node.inputRegion = saved.inputRegion
            if let id = saved.window { node.window = try self.node(id) }
            nodes.append(node)
        }
        guard Set(snapshot.freeSurfaces).count == snapshot.freeSurfaces.count,
            snapshot.freeSurfaces.allSatisfy({ $0 < nodes.count && !nodes[Int($0)].isAlive })
        else { throw .broken("\(Rule.c1): a surface is both free and in use") }
        surfaces = SurfaceTree(restoring: nodes, free: snapshot.freeSurfaces)
        for (parent, saved) in snapshot.surfaces.enumerated() {
            for (place, child) in saved.children.enumerated() {
                guard saved.isAlive, surfaces.exists(child), surfaces.nodes[Int(child)].parent == SurfaceTree.none
                else { throw .broken("\(Rule.c1): surface \(child) has several parents or none") }
                surfaces.chain(
                    child, under: UInt32(parent), behind: SurfaceTree.none, isBelow: place < saved.childrenBelow)
            }
        }
        for index in surfaces.nodes.indices where !surfaces.isShallow(UInt32(index)) {
            throw .broken("\(Rule.c1): surface \(index) contains itself, or is nested too deeply")
        }
        surfaces.measureAll()
        for window in windowNodes.values {
            guard window.popups.allSatisfy({ surfaces.exists($0) && surfaces.nodes[Int($0)].window === window })
            else { throw .broken("\(Rule.c3): window \(window.id) has a pop-up that is not its own") }
            if let root = window.value.root {
                window.root = try index(root)
                window.rootHasContent = surfaces.nodes[Int(window.root)].hasContent
            }
            markBox(window)
        }
    }

    private func restore(_ saved: Snapshot.SavedSeat) throws(ModelError) {
        let seat = try node(saved.seat.id)
        func target(_ target: Snapshot.SavedSeat.Target?) throws(ModelError) -> SeatNode.Target? {
            guard let target else { return nil }
            return SeatNode.Target(window: try node(target.window), surface: target.surface)
        }
        var input = SeatInput()
        if let key = saved.key { seat.key = try node(key) }
        seat.lastKeyRequest = saved.lastKeyRequest
        seat.lastWish = saved.lastWish
        // An older server remembered only what asked last.
        seat.forgotten = saved.forgotten ?? max(saved.lastWish, 1) - 1
        input.touches = saved.touches.map(SeatInput.Touch.init)
        input.pencils = saved.pencils.map(SeatInput.Touch.init)
        for touch in saved.touches {
            if let target = try target(touch.target) { seat.touchTargets.add(target, of: touch.id) }
        }
        for pencil in saved.pencils {
            if let target = try target(pencil.target) { seat.pencilTargets.add(target, of: pencil.id) }
        }
        input.pointerScreen = saved.pointerScreen
        input.pointer = saved.pointer
        input.buttons = saved.buttons
        seat.grab = try target(saved.grab)
        seat.focus = saved.focus
        seat.hover = try target(saved.hover)
        switch saved.scroll?.rest {
        case .scroll(let step): input.scroll = step
        case nil: break
        case _?: throw .broken("\(Rule.e5): the running scroll has another detail")
        }
        switch saved.gesture?.rest {
        case .transform(let step): input.gesture = step
        case nil: break
        case _?: throw .broken("\(Rule.e5): the running gesture has another detail")
        }
        seat.scroll = try target(saved.scroll?.target)
        seat.gesture = try target(saved.gesture?.target)
        input.keys = saved.keys
        input.isShaking = saved.shake != nil
        seat.shake = try target(saved.shake?.target)
        self.input[seat] = input
    }
}

extension SeatInput.Touch {
    fileprivate init(_ saved: WindowModel.Snapshot.SavedSeat.Touch) {
        self.init(id: saved.id, screen: saved.screen, point: saved.point, attributes: saved.attributes)
    }
}

extension WindowModel.Snapshot {
    /// An upper bound for all counters, far above any real value, so that incrementing cannot overflow.
    static let most = 1 << 30

    func checkNumbers() throws(ModelError) {
        let large = [
            UInt64(counts.screens), UInt64(counts.applications), UInt64(counts.windows),
        ]
        let huge = [counts.entries, counts.tokens, keyRequests, droppedPresses, ignoredEvents, lastSerial, now]
        guard large.allSatisfy({ $0 < UInt64(UInt32.max / 2) }), huge.allSatisfy({ $0 < UInt64.max / 2 }) else {
            throw .broken("a count exceeds the maximum")
        }
    }
}

extension SurfaceTree {
    func exists(_ index: UInt32) -> Bool { index < nodes.count && nodes[Int(index)].isAlive }

    /// Computes the heights and extents of trees that were only chained.
    mutating func measureAll() {
        for index in nodes.indices where nodes[index].parent == Self.none { measureChildren(of: UInt32(index)) }
    }

    /// Parents first: measuring a child updates its ancestors as needed.
    private mutating func measureChildren(of parent: UInt32) {
        var child = nodes[Int(parent)].firstChild
        while child != Self.none {
            measure(child, under: parent)
            measureChildren(of: child)
            child = nodes[Int(child)].next
        }
    }

    /// Whether the path to the root is no longer than allowed.
    func isShallow(_ index: UInt32) -> Bool {
        var (node, steps) = (index, 0)
        while node != Self.none, steps <= Self.maximumDepth { (node, steps) = (nodes[Int(node)].parent, steps + 1) }
        return steps <= Self.maximumDepth
    }
}

extension ModelError {
    /// The error for an inconsistent snapshot.
    fileprivate static func broken(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: .s1, message: "the snapshot is invalid: \(message)")
    }
}
