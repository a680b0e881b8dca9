// Distributions are recognised, and so is what a machine has.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Requirements

@Suite struct DistributionTests {
    @Test(
        "a distribution belongs to the family that it or its relatives name",
        arguments: [
            ("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"", .debian),
            ("NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian", .debian), ("ID=linuxmint\nID_LIKE='ubuntu debian'", .debian),
            ("ID=fedora", .fedora), ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", .fedora),
            ("ID=arch", .arch), ("ID=manjaro\nID_LIKE=arch", .arch), ("ID=alpine", nil), ("", nil),
            ("ID_LIKE=suse\nnonsense\n=\nID=", nil),
        ] as [(String, Distribution.Family?)])
    func family(text: String, family: Distribution.Family?) {
        #expect(Distribution(osRelease: text).family == family)
    }

    @Test("its name is for people, without quotes")
    func name() {
        let names = ["PRETTY_NAME=\"Fedora Linux 43\"\nID=fedora", "ID=void\nNAME='void'", "ID=x", ""].map {
            Distribution(osRelease: $0).name
        }
        #expect(names == ["Fedora Linux 43", "void", "x", "this system"])
    }

    @Test("each package is named once, in order")
    func packages() {
        let all: [Requirement] = [.fonts, .xwayland, .dejavu, .mulliond]
        #expect(Distribution.packages(of: all, in: .debian) == ["fonts-dejavu-core", "xwayland"])
        #expect(
            Distribution.packages(of: all, in: .fedora) == [
                "dejavu-sans-fonts", "dejavu-sans-mono-fonts", "dejavu-serif-fonts", "xorg-x11-server-Xwayland",
            ])
    }

    @Test("each kind of sign is found, and missed")
    func signs() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder.path + "/a/b/c.ttf", contents: Data())
        let machine = Machine()
        let cases: [(Requirement.Sign, Bool)] = [
            (.library("libc.so.6"), true), (.library("libmissing.so.99"), false),
            (.program("sh"), true), (.program("no-such-program"), false),
            (.companion("sh"), true), (.companion("no-such-program"), false),
            (.file("\(folder.path)/a/*/*.[ot]t[cf]"), true), (.file("\(folder.path)/a/*.ttf"), false),
            (.file("/proc/self/exe"), true), (.data("no-such/file"), false), (.encoder("no-such-encoder"), false),
        ]
        for (sign, isThere) in cases {
            #expect(machine.has(Requirement("x", "x", sign)) == isThere, "\(sign)")
            #expect(machine.has(Requirement("x", "x", .program("no-such-program"), sign)) == isThere, "\(sign)")
        }
        #expect(
            Machine.path(of: Requirement("x", "x", .file("\(folder.path)/*/b/*"))) == "\(folder.path)/a/b/c.ttf")
    }

    @Test("a message ends with the command of this distribution")
    func remedy() throws {
        let family = Distribution.current.family
        let remedy = Requirement.xwayland.remedy
        #expect(remedy == "see mullionctl doctor x11" || family != nil)
        if family == .debian { #expect(remedy == "use apt-get install xwayland") }
        #expect(Requirement.mullionX11.remedy == "see mullionctl doctor x11")
    }
}
