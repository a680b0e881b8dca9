// What the source of a drag and one target agree upon.

import Wayland

/// The talk between a source and the client over which it is dragged, from enter until the target has left, or has
/// finished with what was dropped.
final class DragNegotiation {
    private enum Phase {
        case dragging
        /// The action is final.
        case dropped
        /// The action is the target's user to choose.
        case asking
        case over
    }

    private weak var source: DataSourceResource?
    private var phase = Phase.dragging
    private var offers: [DataOfferResource] = []
    /// A target from before version 3 says neither what it accepts nor when it has finished.
    private let isLegacy: Bool
    private var isAccepted: Bool
    /// Whether the source was told of a type.
    private var isTargeted = false
    private var actions: DragActions
    private var preferred = DragActions.none
    /// What was agreed upon, and told.
    private(set) var action = DragActions.none
    /// What the held keys ask for, before what the target prefers.
    var forced = DragActions.none {
        didSet { if forced != oldValue { update() } }
    }

    /// One of another server: there is nothing more to be agreed upon.
    init() {
        phase = .over
        isLegacy = false
        isAccepted = false
        actions = []
    }

    /// What was dropped is not taken any more; the source learns so.
    func abandon() {
        guard phase != .over else { return }
        phase = .over
        source?.cancelDrag()
    }

    /// Introduces the source to the target's devices, which `enter` then tells of their offers.
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

    /// The target can receive the type, nil: nothing.
    func accept(_ type: String?) {
        guard phase != .over, let source else { return }
        let known = type.flatMap { source.types.contains($0) ? $0 : nil }
        isAccepted = isLegacy || known != nil
        isTargeted = known != nil
        source.send(WlDataSource.Event.target(mimeType: known))
    }

    /// What the target can do with the data, and would rather. After a drop only a question is still to be answered.
    /// - Returns: false when the answer is an action that the source has not.
    func setActions(_ new: DragActions, preferred: DragActions) -> Bool {
        guard let source, phase == .dragging || phase == .asking else { return true }
        if phase == .asking, !source.dragActions.contains(preferred) { return false }
        actions = new
        self.preferred = preferred
        update()
        return true
    }

    /// The target has all that it wanted.
    /// - Returns: why it cannot have been finished, nil when it is.
    func finish() -> String? {
        guard phase != .dragging else { return "nothing was dropped yet" }
        // The source has gone meanwhile: nobody is interested.
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

    /// The drag goes elsewhere, or ends.
    func leave() {
        guard phase == .dragging else { return }
        phase = .over
        if isTargeted { source?.send(WlDataSource.Event.target(mimeType: nil)) }
        if !action.isEmpty { source?.sendIfKnown(.action(dndAction: .none)) }
    }

    /// The data are dropped here.
    /// - Returns: false when nothing was agreed upon.
    func drop() -> Bool {
        guard isAccepted, !action.isEmpty, !offers.isEmpty, phase == .dragging else { return false }
        phase = action == .ask ? .asking : .dropped
        return true
    }

    /// Agrees upon an action anew, and tells of another one. After the drop the source hears of it when all is finished,
    /// and the target knows what it chose.
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
