// The table of what features need is complete, and nothing else names such things.

import FoundationEssentials
import TestSupport
import Testing

@testable import Requirements

@Suite struct RequirementTableTests {
    private static let sources = Programs.package + "/Sources/"

    /// The files of the programs and libraries that people install, with their texts; not the table's own.
    private func files() throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { name in
            let others = ["Requirements/", "mullion-bench/", "Examples/"]
            return [".swift", ".c", ".h", ".py"].contains(where: name.hasSuffix)
                && !others.contains(where: name.hasPrefix)
        }.map { ($0, try String(contentsOfFile: Self.sources + $0, encoding: .utf8)) }
    }

    /// What a pattern finds in the programs, each with its file.
    private func found(_ pattern: Regex<(Substring, Substring)>) throws -> [(word: String, file: String)] {
        try files().flatMap { file in file.text.matches(of: pattern).map { (String($0.1), file.name) } }
    }

    private var signs: [Requirement.Sign] { Requirement.all.flatMap(\.signs) }

    @Test("names are unique, and every requirement is needed by a feature")
    func names() {
        let features = Feature.all.map(\.name)
        #expect(Set(features).count == features.count)
        #expect(features.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+/) != nil }, "\(features)")
        let requirements = Requirement.all.map(\.name)
        #expect(Set(requirements).count == requirements.count)
        #expect(Set(Feature.all.flatMap(\.needs).map(\.requirement.name)) == Set(requirements))
        #expect(Feature.all.filter(\.isEssential).map(\.name) == ["server", "pictures", "text"])
        #expect(Feature.all.allSatisfy { !$0.needs.isEmpty && $0.needs.allSatisfy { !$0.without.isEmpty } })
    }

    @Test("everything can be detected, and is in a package of each family, unless it is not a package's")
    func packages() {
        let own = ["mulliond", "mullion-x11", "proc", "temporary-folder", "vp9", "h264"]
        for requirement in Requirement.all {
            #expect(!requirement.signs.isEmpty, "\(requirement.name)")
            #expect((requirement.packages == nil) == own.contains(requirement.name), "\(requirement.name)")
            for family in Distribution.Family.allCases {
                guard let names = requirement.packages?[family] else { continue }
                #expect(!names.isEmpty, "\(requirement.name), \(family)")
                for name in names { #expect(name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.+-]+/) != nil, "\(name)") }
            }
        }
    }

    @Test("every library that a program loads late is in the table, and no other")
    func libraries() throws {
        // With RTLD_NOLOAD, a library is only used where another one has brought it along.
        let loaded = try found(/"(lib[A-Za-z0-9_+-]+\.so[.0-9]*)"(?!.*RTLD_NOLOAD)/)
        for (name, file) in loaded { #expect(signs.contains(.library(name)), "\(file) loads \(name)") }
        for case .library(let name) in signs { #expect(loaded.contains { $0.word == name }, "nothing loads \(name)") }
    }

    @Test("every program that one of ours starts is in the table")
    func programs() throws {
        let started =
            try found(/ChildProcess\.path\(of: "([a-z][a-z0-9-]*)"\)/) + found(/HelperProgram\(\s*"([a-z][a-z0-9-]*)"/)
            + found(/static let program = "([a-z][a-z0-9-]*)"/) + found(/var words = \["([a-z][a-z0-9-]*)"/)
        #expect(started.count > 4)
        for (name, file) in started where name != "mullionctl" {
            #expect(signs.contains(.program(name)) || signs.contains(.companion(name)), "\(file) starts \(name)")
        }
    }

    @Test("every encoder that videos need is in the table")
    func encoders() throws {
        let used = try found(/"-c:v", "([a-z][a-z0-9-]*)"/)
        #expect(used.count == 2)
        for (name, file) in used { #expect(signs.contains(.encoder(name)), "\(file) uses \(name)") }
    }

    @Test("every file of another package that a program reads is in the table")
    func data() throws {
        let paths = try found(/"(\/usr\/(?:share|lib)\/[A-Za-z0-9_\/.*-]+)"/)
        #expect(!paths.isEmpty)
        for (path, file) in paths where !path.contains("/mullion/") {
            #expect(signs.contains(.file(path)), "\(file) reads \(path)")
        }
    }

    @Test("messages name features that exist, and no packages of one family only")
    func messages() throws {
        let mentions = try found(/mullionctl doctor "?\s*\+?\s*"?([a-z0-9]+)/)
        #expect(!mentions.isEmpty)
        for (name, file) in mentions {
            #expect(Feature.all.contains { $0.name == name }, "\(file): mullionctl doctor \(name)")
        }
        for command in Distribution.Family.allCases.map(\.command) {
            for (name, text) in try files() { #expect(!text.contains(command), "\(name): \(command)") }
        }
    }

    private static let hasAPT: Bool = {
        let program = try? Program("sh", ["-c", "apt-get --simulate install hwdata"])
        _ = program?.outputAtEnd()
        return program?.exitStatus == 0
    }()

    @Test("this release of Debian has the packages", .enabled(if: hasAPT, "APT knows packages"))
    func debian() throws {
        let program = try Program(
            "apt-get", ["--simulate", "install"] + Distribution.packages(of: Requirement.all, in: .debian))
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 0, "\(output)")
    }
}
