// Access control of the control API.

import DisplayServer
import EventLoop

/// How the clients of a listening socket are authenticated.
enum Admission {
    /// On a Unix socket: by the kernel's credentials and the policy.
    case credentials
    /// On TCP, where there are no credentials: by a token. Browsers can connect too, so requests from pages of another
    /// origin, or under another host name, are refused.
    case token(ControlToken, at: LoopbackAddress)

    /// Refuses cross-origin requests of browsers.
    /// - Throws: 403 for a Host that is not the server's, and for pages of another origin.
    func checkOrigin(_ request: HTTPRequest) throws(Problem) {
        guard case .token(_, let address) = self else { return }
        let host = request.headers["Host"]?.lowercased() ?? ""
        let hosts = address.authorities
        guard hosts.contains(host) else {
            let names = hosts.joined(separator: " or ")
            throw Problem(.foreignHost, "Host \"\(host.shortened)\" is not this server; use \(names)")
        }
        guard let origin = request.headers["Origin"]?.lowercased() else { return }
        guard origin == "http://\(host)" else {
            throw Problem(.foreignOrigin, "origin \(origin.shortened) is not allowed; use http://\(host)")
        }
    }

    /// Admits a request if its sender has the rights of the route.
    /// - Returns: all rights of the sender; none for a route that needs none, for which they are not looked up.
    /// - Throws: 401 without the token, 403 without a right.
    func admit(_ request: HTTPRequest, to route: Route, by policy: PeerPolicy) throws(Problem) -> Rights {
        try admit(request, to: route.name, needing: route.rights, by: policy)
    }

    /// Admits a request to something that needs these rights.
    /// - Returns: all rights of the sender.
    /// - Throws: 401 without the token, 403 without a right.
    @discardableResult
    func admit(
        _ request: HTTPRequest, to name: @autoclosure () -> String, needing rights: Rights, by policy: PeerPolicy
    ) throws(Problem) -> Rights {
        guard !rights.isEmpty else { return [] }
        switch self {
        case .credentials: return try Self.check(request, name, rights, policy)
        case .token(let token, _): return try Self.check(request, name, rights, token)
        }
    }

    private static func check(
        _ request: HTTPRequest, _ name: () -> String, _ rights: Rights, _ policy: PeerPolicy
    ) throws(Problem) -> Rights {
        guard let descriptor = request.peerDescriptor else {
            throw Problem(.disconnected, "the client has disconnected")
        }
        let peer = Credentials(ofPeerOf: descriptor)
        let held = policy.rights(of: peer)
        let missing = rights.subtracting(held)
        guard !missing.isEmpty else { return held }
        throw Problem(
            missing: missing,
            "\(name()) needs the right \(missing.text), which \(peer.description) does not have; "
                + "\(policy.holders(of: missing)) may")
    }

    private static func check(
        _ request: HTTPRequest, _ name: () -> String, _ rights: Rights, _ token: ControlToken
    ) throws(Problem) -> Rights {
        guard let given = bearer(request.headers["Authorization"]) else {
            throw Problem(.tokenMissing, "the token is missing; over TCP, send Authorization: Bearer TOKEN")
        }
        guard token.matches(given) else {
            throw Problem(.tokenInvalid, "the token is not valid; every run of the server has a new one")
        }
        request.admit()
        let missing = rights.subtracting(token.rights)
        guard !missing.isEmpty else { return token.rights }
        throw Problem(
            missing: missing,
            "\(name()) needs the right \(missing.text); the token grants only "
                + "\(token.rights.text); use the control socket")
    }

    /// The text after "Bearer"; the scheme's name is case-insensitive.
    private static func bearer(_ field: String?) -> Substring? {
        guard let parts = field?.split(separator: " "), parts.count == 2, parts[0].lowercased() == "bearer" else {
            return nil
        }
        return parts[1]
    }
}
