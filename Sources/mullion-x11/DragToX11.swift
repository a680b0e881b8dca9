// A Wayland program's drag over a window of an X11 program.

import EventLoop
import MullionWayland
import X11

/// One visit of a drag to a window, from enter to leave or to the end of the drop.
///
/// The X11 program may answer late or never: the Wayland program then sees that the drag is not accepted, and its drop
/// fails after a while.
final class DragToX11 {
    /// How long those who ask whether everything is done wait for the program, in microseconds.
    private static let patience: UInt64 = 500_000

    let offer: DragOffer
    /// When the selection was taken.
    private(set) var time: XTime = 0
    private(set) var hasDropped = false
    private(set) var hasEnded = false
    private unowned let bridge: DragBridge
    private let window: ManagedWindow
    private let serial: UInt32
    private var positions: DragPositions
    /// Where messages go, once the program is known to take part.
    private var target: (window: XWindowID, version: UInt32)?
    /// What the program has accepted.
    private var accepted: DragAction?
    /// What the server was sent about that.
    private var answer = Answer()
    private var timer: Timer?
    /// What waits for the program's answer to the last position.
    private var unanswered: [() -> Void] = []
    private var isAnswerDue = true
    private var answerTimer: Timer?

    private struct Answer: Equatable {
        var preferred: DragActionMask?
        var all: DragActionMask = []
    }

    private var session: Session { bridge.session }
    private var atoms: Atoms { bridge.atoms }

    init(_ bridge: DragBridge, _ window: ManagedWindow, _ offer: DragOffer, _ entry: DragEntry) {
        self.bridge = bridge
        self.window = window
        self.offer = offer
        serial = entry.serial
        let (x, y) = Self.root(entry.x, entry.y, window)
        positions = DragPositions(x: x, y: y, action: .copy)
        timer = Timer(session.loop) { [unowned self] _, _ in
            // A transfer ends by itself when nothing happens.
            if self.bridge.transfers.isSending { isAlive() } else { end() }
        }
        answerTimer = Timer(session.loop) { [unowned self] _, _ in answered() }
        offer.onAction = { [unowned self] in request() }
        findTarget()
    }

    private static func root(_ x: Double, _ y: Double, _ window: ManagedWindow) -> (Int, Int) {
        (window.frame.x + Int(x.rounded(.down)), window.frame.y + Int(y.rounded(.down)))
    }

    // MARK: Enter

    /// Reads whether the window, or another one for it, takes drags.
    private func findTarget() {
        let id = window.id
        session.x.property(id, atoms[.dragProxy], limit: 1) { [weak self] value in
            guard let self, !hasEnded else { return }
            let proxy = XWindowID(rawValue: value?.words.first ?? 0)
            guard proxy != .none else { return findVersion(of: id) }
            // A proxy names itself; others are left over from a program that has ended.
            session.x.property(proxy, atoms[.dragProxy], limit: 1) { [weak self] value in
                self?.findVersion(of: value?.words.first == proxy.rawValue ? proxy : id)
            }
        }
    }

    private func findVersion(of destination: XWindowID) {
        session.x.property(destination, atoms[.dragAware], limit: 1) { [weak self] value in
            guard let self, !hasEnded else { return }
            // Most windows do not take drags.
            guard let version = value?.words.first, version >= DragMessage.versions.lowerBound else {
                return answered()
            }
            let known = min(version, DragMessage.versions.upperBound)
            findTypes { [weak self] types in self?.takeSelection(types, for: (destination, known)) }
        }
    }

    private func findTypes(_ body: @escaping ([XAtom]) -> Void) {
        let targets = SelectionTypes.targets(ofTypes: offer.types)
        var found = [XAtom?](repeating: nil, count: targets.count)
        var missing = targets.count
        if targets.isEmpty { body([]) }
        for (index, target) in targets.enumerated() {
            atoms.intern(target, session.x) { atom in
                found[index] = atom
                missing -= 1
                if missing == 0 { body(found.compactMap(\.self)) }
            }
        }
    }

