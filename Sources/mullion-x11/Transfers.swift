// The content of a selection on its way between programs.

import MullionSystem
import X11

/// The transfers of one selection in both directions. Content is copied in pieces through relays, so that this program never
/// waits for another one.
final class Transfers {
    /// The most transfers in one direction at the same time; others get nothing.
    static let most = 16

    private let session: Session
    private let atoms: Atoms
    private let selection: XAtom
    private var incoming: [XWindowID: IncomingJob] = [:]
    private var outgoing: [ObjectIdentifier: OutgoingJob] = [:]

    init(_ session: Session, _ atoms: Atoms, _ selection: XAtom) {
        self.session = session
        self.atoms = atoms
        self.selection = selection
    }

    /// Whether X11 programs are receiving something.
    var isSending: Bool { !outgoing.isEmpty }

    func stop() {
        incoming = [:]
        outgoing = [:]
    }

    /// Called when the owner of the selection has ended. One that only lost it goes on writing what it began.
    func ownerEnded() {
        for job in incoming.values { job.giveUp() }
    }

    /// - Returns: whether the event concerns nobody else.
    func handle(_ event: XEvent) -> Bool {
        switch event {
        case .selectionNotify(let requestor, _, _, let property, _):
            guard let job = incoming[requestor] else { return false }
            job.answered(hasProperty: property != .none)
            return true
        case .propertyChanged(let window, let atom, _, let isDeleted):
            if let job = incoming[window] {
                if !isDeleted, atom == atoms[.ownTransfer] { job.propertyChanged() }
                return true
            }
            // A window of a program, whose title may be changed by the same event.
            if isDeleted { for job in outgoing.values { job.propertyDeleted(window, atom) } }
        case .destroyed(let window): for job in outgoing.values { job.requestorEnded(window) }
        default: break
        }
        return false
    }

    /// Asks the owner of the selection for a target, and writes it to a descriptor.
    /// - Parameter isValid: whether that is still wanted when the atom is known.
    func read(
        _ target: SelectionTypes.Target, _ time: XTime, to descriptor: OwnedDescriptor,
        if isValid: @escaping () -> Bool
    ) {
        guard incoming.count < Self.most else { return descriptor.close() }
        atoms.intern(target.name, session.x) { [weak self] atom in
            guard let self, let atom, isValid(), incoming.count < Self.most else { return descriptor.close() }
            let job = IncomingJob(session, atoms, descriptor, target.conversion)
            guard let job else { return }
            incoming[job.window] = job
            job.onEnd = { [weak self, unowned job] in self?.incoming[job.window] = nil }
            session.x.convertSelection(
                selection, to: atom, for: job.window, property: atoms[.ownTransfer], time: time)
        }
    }

    /// Answers an X11 program that wants what a Wayland program has.
    /// - Parameters:
    ///   - types: what the Wayland program offers.
    ///   - time: since when.
    ///   - isValid: whether it still does when the target is known.
    ///   - receive: asks the Wayland program to write a type to a descriptor.
    func answer(
        _ request: XSelectionRequest, _ types: [String], since time: XTime, if isValid: @escaping () -> Bool,
        _ receive: @escaping (String, OwnedDescriptor) -> Void
    ) {
        let x = session.x
        // Programs before ICCCM name no property.
        let property = request.property == .none ? request.target : request.property
        switch request.target {
        case _ where request.selection != selection || types.isEmpty: x.answer(request, property: .none)
        case atoms[.targets]:
            var all = [atoms[.targets], atoms[.timestamp]]
            for target in SelectionTypes.targets(ofTypes: types) {
                atoms.intern(target, x) { atom in if let atom { all.append(atom) } }
            }
            x.setProperty(request.requestor, property, type: .atom, all.map(\.rawValue))
            x.answer(request, property: property)
        case atoms[.timestamp]:
            x.setProperty(request.requestor, property, type: .integer, [time])
            x.answer(request, property: property)
        default:
            atoms.name(of: request.target, x) { [weak self] name in
                guard let self, let name, isValid(), let type = SelectionTypes.type(for: name, among: types) else {
                    return x.answer(request, property: .none)
                }
                send(type, request, property, receive)
            }
        }
    }

    private func send(
        _ type: SelectionTypes.Target, _ request: XSelectionRequest, _ property: XAtom,
        _ receive: (String, OwnedDescriptor) -> Void
    ) {
        guard outgoing.count < Self.most,
            let (job, end) = OutgoingJob.make(session, atoms, request, property, type.conversion)
        else { return session.x.answer(request, property: .none) }
        outgoing[ObjectIdentifier(job)] = job
        job.onEnd = { [weak self, unowned job] in self?.outgoing[ObjectIdentifier(job)] = nil }
        receive(type.name, end)
    }
}
