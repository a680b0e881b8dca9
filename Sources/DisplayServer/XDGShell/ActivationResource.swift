// xdg_activation_v1 and xdg_activation_token_v1

import MullionWayland
import WindowModel

/// Tokens that were issued but not used. Worthless tokens are not stored.
final class ActivationTokens {
    /// A seat for which the token is valid, with the model's count of key requests at the time of issue.
    private struct Grant {
        let seat: Seat.ID
        let request: UInt64
    }

    /// Oldest first.
    private var issued: [(token: String, grants: [Grant])] = []
    /// Bounds the list, since programs may never use their tokens.
    private static let limit = 64

    /// An unguessable token.
    private static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Issues a token that allows taking key on these seats; with no seats it is worthless.
    func issue(for seats: [Seat.ID], in model: WindowModel) -> String {
        let token = Self.random()
        guard !seats.isEmpty else { return token }
        if issued.count == Self.limit { issued.removeFirst() }
        issued.append((token, seats.map { Grant(seat: $0, request: model.lastKeyRequest(of: $0)) }))
        return token
    }

    /// Consumes a token.
    /// - Returns: the seats on which it allows taking key. Like every request to become key (K2) it is void if another
    ///   window was made key since: the user has moved on.
    func redeem(_ token: String, in model: WindowModel) -> [Seat.ID] {
        guard let index = issued.firstIndex(where: { $0.token == token }) else { return [] }
        return issued.remove(at: index).grants.filter { $0.request == model.lastKeyRequest(of: $0.seat) }.map(\.seat)
    }
}

/// xdg_activation_v1: lets the program that has key pass it on.
final class ActivationResource: Resource {
    private let tokens: ActivationTokens

    init(_ client: Client, id: ObjectID, version: UInt32, tokens: ActivationTokens) throws(ProtocolError) {
        self.tokens = tokens
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgActivationV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getActivationToken(let id):
            _ = try ActivationTokenResource(client, id: id, version: version, tokens: tokens)
        case .activate(let token, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let seats = tokens.redeem(token, in: server.model)
            if let window = surface.window { activate(window, entitledOn: seats) }
        }
    }

    /// K7: makes the window key and brings it to the front, as a touch would; an invisible one when it is shown (K2),
    /// and a minimized one is shown.
    /// Where touches may not do that, and without a valid token, key is taken only from the client's own windows. K1:
    /// the relevant seat is that of the window's screen or, for a window without a screen, the token's.
    private func activate(_ window: Window.ID, entitledOn seats: [Seat.ID]) {
        let model = server.model
        let seat = model.seat(of: window) ?? seats.first ?? .first
        let isEntitled = seats.contains(seat) && model.policy.keyOnTouch
        guard model.keyWindow(of: seat) == nil || client.hasKey(on: seat) || isEntitled else { return }
        if case .toplevel(let toplevel) = server.windows[window] { toplevel.setMinimized(false) }
        server.logErrors { () throws(ModelError) in
            try model.makeKey(window)
            try model.bringToFront(window)
        }
    }
}

/// xdg_activation_token_v1: creates one token.
final class ActivationTokenResource: Resource {
    private let tokens: ActivationTokens
    /// The seat whose key is passed on; nil for every seat where the client has key.
    var seat: Seat.ID?
    var isUsed = false

    init(_ client: Client, id: ObjectID, version: UInt32, tokens: ActivationTokens) throws(ProtocolError) {
        self.tokens = tokens
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(XdgActivationTokenV1.Request.self, opcode, &reader)
        if case .destroy = request { return destroy() }
        guard !isUsed else {
            throw ProtocolError(
                object: id, code: XdgActivationTokenV1.Error.alreadyUsed.rawValue,
                message: "the token was committed; the object can only be destroyed")
        }
        switch request {
        case .destroy, .setAppId: break
        case .setSerial(_, let seat): self.seat = try connection.resource(seat, as: SeatResource.self).seat.id
        case .setSurface(let surface): _ = try connection.resource(surface, as: SurfaceResource.self)
        case .commit:
            isUsed = true
            // K2, K7: only the client with key can pass it on; serials and surfaces add nothing to what the model
            // knows.
            let seats = server.model.seats.filter { (seat == nil || seat == $0) && client.hasKey(on: $0) }
            send(XdgActivationTokenV1.Event.done(token: tokens.issue(for: seats, in: server.model)))
        }
    }
}

extension Client {
    /// Whether one of the client's windows is the seat's key window.
    fileprivate func hasKey(on seat: Seat.ID) -> Bool {
        server.model.keyWindow(of: seat).flatMap { server.model.application(of: $0) } == application
    }
}
