// Help texts, the description of the API and the manual pages list every property of screens.

import FoundationEssentials
import JSON5
import TestSupport
import Testing

@testable import ControlAPI
@testable import Displays

@Suite struct ScreenPropertyDocumentationTests {
    private static let names = Set(ScreenProperty.all.map(\.name))
    private static let changeable = Set(ScreenProperty.changeable.map(\.name))
    private static let steps = Set(ScreenProperty.all.compactMap(\.step))

    private func output(_ program: String, _ words: [String]) throws -> String {
        try Program("\(Programs.built)/\(program)", words).outputAtEnd()
    }

    /// The text of an item of a manual page, by how it begins.
    private func item(_ page: String, _ head: String) throws -> Substring {
        let root = #filePath.dropLast("Tests/ControlTests/ScreenPropertyDocumentationTests.swift".count)
        let text = try String(contentsOfFile: "\(root)Config/man/\(page)", encoding: .utf8)
        let found = text.split(separator: "\n.It ").first { $0.hasPrefix(head) }
        return try #require(found, "\(page): \(head)")
    }

    /// The words that an item's text sets in bold.
    private func names(_ item: Substring) -> Set<String> {
        Set(
            item.split(separator: "\n").filter { $0.hasPrefix(".Sy ") }
                .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
    }

    @Test("no two properties have the same name or step, and each step sets one that can change")
    func table() {
        #expect(Self.names.count == ScreenProperty.all.count)
        #expect(Self.steps.count == ScreenProperty.all.compactMap(\.step).count)
        #expect(ScreenProperty.all.allSatisfy { $0.step == nil || $0.lifetime == .changeable })
    }

    @Test("mullionctl plug --help has every key, every word that a key can have, and no other key")
    func plugHelp() throws {
        let help = try output("mullionctl", ["plug", "--help"])
        let lines = help.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(help)")
        let keys = lines.filter { $0.hasPrefix("  ") && $0.contains("=") }
            .compactMap { $0.split { " =".contains($0) }.first.map(String.init) }
        #expect(Set(keys) == Self.names.union(["edid", "hostile"]) && keys.count == Set(keys).count, "\(help)")
        for property in ScreenProperty.all {
            let form = lines.first { $0.hasPrefix("  \(property.name)=") } ?? ""
            guard case .names(let names) = property.type else { continue }
            #expect(form.contains("=\(names.joined(separator: "|"))"), "\(form)")
        }
    }

    @Test("mullionctl plug knows every key, and no other")
    func plugKeys() throws {
        let refusal = try output("mullionctl", ["plug", "80x60", "bogus=1"])
        let known = try #require(refusal.split(separator: "use one of ").dropFirst().first, "\(refusal)")
        let keys = known.prefix { $0 != ")" }.split(separator: ", ").map(String.init)
        #expect(Set(keys) == Self.names.union(["edid", "hostile"]), "\(refusal)")
    }

    @Test("mullionctl --help has a command for every step, and rotate flips too")
    func commands() throws {
        let help = try output("mullionctl", ["--help"])
        let commands = help.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(Self.steps.subtracting(commands) == [], "\(help)")
        let alone = ScreenProperty.changeable.filter { $0.step == nil }.map(\.name)
        let rotate = try output("mullionctl", ["rotate", "--help"])
        for name in alone { #expect(rotate.contains("[\(name)="), "\(rotate)") }
    }

    @Test("mulliond --help and the messages about --screen have every key")
    func screenOption() throws {
        let help = try output("mulliond", ["--help"])
        let option = try #require(help.split(separator: "\n  --").first { $0.hasPrefix("screen ") }, "\(help)")
        let words = Set(option.split { !$0.isLetter }.map(String.init))
        #expect(Self.names.subtracting(words) == [], "\(option)")
        let keys = Set(ScreenSpecification.keys.split(separator: ", ").map(String.init))
        #expect(keys == Self.names.union(["hostile", "edid"]))
    }

    @Test("the description of the API has every property, with the words that it can have")
    func openAPI() throws {
        let schemas = try APIDocument().schemas
        func fields(_ name: String) throws -> JSON { try #require(schemas[name]?["properties"]) }
        #expect(try fields("Plug").keys == Self.names.union(["model", "edid", "hostile"]))
        #expect(try fields("ScreenPatch").keys == Self.changeable.union(["enabled", "powered", "duration"]))
        #expect(Self.names.subtracting(try fields("Screen").keys) == [])
        for property in ScreenProperty.all {
            guard case .names(let names) = property.type else { continue }
            let wanted = JSON.array(names.map { .string($0) })
            #expect(try fields("Screen")[property.name]?["enum"] == wanted, "\(property.name)")
            #expect(try fields("Plug")[property.name]?["enum"] == wanted, "\(property.name)")
        }
        #expect(try fields("Plug")["scale"]?["description"] == .string("pixels per point, 1/64 to 64"))
    }

    @Test("mullion-control(7) has what can be given and what can be changed, and no more")
    func controlPage() throws {
        let plug = names(try item("mullion-control.7", "Ic POST /v1/screens Pq"))
        #expect(plug == Self.names.union(["model", "edid", "hostile", "Location"]))
        let patch = names(try item("mullion-control.7", "Ic PATCH /v1/screens/{screen} Pq"))
        #expect(patch == Self.changeable.union(["enabled", "powered", "duration"]))
    }

    @Test("mullion-scenario(5) has every step and every property that can be expected, and no more")
    func scenarioPage() throws {
        let head = try item("mullion-scenario.5", "Sy mode , ").prefix { $0 != ":" }
        let steps = Set(head.dropFirst(3).split { " ,".contains($0) }.map(String.init)).union(["rotate"])
        #expect(steps == Self.steps)
        _ = try item("mullion-scenario.5", "Sy rotate : ")
        let expected = names(try item("mullion-scenario.5", "Sy screen , No an object"))
        #expect(expected == Self.names.union(["connected", "mirrors", "size", "main", "windows"]))
    }
}
