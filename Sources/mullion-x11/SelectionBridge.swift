// A selection that X11 and Wayland programs share.

import EventLoop
import MullionSystem
import MullionWayland
import X11

/// Offers an X11 program's selection to Wayland programs, and the other way round. Content is copied only when somebody
/// wants it, in pieces, and nobody waits for a program that does not answer.
final class SelectionBridge {
    static let mostTypes = SelectionTypes.maximum

    let session: Session
    let atoms: Atoms
    private let manager: WindowManager
    private let selection: XAtom
    private let link: any SelectionLink
    /// Owns the selection for Wayland programs, and receives the targets of X11 programs.
    private let window: XWindowID
    /// When the present X11 owner took it; nil: no X11 program has it.
    private var ownerTime: XTime?
    private var hasNewOwner = false
    /// What the X11 owner has.
    private var targets: [String] = []
    /// What a Wayland program has; empty: none, or an X11 program owns the selection.
    private var types: [String] = []
    /// When this program took the selection for it.
    private var ownTime: XTime = 0
    private var offerNumber = 0
    private let transfers: Transfers

    /// The bridges that the server allows.
    static func make(_ session: Session, _ manager: WindowManager) -> [SelectionBridge] {
        guard let seat = session.link.seat else { return [] }
        var links: [(XAtom, any SelectionLink)] = []
        if let devices = session.link.dataDevices {
            let link = ClientSelection<Clipboard>(devices, seat: seat, maximumTypes: mostTypes)
            links.append((manager.atoms[.clipboard], link))
        }
        if let devices = session.link.primaryDevices {
            let link = ClientSelection<PrimarySelection>(devices, seat: seat, maximumTypes: mostTypes)
            links.append((.primary, link))
        }
        return links.map { SelectionBridge(session, manager, $0, $1) }
    }

    init(_ session: Session, _ manager: WindowManager, _ selection: XAtom, _ link: any SelectionLink) {
        self.session = session
        self.manager = manager
        self.selection = selection
        self.link = link
        atoms = manager.atoms
        transfers = Transfers(session, manager.atoms, selection)
        window = session.x.createHelperWindow()
        session.x.watchSelection(selection, with: window)
        link.onOffer = { [unowned self] types in offered(types) }
        link.onWanted = { [unowned self] type, descriptor in wanted(type, descriptor) }
    }

    func stop() {
        link.onOffer = nil
        link.onWanted = nil
        link.stop()
        transfers.stop()
    }

    /// - Returns: whether the event concerns nobody else.
    func handle(_ event: XEvent) -> Bool {
        switch event {
        case .selectionOwner(selection, let owner, let time, let isGone):
            if isGone { transfers.ownerEnded() }
            ownerChanged(owner, time)
        case .selectionRequest(let request) where request.owner == window: requested(request)
        case .selectionNotify(window, _, atoms[.targets], let property, let time):
            if time == ownerTime { readTargets(hasProperty: property != .none, time) }
        default: return transfers.handle(event)
        }
        return true
    }

    /// Asks a new owner what it has, once per turn.
    func turnEnded() {
        guard hasNewOwner, let ownerTime else { return }
        hasNewOwner = false
        session.x.convertSelection(
            selection, to: atoms[.targets], for: window, property: atoms[.ownTransfer], time: ownerTime)
    }

    // MARK: From X11 programs

    private func ownerChanged(_ owner: XWindowID, _ time: XTime) {
        guard owner != window else { return }
        types = []
        targets = []
        hasNewOwner = owner != .none
        ownerTime = hasNewOwner ? time : nil
        // Until it has answered, and if it never does, its selection has no content.
        offer([])
    }

    private func readTargets(hasProperty: Bool, _ time: XTime) {
        guard hasProperty else { return offer(targets: ["STRING"], time) }
        session.x.property(window, atoms[.ownTransfer], limit: Self.mostTypes, deletes: true) { [weak self] value in
            guard let self, time == ownerTime else { return }
            // Some programs write them with the type TARGETS.
            let found = (value?.words ?? []).map(XAtom.init(rawValue:))
            var names = [String?](repeating: nil, count: found.count)
            var missing = found.count
            guard missing > 0 else { return offer(targets: [], time) }
            for (index, atom) in found.enumerated() {
                atoms.name(of: atom, session.x) { [weak self] name in
                    names[index] = name
                    missing -= 1
                    if missing == 0 { self?.offer(targets: names.compactMap(\.self), time) }
                }
            }
        }
    }

    private func offer(targets: [String], _ time: XTime) {
        guard time == ownerTime else { return }
        self.targets = targets
        offer(SelectionTypes.types(ofTargets: targets))
    }

    /// Offers what an X11 program has; empty: withdraws it.
    private func offer(_ types: [String]) {
        guard !types.isEmpty else { return link.withdraw() }
        // The server takes any serial from the manager of the X server that has the keyboard.
        link.offer(types, serial: 0)
    }

    /// A Wayland program wants what an X11 program has.
    private func wanted(_ type: String, _ descriptor: OwnedDescriptor) {
        guard let time = ownerTime, let target = SelectionTypes.target(for: type, among: targets) else {
            return descriptor.close()
        }
        transfers.read(target, time, to: descriptor) { [weak self] in self?.ownerTime == time }
    }

    // MARK: From Wayland programs

    private func offered(_ types: [String]) {
        // What an X11 program owns comes back as an offer.
        guard !link.isOffering else { return }
        offerNumber += 1
        let number = offerNumber
        let targets = SelectionTypes.targets(ofTypes: types)
        guard !targets.isEmpty else {
            if !self.types.isEmpty { session.x.setSelectionOwner(.none, of: selection, time: ownTime) }
            self.types = []
            // What an X11 program took while none of their windows had the keyboard.
            if ownerTime != nil { offer(SelectionTypes.types(ofTargets: self.targets)) }
            return
        }
        self.types = types
        ownerTime = nil
        hasNewOwner = false
        var missing = targets.count
        for target in targets {
            // So that they can be answered at once.
            atoms.intern(target, session.x) { [weak self] _ in
                missing -= 1
                if missing == 0 { self?.takeSelection(number) }
            }
        }
    }

    private func takeSelection(_ number: Int) {
        manager.withTime { [weak self] time in
            guard let self, number == offerNumber, !types.isEmpty else { return }
            ownTime = time
            session.x.setSelectionOwner(window, of: selection, time: time)
        }
    }

    /// An X11 program wants what a Wayland program has.
    private func requested(_ request: XSelectionRequest) {
        let number = offerNumber
        transfers.answer(request, types, since: ownTime, if: { [weak self] in number == self?.offerNumber }) {
            [weak self] type, descriptor in self?.link.receive(type, descriptor)
        }
    }
}
