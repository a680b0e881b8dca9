// Who is at the other end of a socket.

import CLinux
import Glibc

/// A peer as the kernel names it.
struct Credentials {
    let pid: Int32
    let uid: UInt32
    /// The effective group, and the supplementary ones.
    let groups: Set<UInt32>
    /// Whether the kernel names the peer.
    let isKnown: Bool
    /// What a sandbox says of the programs in it (wp_security_context_v1); nil for a program outside of any.
    var sandbox: Sandbox?

    init(pid: Int32, uid: UInt32, gid: UInt32, sandbox: Sandbox? = nil) {
        (self.pid, self.uid, groups, self.sandbox) = (pid, uid, [gid], sandbox)
        isKnown = true
    }

    init(ofPeerOf descriptor: Int32, sandbox: Sandbox? = nil) {
        var peer = linux_peer()
        isKnown = unsafe linux_peer_credentials(descriptor, &peer) == 0
        pid = isKnown ? peer.pid : 0
        uid = isKnown ? peer.uid : .max
        groups = isKnown ? Self.supplementaryGroups(descriptor).union([peer.gid]) : []
        self.sandbox = sandbox
    }

    private static func supplementaryGroups(_ descriptor: Int32) -> Set<UInt32> {
        var groups = [UInt32](repeating: 0, count: 32)
        var count = unsafe linux_peer_groups(descriptor, &groups, Int32(groups.count))
        if count > groups.count {
            groups = [UInt32](repeating: 0, count: Int(count))
            count = unsafe linux_peer_groups(descriptor, &groups, count)
        }
        return Set(groups.prefix(max(0, Int(count))))
    }

    /// The name of the program, from /proc; empty when it cannot be read.
    var processName: String {
        let file = unsafe open("/proc/\(pid)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return "" }
        return String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)
    }

    /// For people.
    var description: String {
        guard isKnown else { return "an unknown user" }
        return sandbox.map { "user \(uid) in the sandbox \($0)" } ?? "user \(uid)"
    }
}

/// What a sandbox engine said of the programs that connect from inside it.
struct Sandbox: Hashable, Codable, CustomStringConvertible {
    /// For example org.flatpak.
    var engine = ""
    /// The application, and its running instance, in the engine's own words.
    var application = ""
    var instance = ""

    var description: String { [engine, application, instance].filter { !$0.isEmpty }.joined(separator: "/") }
}
