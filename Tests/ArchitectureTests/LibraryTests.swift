// The products that other packages depend on.

import FoundationEssentials
import Testing

@Suite struct LibraryTests {
    private static let root = String(#filePath.dropLast("Tests/ArchitectureTests/LibraryTests.swift".count))

    // Older versions of SwiftPM refuse such a dependency, and its users would inherit flags made for the server.
    @Test("no target that the client library needs has unsafe flags")
    func flags() throws {
        let manifest = try String(contentsOfFile: Self.root + "Package.swift", encoding: .utf8)
        let parts = manifest.components(separatedBy: "    targets: [\n")
        let targets = Dictionary(
            parts[1].split(separator: /\n        (?=[.a-zA-Z]+\()/).compactMap { target in
                target.firstMatch(of: /"([A-Za-z0-9-]+)"/).map { (String($0.1), target) }
            }, uniquingKeysWith: { first, _ in first })
        let flagged = unsafeHelpers(parts[0])
        #expect(flagged.contains("checkedInTests") && flagged.contains("serverLibrary"))

        var (found, rest): (Set<String>, [String]) = ([], ["MullionClient", "MullionDrawing", "MullionTesting"])
        while let name = rest.popLast() {
            guard let target = targets[name], found.insert(name).inserted else { continue }
            for word in flagged { #expect(!target.contains(word), "\(name): \(word)") }
            rest += target.matches(of: /"([A-Za-z0-9-]+)"/).map { String($0.1) }
        }
        #expect(
            found.isSuperset(of: [
                "MullionSystem", "MullionKeymaps", "CMullionLinux", "CMullionMainQueue", "WaylandScanner",
            ]))
        #expect(found.isDisjoint(with: ["DisplayServer", "WindowModel", "EventLoop"]))
    }

    /// The constants and functions of the manifest that contain unsafe flags, directly or through others.
    private func unsafeHelpers(_ preamble: String) -> Set<String> {
        let helpers = preamble.split(separator: /\n(?=(let|func) )/)
        var words: Set = ["unsafeFlags"]
        // Each helper uses only those before it.
        for helper in helpers where words.contains(where: { helper.contains($0) }) {
            if let name = helper.firstMatch(of: /^(?:let|func) (\w+)/) { words.insert(String(name.1)) }
        }
        return words
    }
}
