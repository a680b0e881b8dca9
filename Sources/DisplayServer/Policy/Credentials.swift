// The identity of a socket's peer.

import Glibc
import MullionSystem
import WindowModel

/// A peer's credentials as reported by the kernel.
package struct Credentials {
    package let pid: Int32
    package let uid: UInt32
    /// The effective group, and the supplementary ones.
    let groups: Set<UInt32>
    /// Whether the kernel reports the peer's credentials.
    let isKnown: Bool
    /// The sandbox of the program (wp_security_context_v1); nil for a program outside of any.
    var sandbox: Sandbox?
    /// K2: the process that connected; nil if it is not known. It is not that of a socket pair, which the kernel says its
    /// creator has connected, on behalf of whichever program.
    var process: Application.Process?

    package init(pid: Int32, uid: UInt32, gid: UInt32, sandbox: Sandbox? = nil) {
        (self.pid, self.uid, groups, self.sandbox) = (pid, uid, [gid], sandbox)
        isKnown = true
    }

    package init(ofPeerOf descriptor: Int32, sandbox: Sandbox? = nil) {
        let peer = UnixSocket.peer(of: descriptor)
        isKnown = peer != nil
        pid = peer?.pid ?? 0
        uid = peer?.uid ?? .max
        groups = peer.map { $0.supplementaryGroups.union([$0.gid]) } ?? []
        self.sandbox = sandbox
    }

    /// Of the peer of a connection that was accepted from a listening socket.
    init(ofAccepted descriptor: Int32, sandbox: Sandbox?) {
        self.init(ofPeerOf: descriptor, sandbox: sandbox)
        process = ProcessStart.time(of: pid).map { Application.Process(id: pid, start: $0, user: uid) }
    }

    /// The name of the program; empty when it cannot be read.
    var processName: String { ProcessName.of(pid) }

    /// The user, for limits that trust the server's own and root; nil in a sandbox, whose programs are not trusted.
    package var trustedUser: UInt32? { isKnown && sandbox == nil ? uid : nil }

    /// Whether the peer can end the server or read its memory anyway: its own user or root, and not in a sandbox.
    var isTrusted: Bool { trustedUser == 0 || trustedUser == geteuid() }

    /// A description for messages.
    package var description: String {
        guard isKnown else { return "an unknown user" }
        return sandbox.map { "user \(uid) in the sandbox \($0)" } ?? "user \(uid)"
    }
}

/// A sandbox engine's description of the programs that connect from inside a sandbox.
package struct Sandbox: Hashable, Codable, CustomStringConvertible {
    /// For example org.flatpak.
    var engine = ""
    /// The application, and its running instance, as named by the engine.
    var application = ""
    var instance = ""

    package var description: String { [engine, application, instance].filter { !$0.isEmpty }.joined(separator: "/") }
}
