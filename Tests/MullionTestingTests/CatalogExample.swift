// The example of the catalog's page.

import FoundationEssentials
import MullionTesting
import TestSupport
import Testing

@Suite struct CatalogExample {
    // Another version of GTK has another theme.
    @Test(.enabled(if: isReady && Self.version.hasPrefix("4.8."), "gtk4-demo is installed, as Debian 12 has it"))
    func dialog() async throws {
        try await withShippedMullion(screens: ["1280x800"]) { mullion in
            let app = try await mullion.launch(["gtk4-demo", "--run=dialog"])
            let window = try await app.window(title: "Dialogs")
            try await window.textbox("Entry 1").fill("Ada Lovelace")
            try await window.button("/Interactive/").click()
            try await app.window(title: "/Interactive/").waitFor(.key)
            try await mullion.mainScreen().match("goldens/dialog.png")
        }
    }

    /// That of gtk4-demo.
    private static let version: String = {
        let program = try? Program("gtk4-demo", ["--version"])
        return String(program?.outputAtEnd().split(separator: " ").last ?? "")
    }()

    @Test("the page of the catalog has this example")
    func page() throws {
        let page = try String(
            contentsOfFile: Programs.package + "/Sources/MullionTesting/MullionTesting.docc/MullionTesting.md",
            encoding: .utf8)
        let code = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n")
        let body = code.drop { !$0.contains("func dialog()") }.dropFirst(2).prefix { !$0.hasPrefix("        }") }
        #expect(body.count == 6)
        // There it is no method.
        for line in body { #expect(page.contains(line.dropFirst(4) + "\n"), "\(line)") }
    }
}
