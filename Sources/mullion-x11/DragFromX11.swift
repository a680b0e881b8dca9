// The drag of an X11 program.

import EventLoop
import MullionWayland
import X11

/// The drag of the program that has taken the selection of drags. X11 programs find each other by themselves; over a window
/// of a Wayland program they find the cover, which answers for it.
final class DragFromX11 {
    /// What the program says while it is over the cover.
    private final class Visit {
        let window: XWindowID
        /// What it has, by the names of its targets; nil until they are known.
        var targets: [String]?
        /// XdndActionList; nil until it is known.
        var actions: [DragAction]?
        /// The action of its last position; nil: there was none, or it is unknown.
        var requested: DragAction?
        var offered = OfferedActions(list: [], requested: nil)
        /// What was created for it.
        var source: Proxy<WlDataSource>?
        /// The time of the program's last message, by its clock.
        var time: XTime = 0
        var hasPosition = false
        /// What the Wayland program accepts.
        var isAccepted = false
        var action: DragActionMask = []
        var status: DragMessage?

        init(_ window: XWindowID) { self.window = window }
    }

    private unowned let bridge: DragBridge
    private let drag: Proxy<MullionX11DragV1>
    private var visit: Visit?
    /// Whether properties of a visit are being read, and what to read next.
    private var isReading = false
    private var waitingReading: (() -> Void)?
    private var isReleased = false
    /// Whether the program has dropped, and waits for the end.
    private var hasDropped = false
    /// Whether the server's part is over.
    private var isOver = false
    private var isClosed = false
    private var hasEnded = false
    private var timer: Timer?

    private var session: Session { bridge.session }

    /// - Parameter owner: the window that owns the selection of drags.
    init(_ bridge: DragBridge, owner: XWindowID) {
        self.bridge = bridge
        let server = bridge.session.server
        drag = Proxy<MullionX11DragV1>(bridge.session.link.connection, version: server.version)
        server.send(.startDrag(id: drag.id))
        drag.onEvent = { [unowned self] event in handle(event) }
        timer = Timer(session.loop) { [unowned self] _, _ in giveUp() }
        bridge.manager.dragSource = owner
    }

    private func handle(_ event: MullionX11DragV1.Event) {
        switch event {
        case .target(let target): if !hasDropped { bridge.setCovering(target == .other) }
        case .released:
            isReleased = true
            // The program drops, leaves, or hangs.
            if visit == nil { giveUp() } else { timer?.arm(at: session.loop.now + IncomingJob.patience) }
        case .ended:
            isOver = true
            if hasDropped { close() } else { giveUp() }
        }
    }

    // MARK: The program

    func received(_ message: DragMessage) {
        guard !hasEnded else { return }
        switch message {
        case .enter(let window, let version, let types, let hasMore):
            if !hasDropped, DragMessage.versions.contains(version) { enter(window, types, hasMore: hasMore) }
        case .position(let window, _, _, let time, let action):
            guard let visit, visit.window == window, !hasDropped else { return }
            visit.time = time
            visit.hasPosition = true
            visit.requested = bridge.names.action(action)
            offer(visit)
            sendStatus(visit, evenIfEqual: true)
        case .leave(let window):
            guard let visit, visit.window == window, !hasDropped else { return }
            leave()
            if isReleased { giveUp() }
        case .drop(let window, let time): drop(window, time)
        case .status, .finished: break
        }
    }

    private func enter(_ window: XWindowID, _ types: [XAtom], hasMore: Bool) {
        leave()
        let new = Visit(window)
        visit = new
        // A program that enters all the time causes one reading at a time.
        let read = { [weak self, weak new] in
            if let new { self?.readActions(types, hasMore: hasMore, new) }
        }
        if isReading { waitingReading = read } else { read() }
    }

    private func readActions(_ types: [XAtom], hasMore: Bool, _ visit: Visit) {
        isReading = true
        let (x, atoms, limit) = (session.x, bridge.atoms, SelectionTypes.maximum)
        x.property(visit.window, atoms[.dragActions], limit: limit) { [weak self] value in
            guard let self else { return }
            visit.actions = (value?.words ?? []).compactMap { self.bridge.names.action(XAtom(rawValue: $0)) }
            guard hasMore else { return findNames(types, visit) }
            x.property(visit.window, atoms[.dragTypes], limit: limit) { [weak self] value in
                self?.findNames((value?.words ?? []).map(XAtom.init(rawValue:)), visit)
            }
        }
    }

