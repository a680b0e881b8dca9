// The documentation of the client library: its code compiles, and what it names exists.

import FoundationEssentials
import MullionClient
import MullionDrawing
import TestSupport
import Testing

@Suite struct DocumentationTests {
    private static let root = String(#filePath.dropLast("Tests/ClientTests/DocumentationTests.swift".count))
    private static let catalog = "Sources/MullionClient/MullionClient.docc"

    /// The example of the manual and of the library's first page. It is compiled here.
    @MainActor private func example(_ display: String) throws {
        let application = try Application(name: "hello", display: display)
        let window = Window(application)
        window.backgroundColor = .white
        window.paint { $0.text("Hello", in: $0.bounds, size: 48, .black) }
        window.onTouches { touches, _ in for touch in touches { print(touch.phase, touch.location) } }
        window.onDidBecomeKey { application.stop() }
        window.makeKeyAndVisible()
        try application.run()
    }

    @Test("the first example of the manual and the catalog works")
    @MainActor func firstExample() throws {
        let server = try ServerProcess(options: ["--screen", "800x600"], program: Programs.built + "/mulliond")
        try example(server.folder + "/socket")

        let source = try text(of: "Tests/ClientTests/DocumentationTests.swift")
        let body = source.components(separatedBy: "throws {\n")[1].components(separatedBy: "\n    }\n")[0]
        var lines = body.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        lines[0] = "let application = try Application(name: \"hello\")"
        lines.removeAll { $0.contains("application.stop()") }
        let imports = ["import MullionClient", "import MullionDrawing"]
        for page in ["Config/man/mullion-protocol.7", Self.catalog + "/MullionClient.md"] {
            let plain = try text(of: page).replacing("\\-", with: "-").split(separator: "\n")
                .map { $0.drop { $0 == " " } }
            for line in imports + lines { #expect(plain.contains(line[...]), "\(page) lacks \(line)") }
        }
    }

    @Test("the tutorial's code is the example kiosk, complete and in order; the first page has its Package.swift")
    func tutorial() throws {
        var blocks = codeBlocks(try text(of: Self.catalog + "/Kiosk.md"))
        let manifest = blocks.removeFirst()
        let source = try text(of: "Sources/Examples/kiosk/main.swift")
        // Empty lines between blocks are a matter of taste.
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
        #expect(lines(blocks.joined(separator: "\n")) == lines(source))
        let page = codeBlocks(try text(of: Self.catalog + "/MullionClient.md"))
        #expect(page.contains(manifest.replacing("\"kiosk\"", with: "\"hello\"")), "it has another Package.swift")
        let own = try text(of: "Package.swift")
        for product in manifest.matches(of: /\.product\(name: "(\w+)", package: "mullion"\)/) {
            #expect(own.contains(".library(name: \"\(product.1)\""))
        }
    }

    @Test("the code of the articles is compiled, in ArticleExamples.swift")
    func articles() throws {
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        }
        let compiled = lines(try text(of: "Tests/ClientTests/ArticleExamples.swift"))
        for page in try pages() where !["Kiosk.md", "MullionClient.md"].contains(where: page.hasSuffix) {
            for block in codeBlocks(try text(of: page)) {
                let code = lines(block).replacing("@main ", with: "")
                #expect(compiled.contains(code), "\(page): this is not in ArticleExamples.swift:\n\(block)")
            }
        }
    }

    @Test("what the pages of the catalog name is public, with its labels")
    func symbols() throws {
        let modules = ["MullionClient", "MullionDrawing", "Geometry"].map { Self.root + "Sources/" + $0 }
        let declared = try PublicDeclarations(folders: modules)
        #expect(declared.names.count > 500)
        for page in try pages() {
            for span in spans(try text(of: page)) {
                let type = String(span.prefix { $0.isLetter || $0.isNumber })
                guard declared.types.contains(type), span.dropFirst(type.count).hasPrefix(".") else { continue }
                let isDeclared = declared.names.contains(span)
                #expect(isDeclared, "\(page): there is no public \(span)")
            }
        }
        let rows = try text(of: Self.catalog + "/FromUIKit.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 100)
        for row in rows {
            let cells = row.split(separator: "|")
            try #require(cells.count == 3, "\(row)")
            for span in spans(String(cells[1])) {
                let isDeclared = declared.names.contains(span)
                #expect(isDeclared, "there is no public \(span)")
            }
        }
    }

    @Test(
        "docc converts each catalog without a warning",
        arguments: ["MullionClient", "MullionTesting", "WindowModel", "DisplayServer", "mullionctl"])
    func conversion(module: String) throws {
        let folder = try TemporaryFolder()
        let docc = try Program(
            "docc",
            [
                "convert", "\(Self.root)Sources/\(module)/\(module).docc", "--output-path", folder.path + "/out",
                "--fallback-display-name", module, "--fallback-bundle-identifier", module, "--warnings-as-errors",
            ])
        let output = docc.outputAtEnd()
        #expect(docc.exitStatus == 0 && !output.contains("warning:"), "\(output)")
    }

    private func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Self.root + Self.catalog).filter { $0.hasSuffix(".md") }
            .map { "\(Self.catalog)/\($0)" }
    }

    private func text(of file: String) throws -> String {
        try String(contentsOfFile: Self.root + file, encoding: .utf8)
    }

    /// The Swift code blocks of a page.
    private func codeBlocks(_ page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    /// The words in code voice, outside of code blocks.
    private func spans(_ page: String) -> [String] {
        let prose = page.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        return prose.flatMap { $0.element.matches(of: /`([^`\n]+)`/).map { String($0.1) } }
    }
}
