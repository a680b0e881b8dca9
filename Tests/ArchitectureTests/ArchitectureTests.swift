// The structure of the package: which module may import which, and rules for all files.

import FoundationEssentials
import Testing
import WindowModel

@Suite struct ArchitectureTests {
    /// The system modules that a module may import; the modules below may import only the given ones. The server has no
    /// part of Foundation.
    private static let systemModules: Set = ["Glibc", "Synchronization"]
    private static let narrower: [String: Set<String>] = [
        "MullionGeometry": [], "WindowModel": [], "JSON5": [], "ControlProtocol": [], "StateCoding": [],
        "MullionSystem": ["Glibc", "Synchronization"], "MullionWayland": ["Glibc", "Synchronization"],
        "EventLoop": ["Glibc", "Synchronization"], "Compositor": ["Glibc"], "MullionKeymaps": ["Glibc"],
        "HTTPClient": ["Glibc"],
        "MullionClient": ["Glibc", "Synchronization", "Dispatch"], "MullionDrawing": ["Glibc"], "Examples": ["Glibc"],
        "MullionTesting": ["Glibc", "FoundationEssentials", "Synchronization"],
        "mullionctl": ["Glibc", "Synchronization"],
        "mullion-bench": ["Glibc", "FoundationEssentials", "Synchronization"],
    ]
    /// Build tools, which are not part of any program.
    private static let tools: [String: Set<String>] = [
        "WaylandScanner": ["Foundation", "FoundationXML"], "WaylandScannerPlugin": ["Foundation", "PackagePlugin"],
        "RuleCatalog": ["Foundation"], "RuleScanner": ["Foundation", "RuleCatalog"],
        "RuleScannerPlugin": ["Foundation", "PackagePlugin"], "ContractScanner": ["Foundation", "RuleCatalog"],
        "ContractScannerPlugin": ["Foundation", "PackagePlugin"],
    ]

    private static let page = "Sources/DisplayServer/DisplayServer.docc/Architecture.md"
    private static let root = String(#filePath.dropLast("Tests/ArchitectureTests/ArchitectureTests.swift".count))

    @Test("every import is an arrow of Architecture.md, and every arrow an import")
    func imports() throws {
        let arrows = try arrows()
        let renamed = try renamedModules()
        var imported: [String: Set<String>] = arrows.mapValues { _ in [] }
        for file in try swiftFiles(in: "Sources") {
            let folder = String(file.split(separator: "/")[1])
            let module = renamed[folder] ?? folder
            let allowed = try #require(
                arrows[module] ?? Self.tools[module], "\(module) has no arrows: draw them in Architecture.md")
            let system = Self.narrower[module] ?? Self.systemModules
            for name in try imports(of: file) where !system.contains(name) {
                #expect(allowed.contains(name), "\(file) imports \(name)")
                imported[module, default: []].insert(name)
            }
        }
        for (module, names) in arrows {
            #expect(names == imported[module], "Architecture.md, \(module): the arrows are not the imports")
        }
    }

