// wl_data_offer

import MullionWayland

/// wl_data_offer: a source as seen by the receiving client. The data flow from client to client.
final class DataOfferResource: Resource {
    private(set) weak var source: (any SelectionSource)?
    /// Nil for an offer of the selection.
    let negotiation: DragNegotiation?
    var isFinished = false

    init(_ client: Client, version: UInt32, source: (any SelectionSource)?, negotiation: DragNegotiation?) {
        self.source = source
        self.negotiation = negotiation
        super.init(serverSideOn: client, version: version)
    }

    /// Once it is finished, only destroying it has an effect. As in other servers, other requests are no errors then.
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataOffer.Request.self, opcode, &reader) {
        case .accept(_, let type): if !isFinished { negotiation?.accept(type) }
        case .receive(let type, let descriptor): if !isFinished { source?.write(type, to: descriptor) }
        case .destroy: destroy()
        case .finish:
            if isFinished { return }
            guard let negotiation else { throw error(.invalidFinish, "only the offer of a drag can be finished") }
            if let reason = negotiation.finish() { throw error(.invalidFinish, reason) }
            isFinished = true
        case .setActions(let actions, let preferred): if !isFinished { try setActions(actions, preferred) }
        }
    }

    override func willDestroy() { negotiation?.offerWillBeDestroyed(self) }

    private func setActions(_ actions: DragActions, _ preferred: DragActions) throws(ProtocolError) {
        guard DragActions.all.contains(actions) else {
            throw error(.invalidActionMask, "\(actions.rawValue) has bits beyond copy, move and ask")
        }
        guard preferred.isSingle, actions.contains(preferred) else {
            throw error(
                .invalidAction, "\(preferred.rawValue) is not a preferred action; use one of the actions, or none")
        }
        guard let negotiation else { throw error(.invalidOffer, "only the offer of a drag has actions") }
        negotiation.setActions(actions, preferred: preferred)
    }

    private func error(_ code: WlDataOffer.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
