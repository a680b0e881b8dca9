// The negotiation between the source of a drag and one target.

import MullionWayland

/// Negotiates between a source and the client it is dragged over, from enter until the target has left, or has finished
/// with the dropped data.
final class DragNegotiation {
    private enum Phase {
        case dragging
        /// The action is final.
        case dropped
        /// The target's user chooses the action.
        case asking
        case over
    }

    private weak var source: DataSourceResource?
    private var phase = Phase.dragging
    private var offers: [DataOfferResource] = []
    /// A target before version 3 reports neither what it accepts nor when it has finished.
    private let isLegacy: Bool
    private var isAccepted: Bool
    /// Whether the source was sent a type.
    private var isTargeted = false
    private var actions: DragActions
    private var preferred = DragActions.none
    /// The action agreed upon and sent.
    private(set) var action = DragActions.none
    /// The action requested by held keys, which precedes the target's preference.
    var forced = DragActions.none {
        didSet { if forced != oldValue { update() } }
    }

    /// Creates a finished negotiation, for an offer from another server.
    init() {
        phase = .over
        isLegacy = false
        isAccepted = false
        actions = []
    }

    /// Called when the dropped data will not be taken; cancels the source.
    func abandon() {
        guard phase != .over else { return }
        phase = .over
        source?.cancelDrag()
    }

    /// Creates the offers of the target's devices, which `enter` then sends.
    init(
        _ source: DataSourceResource, to devices: [DataDeviceResource], forced: DragActions,
        enter: (DataDeviceResource, ObjectID) -> Void
    ) {
        self.source = source
        self.forced = forced
        isLegacy = !devices.isEmpty && devices.allSatisfy { $0.version < 3 }
        isAccepted = isLegacy
        actions = isLegacy ? .copy : []
        for device in devices {
            let offer = device.introduce(source, negotiation: self)
            offers.append(offer)
            enter(device, offer.id)
            if offer.version >= 3 { offer.send(WlDataOffer.Event.sourceActions(sourceActions: source.dragActions)) }
        }
        update()
    }

    // MARK: The target

    /// Sets the type that the target accepts; nil: none.
    func accept(_ type: String?) {
        guard phase != .over, let source else { return }
        let known = type.flatMap { source.types.contains($0) ? $0 : nil }
        isAccepted = isLegacy || known != nil
        isTargeted = known != nil
        source.send(WlDataSource.Event.target(mimeType: known))
    }

    /// Sets the actions that the target supports, and the one it prefers. After a drop this only answers `ask`.
    func setActions(_ new: DragActions, preferred: DragActions) {
        guard source != nil, phase == .dragging || phase == .asking else { return }
        actions = new
        self.preferred = preferred
        update()
    }

    /// Called when the target has received everything.
    /// - Returns: why it cannot be finished; nil when it is.
    func finish() -> String? {
        guard phase != .dragging else { return "nothing was dropped yet" }
        // The source was destroyed; there is no client to notify.
        guard phase != .over, let source else { return nil }
        guard isAccepted else { return "no type was accepted" }
        guard !action.isEmpty, action != .ask else { return "no action was chosen" }
        if phase == .asking { source.sendIfKnown(.action(dndAction: action)) }
        phase = .over
        source.sendIfKnown(.dndFinished)
        return nil
    }

    func offerWillBeDestroyed(_ offer: DataOfferResource) {
        offers.removeAll { $0 === offer }
        guard offers.isEmpty else { return }
        switch phase {
        case .dragging:
            isAccepted = false
            actions = []
            update()
        case .dropped, .asking:
            phase = .over
            if isLegacy { source?.sendIfKnown(.dndFinished) } else { source?.cancelDrag() }
        case .over: break
        }
    }

    // MARK: The drag

    /// Called when the drag leaves the target, or ends.
    func leave() {
        guard phase == .dragging else { return }
        phase = .over
        if isTargeted { source?.send(WlDataSource.Event.target(mimeType: nil)) }
        if !action.isEmpty { source?.sendIfKnown(.action(dndAction: .none)) }
    }

    /// Whether a type and an action are agreed upon.
    var isAgreed: Bool { isAccepted && !action.isEmpty && !offers.isEmpty }

    /// Drops the data on this target.
    /// - Returns: false when nothing was agreed upon.
    func drop() -> Bool {
        guard isAgreed, phase == .dragging else { return false }
        phase = action == .ask ? .asking : .dropped
        return true
    }

    /// Negotiates the action again, and sends it if it has changed. After the drop it is sent to the source only when
    /// finished, and the target knows its own choice.
    private func update() {
        guard let source, phase == .dragging || phase == .asking else { return }
        let available = source.dragActions.intersection(actions)
        let wishes = (phase == .dragging ? [forced] : []) + [preferred, .copy, .move, .ask]
        let new = wishes.first { !$0.isEmpty && available.contains($0) } ?? .none
        guard new != action else { return }
        action = new
        guard phase == .dragging else { return }
        source.sendIfKnown(.action(dndAction: new))
        for offer in offers where offer.version >= 3 { offer.send(WlDataOffer.Event.action(dndAction: new)) }
    }
}
