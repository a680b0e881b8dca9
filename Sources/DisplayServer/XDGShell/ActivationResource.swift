// xdg_activation_v1 and xdg_activation_token_v1

import Wayland
import WindowModel

/// Tokens that were given out and not used. Only those are kept that are worth something.
final class ActivationTokens {
    /// With the model's count of key requests at that moment, oldest first.
    private var issued: [(token: String, request: UInt64)] = []
    /// A launcher whose program never starts shall not make the list grow.
    private static let limit = 64

    /// A token that nobody can guess.
    static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// A new token that lets its bearer take key.
    func issue(in model: WindowModel) -> String {
        if issued.count == Self.limit { issued.removeFirst() }
        let token = Self.random()
        issued.append((token, model.lastKeyRequest))
        return token
    }

    /// Uses a token up.
    /// - Returns: whether it lets its bearer take key. As with every request to become key (K2) it does not any more when
    ///   another window was made key since: the person has gone on to something else.
    func redeem(_ token: String, in model: WindowModel) -> Bool {
        guard let index = issued.firstIndex(where: { $0.token == token }) else { return false }
        return issued.remove(at: index).request == model.lastKeyRequest
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
            let isEntitled = tokens.redeem(token, in: server.model)
            if let window = surface.window { activate(window, isEntitled: isEntitled) }
        }
    }

    /// K7: makes the window key and brings it to the front, as a touch would; an invisible one when it shows (K2). Where
    /// touches may not do that, and without a good token, key is taken from none but the client's own windows.
    private func activate(_ window: Window.ID, isEntitled: Bool) {
        let model = server.model
        guard model.keyWindow == nil || client.hasKey || isEntitled && model.policy.keyOnTouch else { return }
        server.ignore { () throws(ModelError) in
            try model.makeKey(window)
            try model.bringToFront(window)
        }
    }
}

/// xdg_activation_token_v1: makes one token.
final class ActivationTokenResource: Resource {
    private let tokens: ActivationTokens
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
        case .setSerial(_, let seat): _ = try connection.resource(seat, as: SeatResource.self)
        case .setSurface(let surface): _ = try connection.resource(surface, as: SurfaceResource.self)
        case .commit:
            isUsed = true
            // K2, K7: key is for who has it to hand on; serials and surfaces say nothing that the model does not know.
            let token = client.hasKey ? tokens.issue(in: server.model) : ActivationTokens.random()
            send(XdgActivationTokenV1.Event.done(token: token))
        }
    }
}

extension Client {
    /// Whether one of the client's windows is key.
    fileprivate var hasKey: Bool {
        server.model.keyWindow.flatMap { server.model.application(of: $0) } == application
    }
}
