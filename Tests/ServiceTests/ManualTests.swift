// Manual pages say what the programs say.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct ManualTests {
    private func page(_ name: String) throws -> String {
        let folder = "\(Machine.package)/Config/man"
        let transcript = try Transcript("\(folder)/render", ["\(folder)/\(name)", Machine.binaries])
        try #require(transcript.status == 0, "\(transcript)")
        return transcript.output.replacing("\\-", with: "-")
    }

    private func help(_ program: String, _ words: [String] = ["--help"]) throws -> String {
        let transcript = try Transcript("\(Machine.binaries)/\(program)", words)
        try #require(transcript.status == 0, "\(transcript)")
        return transcript.output
    }

    /// `--name` at the beginnings of lines.
    private func options(of help: String) -> [String] {
        help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap {
            $0.dropFirst(4).split(separator: " ").first.map(String.init)
        }
    }

    @Test("mulliond(8) has every option of --help, with its value and its words")
    func server() throws {
        let page = try page("mulliond.8")
        let help = try help("mulliond")
        let options = options(of: help)
        #expect(options.count > 8)
        let items = page.split(separator: "\n").filter { $0.hasPrefix(".It Fl -") }
        #expect(items.map { $0.dropFirst(8).split(separator: " ").first.map(String.init) ?? "" } == options)
        #expect(items.contains(#".It Fl -socket Ar "NAME|PATH""#) && items.contains(".It Fl -check"))
        #expect(page.contains("\nValidate the options and the configuration and exit.\n"))
    }

    @Test("mullionctl(1) has every command with its words, and every option")
    func commandLine() throws {
        let page = try page("mullionctl.1")
        let help = try help("mullionctl")
        for option in options(of: help) { #expect(page.contains("\n.It Fl -\(option)"), "\(option)") }
        let commands = help.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  "), line.dropFirst(2).first?.isLetter == true else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }
        #expect(commands.count > 30)
        for command in commands { #expect(page.contains("\n.It Ic \(command)"), "\(command)") }
        #expect(page.contains(#".It Ic mode Ar "SCREEN WxH[@Hz]""#))
        for line in try self.help("mullionctl", ["help", "plug"]).split(separator: "\n").dropFirst(2) {
            #expect(page.contains(line), "\(line)")
        }
    }

    @Test("mullion.json5(5) has the whole configuration and the library's models")
    func configuration() throws {
        let page = try page("mullion.json5.5")
        let file = try String(contentsOfFile: "\(Machine.package)/Config/mullion.json5", encoding: .utf8)
        #expect(page.contains(file))
        for model in try FileManager.default.contentsOfDirectory(atPath: "\(Machine.package)/Config/displays") {
            #expect(page.contains(model.dropLast(".json5".count)), "\(model)")
        }
    }

    @Test(
        "mandoc has nothing to say against a page", .enabled(if: Program.isInstalled("mandoc")),
        arguments: ["mulliond.8", "mullionctl.1", "mullion.json5.5"])
    func mandoc(name: String) throws {
        let script = "\(Machine.package)/Config/man/render \(Machine.package)/Config/man/\(name) \(Machine.binaries)"
        let transcript = try Transcript("bash", ["-c", "\(script) | mandoc -T lint -W warning"])
        #expect(transcript.status == 0 && transcript.output.isEmpty, "\(transcript)")
    }
}
