// Who may do what.

import Glibc
import Testing

@testable import DisplayServer

@Suite struct RightsTests {
    @Test("the server's own user and root have all rights, and nobody else any")
    func standard() {
        let policy = RightsPolicy()
        #expect(policy.rights(of: Credentials(pid: 1, uid: geteuid(), gid: 5)) == .all)
        #expect(policy.rights(of: Credentials(pid: 1, uid: 0, gid: 5)) == .all)
        #expect(policy.rights(of: Credentials(pid: 1, uid: 54_321, gid: 0)) == [])
    }

    @Test("rights of user, group and everyone add up; a peer that the kernel does not name has none")
    func sum() throws {
        let policy = RightsPolicy(everyone: .view, users: [7: .inject], groups: [8: .capture])
        #expect(policy.rights(of: Credentials(pid: 1, uid: 7, gid: 8)) == [.view, .inject, .capture])
        #expect(policy.rights(of: Credentials(pid: 1, uid: 8, gid: 7)) == .view)
        // A descriptor that is no socket has no peer.
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        #expect(policy.rights(of: Credentials(ofPeerOf: file)) == [])
        #expect(policy.holders(of: .inject) == "user 7")
        #expect(policy.holders(of: .view) == "every user")
        #expect(policy.holders(of: .administer) == "nobody")
    }
}
