// Who may use the control API: the one place where a request is let in or refused.

import EventLoop
import Glibc

/// Lets in the server's own user and root.
struct Admission {
    private let own: uid_t

    init(own: uid_t = geteuid()) { self.own = own }

    /// - Throws: 403 for a peer that is neither, or that the kernel does not name (TCP).
    func admit(_ request: HTTPRequest) throws(Problem) {
        guard let descriptor = request.peerDescriptor else { throw Problem(403, "the client is gone") }
        let peer = Credentials(ofPeerOf: descriptor)
        guard peer.uid == own || peer.uid == 0 else {
            let who = peer.uid == .max ? "an unknown user" : "user \(peer.uid)"
            throw Problem(403, "\(who) may not control this server; its own user \(own) and root may")
        }
    }
}
