// Permissions of peers.

import ConfigurationSections
import FoundationEssentials
import Glibc
import JSON5
import Testing

@testable import DisplayServer

@Suite struct PeerPolicyTests {
    private func peer(_ uid: UInt32, _ gid: UInt32 = 5, _ sandbox: Sandbox? = nil) -> Credentials {
        Credentials(pid: 1, uid: uid, gid: gid, sandbox: sandbox)
    }

    private func decode(_ text: String) throws(JSON5Error) -> PeerPolicy {
        PeerPolicy(rules: try JSON5.decode([PeerRule].self, from: Array(text.utf8), file: "f"))
    }

    @Test("the server's own user and root have all rights, others have none; everyone may connect")
    func standard() {
        let policy = PeerPolicy.standard
        #expect(policy.permissions(of: peer(geteuid())).rights == .all)
        #expect(policy.permissions(of: peer(0)).rights == .all)
        #expect(policy.permissions(of: peer(54_321, 0)) == Permissions())
        #expect(Permissions().mayConnect && Permissions().rights == [])
    }

    @Test("the first matching rule that sets a permission decides it")
    func order() throws {
        let policy = try decode(
            """
            [{ user: 7, rights: ["inject"], windows: 3 },
             { group: [8, "root"], rights: ["capture"], highestLevel: 1000, xdg: ["windows", "key"] },
             { user: [9, "root"], connect: false },
             { rights: ["view"], connections: 4, screens: 2, pixels: 100, windows: 1, systemApplication: true }]
            """)
        var seven = Permissions()
        seven.rights = .inject
        (seven.windows, seven.connections, seven.screens, seven.pixels) = (3, 4, 2, 100)
        seven.isSystemApplication = true
        #expect(policy.permissions(of: peer(7)) == seven)
        // Its group sets the level, but not the rights: the user's rule came first.
        seven.highestLevel = 1000
        seven.xdg = [.windows, .key]
        #expect(policy.permissions(of: peer(7, 8)) == seven)
        #expect(policy.permissions(of: peer(1, 0)).rights == .capture)
        #expect(!policy.permissions(of: peer(9)).mayConnect && !policy.permissions(of: peer(0)).mayConnect)
        #expect(policy.permissions(of: peer(2)).rights == .view)
        #expect(policy.holders(of: .inject) == "user 7")
        #expect(policy.holders(of: .capture) == "group 0, group 8")
        #expect(policy.holders(of: .view) == "every user")
        #expect(policy.holders(of: .administer) == "nobody")
    }

    @Test("a peer without credentials has no rights, whatever rights all users have")
    func unknown() throws {
        // A descriptor that is not a socket has no peer.
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let policy = try decode(#"[{ rights: ["view"], windows: 2, systemApplication: true }]"#)
        let permissions = policy.permissions(of: Credentials(ofPeerOf: file))
        #expect(permissions.rights == [] && permissions.windows == 2 && !permissions.isSystemApplication)
    }

    @Test("the supplementary groups of a peer count like its effective one")
    func groups() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &pair) == 0)
        defer { for descriptor in pair { close(descriptor) } }
        var own = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(Int32(own.count), &own)
        try #require(count >= 0)
        #expect(Credentials(ofPeerOf: pair[0]).groups == Set(own.prefix(Int(count))).union([getegid()]))
    }

    @Test("a sandbox loses its user's rights; only rules for sandboxes grant any")
    func sandbox() throws {
        let policy = try decode(
            """
            [{ sandboxed: true, group: 6, rights: ["view"] }, { sandboxed: false, windows: 9 },
             { user: 7, rights: ["administer"], systemApplication: true, windows: 5 }]
            """)
        let box = Sandbox(engine: "org.example", application: "app")
        #expect(policy.permissions(of: peer(7)).rights == .administer)
        #expect(policy.permissions(of: peer(7)).windows == 9)
        let inside = policy.permissions(of: peer(7, 5, box))
        #expect(inside.rights == [] && !inside.isSystemApplication && inside.windows == 5)
        #expect(policy.permissions(of: peer(7, 6, box)).rights == .view)
        #expect(policy.permissions(of: peer(7, 6)).rights == .administer)
        #expect(policy.holders(of: .view) == "nobody")
    }

    @Test(
        "mistakes are reported with the position, what was wrong and what is allowed",
        arguments: [
            (#"[{ users: [1] }]"#, "f:1:4: [0]: unknown key \"users\"; use one of connect, connections, group"),
            (#"[{}, { user: "no such user" }]"#, "f:1:8: [1].user: there is no user \"no such user\""),
            (#"[{ group: [] }]"#, "f:1:4: [0].group: an empty list matches nobody; name at least one"),
            (#"[{ rights: ["look"] }]"#, "\"look\" is not one of \"view\", \"capture\", \"inject\", \"administer\""),
            (
                #"[{ xdg: ["move"] }]"#,
                "\"move\" is not one of \"windows\", \"maximize\", \"fullscreen\", \"key\", \"grab\""
            ),
            (#"[{ highestLevel: -1 }]"#, "f:1:4: [0].highestLevel: -1.0 is less than 0, the level of a new window"),
            (
                #"[{ highestLevel: 0.001 }]"#,
                "f:1:4: [0].highestLevel: W2 (levels): 0.001 is not a level; use a multiple"
            ),
            (#"[{ windows: -1 }]"#, "f:1:4: [0].windows: -1 is less than 0"),
            (#"[{ connect: 1 }]"#, "f:1:4: [0].connect: expected true or false"),
        ])
    func mistakes(text: String, message: String) {
        let error = #expect(throws: JSON5Error.self) { try decode(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "no error")")
    }

    @Test("limits are read by name; unknown ones and invalid numbers are refused with what is allowed")
    func limits() throws {
        func decode(_ text: String) throws(JSON5Error) -> LimitsSection {
            try JSON5.decode(LimitsSection.self, from: Array(text.utf8), file: "f")
        }
        let limits = try decode("{ clients: 7, messagesPerSecond: 9, outputMaximum: 70000 }").limits
        #expect(limits.clients == 7 && limits.messagesPerSecond == 9 && limits.outputMaximum == 70_000)
        for (text, message) in [
            ("{ clint: 1 }", "f:1:3: unknown key \"clint\"; use one of allCopyBytes"),
            ("{ clients: 0 }", "f:1:3: clients: a limit is within 1…"),
            ("{ outputMaximum: 1 }", "outputHighWater 65536 is more than outputMaximum 1"),
        ] {
            let error = #expect(throws: JSON5Error.self) { try decode(text) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "no error")")
        }
    }
}
