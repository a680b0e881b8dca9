// Who may use the control API: the one place where a request is let in or refused.

import EventLoop

/// Lets in who has the right to administer the server.
struct Admission {
    /// - Throws: 403 for a peer without the right, and for one that the kernel does not name (TCP).
    func admit(_ request: HTTPRequest, by policy: PeerPolicy) throws(Problem) {
        guard let descriptor = request.peerDescriptor else { throw Problem(403, "the client is gone") }
        let peer = Credentials(ofPeerOf: descriptor)
        guard policy.permissions(of: peer).rights.contains(.administer) else {
            throw Problem(403, "\(peer.description) may not control this server; \(policy.holders(of: .administer)) may")
        }
    }
}