    private func findNames(_ types: [XAtom], _ visit: Visit) {
        var names = [String?](repeating: nil, count: types.count)
        var missing = types.count
        if types.isEmpty { didRead([], visit) }
        for (index, type) in types.enumerated() {
            bridge.atoms.name(of: type, session.x) { [weak self] name in
                names[index] = name
                missing -= 1
                if missing == 0 { self?.didRead(names.compactMap(\.self), visit) }
            }
        }
    }

    private func didRead(_ targets: [String], _ visit: Visit) {
        visit.targets = targets
        offer(visit)
        isReading = false
        let next = waitingReading
        waitingReading = nil
        next?()
    }

    /// Offers what the program drags, once everything is known; a single action is known with the first position.
    private func offer(_ visit: Visit) {
        guard visit === self.visit, visit.source == nil, visit.hasPosition, !isOver, let targets = visit.targets,
            let actions = visit.actions
        else { return }
        visit.offered = OfferedActions(list: actions, requested: visit.requested)
        let source = bridge.link.source(SelectionTypes.types(ofTargets: targets), visit.offered.mask)
        visit.source = source
        source.onEvent = { [weak self, weak visit] event in
            if let self, let visit { handle(event, of: visit) }
        }
        drag.send(.setSource(source: source.id))
    }

    private func sendStatus(_ visit: Visit, evenIfEqual: Bool) {
        let action = visit.isAccepted ? visit.offered.action(for: visit.action) : nil
        let status = DragMessage.status(
            target: bridge.cover, isAccepted: action != nil, action: bridge.names[action])
        guard visit.hasPosition, !hasDropped, evenIfEqual || status != visit.status else { return }
        visit.status = status
        bridge.send(status, to: visit.window)
    }

    private func drop(_ window: XWindowID, _ time: XTime) {
        guard let visit, visit.window == window, visit.source != nil, !isOver, !hasDropped else {
            return bridge.send(.finished(target: bridge.cover, isAccepted: false, action: .none), to: window)
        }
        visit.time = time
        hasDropped = true
        timer = nil
        drag.send(.drop)
        bridge.setCovering(false)
    }

    private func leave() {
        guard let visit else { return }
        self.visit = nil
        visit.source?.onEvent = nil
        visit.source?.send(.destroy)
    }

    // MARK: The Wayland program

    private func handle(_ event: WlDataSource.Event, of visit: Visit) {
        switch event {
        case .target(let type):
            visit.isAccepted = type != nil
            sendStatus(visit, evenIfEqual: false)
        case .action(let action):
            visit.action = DragActionMask(rawValue: action.rawValue)
            sendStatus(visit, evenIfEqual: false)
        case .send(let type, let descriptor):
            guard let target = SelectionTypes.target(for: type, among: visit.targets ?? []) else {
                return descriptor.close()
            }
            bridge.transfers.read(target, visit.time, to: descriptor) { [weak self] in self?.hasEnded == false }
        case .dndDropPerformed: break
        case .dndFinished: finish(isAccepted: true)
        case .cancelled: if hasDropped { finish(isAccepted: false) } else { leave() }
        }
    }

    private func finish(isAccepted: Bool) {
        guard let visit else { return }
        let action = isAccepted ? visit.offered.action(for: visit.action) : nil
        if action == .move {
            // GTK deletes what was moved when it is asked to.
            session.x.convertSelection(
                bridge.atoms[.dragSelection], to: bridge.atoms[.delete], for: bridge.cover,
                property: bridge.atoms[.ownTransfer], time: visit.time)
        }
        bridge.send(
            .finished(target: bridge.cover, isAccepted: isAccepted, action: bridge.names[action]), to: visit.window)
        leave()
    }

    // MARK: The end

    /// Ends the server's part; the program learns that nobody accepts what it drags.
    private func giveUp() {
        timer = nil
        bridge.setCovering(false)
        guard !hasDropped else { return }
        if let visit {
            (visit.isAccepted, visit.action) = (false, [])
            sendStatus(visit, evenIfEqual: false)
        }
        leave()
        close()
    }

    private func close() {
        guard !isClosed else { return }
        bridge.manager.dragEnded()
        (isOver, isClosed) = (true, true)
        drag.onEvent = nil
        drag.send(.destroy)
    }

    /// Called when the program's drag is over, or another one begins.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if hasDropped { finish(isAccepted: false) }
        hasDropped = false
        giveUp()
    }
}