    private func takeSelection(_ types: [XAtom], for target: (window: XWindowID, version: UInt32)) {
        bridge.manager.withTime { [weak self] time in
            guard let self, !hasEnded else { return }
            self.time = time
            let (x, source) = (session.x, bridge.source)
            x.setSelectionOwner(source, of: atoms[.dragSelection], time: time)
            x.setProperty(source, atoms[.dragTypes], type: .atom, types.map(\.rawValue))
            let actions = offer.actions.actions
            x.setProperty(source, atoms[.dragActions], type: .atom, actions.map { self.bridge.names[$0].rawValue })
            let descriptions = actions.map { $0.title + "\0" }.joined()
            x.setProperty(source, atoms[.dragDescriptions], type: .string, format: 8, Array(descriptions.utf8))
            self.target = target
            let first = Array(types.prefix(3))
            send(.enter(source: source, version: target.version, types: first, hasMore: types.count > 3))
            sendPosition(positions.answered())
            if hasDropped { sendDrop() }
        }
    }

    private func send(_ message: DragMessage) {
        if let target { bridge.send(message, to: target.window, for: window.id) }
    }

    // MARK: Positions

    func move(_ x: Double, _ y: Double) {
        guard !hasDropped else { return }
        let (x, y) = Self.root(x, y, window)
        sendPosition(positions.move(x: x, y: y))
    }

    /// Requests the action that a drop would have, if there is one yet, else the first that the source offers.
    private func request() {
        guard !hasDropped, let action = (offer.action.isEmpty ? offer.actions : offer.action).actions.first else {
            return
        }
        sendPosition(positions.request(action))
    }

    private func sendPosition(_ position: DragPositions.Position?) {
        guard let position else { return }
        isAnswerDue = true
        send(
            .position(
                source: bridge.source, x: position.x, y: position.y, time: time, action: bridge.names[position.action]))
    }

    func received(_ message: DragMessage) {
        guard !hasEnded, let target else { return }
        switch message {
        // Proxies answer for the window.
        case .status(let from, let isAccepted, let action) where from == window.id || from == target.window:
            isAnswerDue = false
            guard !hasDropped else { return answered() }
            accept(isAccepted ? bridge.names.action(action) ?? positions.requested : nil)
            sendPosition(positions.answered())
            if !isAnswerDue { answered() }
        case .finished(let from, let isAccepted, let action) where from == window.id || from == target.window:
            guard hasDropped else { return }
            // Versions before 5 do not say.
            let isDone = isAccepted || target.version < 5
            let done = target.version < 5 ? accepted : bridge.names.action(action) ?? accepted
            if isDone, let done { offer.finish(done.mask) }
            end()
        case .enter, .position, .status, .leave, .drop, .finished: break
        }
    }

    private func accept(_ action: DragAction?) {
        accepted = offer.types.isEmpty ? nil : action
        var new = Answer(preferred: accepted?.mask)
        if let mask = new.preferred {
            // A program that insists on another action than the requested one has only that.
            new.all = mask == positions.requested?.mask ? offer.actions.union(mask) : mask
        }
        guard new != answer else { return }
        answer = new
        offer.accept(new.preferred, of: new.all, serial: serial)
    }

    /// Calls `body` once the program has answered where the drag is now. One that does not is not waited for.
    func afterAnswer(_ body: @escaping () -> Void) {
        guard isAnswerDue, !hasEnded else { return body() }
        unanswered.append(body)
        // Once for all, so that those who come later do not prolong it.
        if unanswered.count == 1 { answerTimer?.arm(at: session.loop.now + Self.patience) }
    }

    private func answered() {
        isAnswerDue = false
        let waiting = unanswered
        unanswered = []
        for body in waiting { body() }
    }

    // MARK: Drop

    func drop() {
        guard !hasDropped, !hasEnded else { return }
        hasDropped = true
        isAlive()
        if target != nil { sendDrop() }
    }

    private func sendDrop() {
        bridge.manager.withTime { [weak self] time in
            guard let self, !hasEnded else { return }
            send(.drop(source: bridge.source, time: time))
        }
    }

    /// Waits for the program once more. People who are asked may take their time.
    func isAlive() {
        guard hasDropped, accepted != .ask else { return }
        timer?.arm(at: session.loop.now + IncomingJob.patience)
    }

    func windowEnded(_ id: XWindowID) {
        if id == window.id || id == target?.window { end() }
    }

    /// Ends the visit. A drop that was not finished fails.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        timer = nil
        answered()
        answerTimer = nil
        if !hasDropped { send(.leave(source: bridge.source)) }
        offer.onAction = nil
        offer.end()
    }
}
