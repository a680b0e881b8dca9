// xdg_activation_v1 and xdg_activation_token_v1

import Wayland
import WindowModel

/// Tokens that were given out and not used. Only those are kept that are worth something.
final class ActivationTokens {
    /// A seat on which it is good, with the model's count of key requests there when it was given out.
    private struct Grant {
        let seat: Seat.ID
        let request: UInt64
    }

    /// Oldest first.
    private var issued: [(token: String, grants: [Grant])] = []
    /// A launcher whose program never starts shall not make the list grow.
    private static let limit = 64

    /// A token that nobody can guess.
    private static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// A new token that lets its bearer take key on these seats; on none it is worth nothing.
    func issue(for seats: [Seat.ID], in model: WindowModel) -> String {
        let token = Self.random()
        guard !seats.isEmpty else { return token }
        if issued.count == Self.limit { issued.removeFirst() }
        issued.append((token, seats.map { Grant(seat: $0, request: model.lastKeyRequest(of: $0)) }))
        return token
    }

    /// Uses a token up.
    /// - Returns: the seats on which it lets its bearer take key. As with every request to become key (K2) it does not any
    ///   more where another window was made key since: the person has gone on to something else.
    func redeem(_ token: String, in model: WindowModel) -> [Seat.ID] {
        guard let index = issued.firstIndex(where: { $0.token == token }) else { return [] }
        return issued.remove(at: index).grants.filter { $0.request == model.lastKeyRequest(of: $0.seat) }.map(\.seat)
    }
}

/// xdg_activation_v1: the program that has key hands it on.
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

    /// K7: makes the window key and brings it to the front, as a touch would; an invisible one when it shows (K2). Where
    /// touches may not do that, and without a good token, key is taken from none but the client's own windows. K1: what
    /// counts is the seat of the window's screen, whose key it is about; of a window without a screen the token's.
    private func activate(_ window: Window.ID, entitledOn seats: [Seat.ID]) {
        let model = server.model
        let seat = model.seat(of: window) ?? seats.first ?? .first
        let isEntitled = seats.contains(seat) && model.policy.keyOnTouch
        guard model.keyWindow(of: seat) == nil || client.hasKey(on: seat) || isEntitled else { return }
        server.ignore { () throws(ModelError) in
            try model.makeKey(window)
            try model.bringToFront(window)
        }
    }
}

/// xdg_activation_token_v1: makes one token.
final class ActivationTokenResource: Resource {
    private let tokens: ActivationTokens
    /// Whose key it hands on; nil: of every seat where its client has it.
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
                message: "the token was committed; all that is left to do is to destroy the object")
        }
        switch request {
        case .destroy, .setAppId: break
        case .setSerial(_, let seat): self.seat = try connection.resource(seat, as: SeatResource.self).seat.id
        case .setSurface(let surface): _ = try connection.resource(surface, as: SurfaceResource.self)
        case .commit:
            isUsed = true
            // K2, K7: key is for who has it to hand on; serials and surfaces say nothing that the model does not know.
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