    // SwiftPM finds any module that happens to be built, declared or not.
    @Test("Package.swift declares what modules import, and no more")
    func dependencies() throws {
        let declared = try declaredTargets()
        let modules = try Set(arrows().keys)
        for (module, names) in try arrows() where module != "Examples" {
            #expect(
                declared[module]?.intersection(modules) == names.intersection(modules), "Package.swift, \(module)")
        }
    }

    @Test("Package.swift declares what tests import, and no more; Architecture.md says what each target tests")
    func testTargets() throws {
        let declared = try declaredTargets()
        let page = try text(of: Self.page)
        let table = page.components(separatedBy: "## Tests\n")[1].components(separatedBy: "\n## ")[0]
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let described = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) } }
        let folders = try Set(swiftFiles(in: "Tests").map { String($0.split(separator: "/")[1]) })
        #expect(described.sorted() == folders.subtracting(["Support"]).sorted())
        let system = Self.systemModules.union(["FoundationEssentials", "Testing", "Dispatch"])
        for folder in folders {
            var imported: Set<String> = []
            for file in try swiftFiles(in: "Tests/\(folder)") { try imported.formUnion(imports(of: file)) }
            let target = folder == "Support" ? "TestSupport" : folder
            #expect(declared[target] == imported.subtracting(system), "Package.swift, \(target)")
        }
    }

    /// The targets of the package, each with what it depends on.
    private func declaredTargets() throws -> [String: Set<String>] {
        let targets = try text(of: "Package.swift").components(separatedBy: "    targets: [\n")[1]
        var declared: [String: Set<String>] = [:]
        for target in targets.split(separator: /\n        (?=[.a-zA-Z]+\()/) {
            // What follows the name and the dependencies is not a module.
            let lists = target.prefix { $0 != "]" }
            let names = lists.matches(of: /"([A-Za-z0-9-]+)"/).map { String($0.1) }
            if let name = names.first { declared[name] = Set(names.dropFirst()) }
        }
        return declared
    }

    /// The lines "A → B, C" of the page, which may continue on the next line.
    private func arrows() throws -> [String: Set<String>] {
        let page = try text(of: Self.page)
        let blocks = page.components(separatedBy: "```\n")
        let block = try #require(blocks.first { $0.contains("mulliond ") && $0.contains(" → ") })
        var arrows: [String: Set<String>] = [:]
        for line in block.replacing(",\n", with: ",").split(separator: "\n") {
            let sides = line.split(separator: "→").map { $0.split { $0 == "," || $0 == " " }.map(String.init) }
            try #require(sides.count == 2, "\(line)")
            for module in sides[0] { arrows[module] = sides[1] == ["nothing"] ? [] : Set(sides[1]) }
        }
        return arrows
    }

    @Test("the model imports only geometry, not even Foundation or Glibc")
    func model() throws {
        for file in try swiftFiles(in: "Sources/Geometry") { #expect(try imports(of: file) == []) }
        for file in try swiftFiles(in: "Sources/WindowModel") {
            #expect(try imports(of: file).allSatisfy { $0 == "MullionGeometry" })
        }
    }

    @Test("no module that Architecture.md lists contains a trap")
    func traps() throws {
        let words = ["try!", "fatalError(", "as!", ".unsafelyUnwrapped", "unowned(unsafe)"]
        let renamed = try renamedModules()
        for module in try arrows().keys {
            let folder = renamed.first { $0.value == module }?.key ?? module
            for file in try swiftFiles(in: "Sources/\(folder)") {
                for line in try text(of: file).split(separator: "\n") where !line.trimmed.hasPrefix("//") {
                    for word in words { #expect(!line.contains(word), "\(file): \(line)") }
                }
            }
        }
    }

    @Test("no code reads a clock that can be set")
    func clocks() throws {
        let words = ["CLOCK_REALTIME", "gettimeofday", "time(nil)", "Date(", "Date.now", "localtime", "timespec_get"]
        for file in try swiftFiles(in: "Sources") + cFiles(in: "Sources") {
            // Runs of the server are identified by their start time; it is used for nothing else.
            let allowed: Set = file.hasSuffix("Events/EventStreams.swift") ? ["time(nil)"] : []
            let text = try text(of: file)
            for word in words where !allowed.contains(word) { #expect(!text.contains(word), "\(file): \(word)") }
        }
    }

    // An optimiser that inlines across files gives each object file a copy of such a variable.
    @Test("headers contain functions and types, but no variables")
    func headers() throws {
        for file in try cFiles(in: "Sources") where file.hasSuffix(".h") {
            let code = try text(of: file).split(separator: "\n").filter { !$0.trimmed.hasPrefix("//") }
            for line in code {
                let words = line.split { !$0.isLetter && $0 != "_" }
                for index in words.indices where ["static", "__thread", "_Thread_local"].contains(words[index]) {
                    let isFunction = words[index...].starts(with: ["static", "inline"]) && line.contains("(")
                    #expect(isFunction, "\(file): \(line)")
                }
            }
        }
    }

    @Test("no file is longer than 400 lines, and the first line of each one describes it")
    func files() throws {
        for file in try swiftFiles(in: "Sources") {
            let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 400, "\(file) has \(lines.count) lines")
            #expect(lines.first?.hasPrefix("//") == true, "\(file)")
        }
    }

    @Test("every file that a documented flow names exists")
    func flows() throws {
        let text = try text(of: "Sources/DisplayServer/DisplayServer.docc/Flows.md")
        let files = text.split(separator: "`").filter {
            $0.hasSuffix(".swift") && $0.contains("/") && !$0.contains("…")
        }
        #expect(files.count > 100)
        for file in files {
            #expect(FileManager.default.fileExists(atPath: Self.root + "Sources/" + file), "Flows.md names \(file)")
        }
    }

    @Test("everything but tests is compiled with strict memory safety")
    func memorySafety() throws {
        let lenient = try text(of: "Package.swift").split(separator: "\n").filter {
            $0.contains("swiftSettings: strict")
        }
        #expect(lenient.allSatisfy { $0.contains(".testTarget(") || $0.contains("Tests/Support") }, "\(lenient)")
    }

    @Test("the top level contains what it should and nothing else")
    func topLevel() throws {
        let allowed: Set = [
            "Package.swift", "Package.resolved", "Sources", "Tests", "Config", "systemd", "README.md", "LICENSE",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root).filter { !$0.hasPrefix(".") }
        #expect(Set(names).subtracting(allowed) == [])
    }

    @Test("texts for users cite a rule by its number and name, as \"K5 (key passes on)\"")
    func citations() throws {
        var files = try swiftFiles(in: "Sources").filter { !$0.hasPrefix("Sources/RuleCatalog/") }
        files.append("Config/quickstart")
        for file in files {
            for text in literals(of: try text(of: file)) {
                for (number, rest) in citations(in: text) {
                    let rule = try #require(Rule(rawValue: number), "\(file): there is no rule \(number): \(text)")
                    #expect(rest.hasPrefix(" (\(rule.name))"), "\(file): \(rule) is cited as \(text)")
                }
            }
        }
    }

    /// The contents of string literals, line by line; whole lines for those of several lines.
    private func literals(of source: String) -> [Substring] {
        var isInBlock = false
        return source.split(separator: "\n").flatMap { line -> [Substring] in
            guard isInBlock || !line.trimmed.hasPrefix("//") else { return [] }
            if line.contains("\"\"\"") {
                isInBlock.toggle()
                return [line]
            }
            if isInBlock { return [line] }
            let parts = line.replacing("\\\"", with: "'").split(separator: "\"", omittingEmptySubsequences: false)
            return parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
        }
    }

    /// Words such as "K5", each with what follows it.
    private func citations(in text: Substring) -> [(number: String, rest: Substring)] {
        text.indices.compactMap { index in
            guard "SRWCVKHEL".contains(text[index]), index == text.startIndex || !text[text.index(before: index)].isWord
            else { return nil }
            let digits = text[text.index(after: index)...].prefix { $0.isASCII && $0.isNumber }
            guard (1...2).contains(digits.count), text[digits.endIndex...].first?.isWord != true else { return nil }
            return (String(text[index..<digits.endIndex]), text[digits.endIndex...])
        }
    }

    private func swiftFiles(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Self.root + folder)
            .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }

    private func cFiles(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Self.root + folder)
            .filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }.map { "\(folder)/\($0)" }
    }

    /// The modules that are not named like their folders, by folder: Package.swift gives their `path:`.
    private func renamedModules() throws -> [String: String] {
        let declarations = try text(of: "Package.swift").matches(of: /ibrary\(\s*"(\w+)"[^()]*?path: "Sources\/(\w+)"/)
        return Dictionary(uniqueKeysWithValues: declarations.map { (String($0.2), String($0.1)) })
    }

    private func text(of file: String) throws -> String {
        try String(contentsOfFile: Self.root + file, encoding: .utf8)
    }

    private func imports(of file: String) throws -> [String] {
        // Build tools write programs, with indented lines like these.
        try text(of: file).split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"),
                words[..<index].allSatisfy({ $0.hasPrefix("@") && !$0.contains("\"") || $0 == "public" })
            else { return nil }
            return words.indices.contains(index + 1) ? String(words[index + 1].split(separator: ".")[0]) : nil
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}

extension Character {
    fileprivate var isWord: Bool { isLetter || isNumber || self == "_" }
}
