// Manual pages agree with the programs.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct ManualTests {
    static let pages = [
        "mulliond.8", "mullionctl.1", "mullion.json5.5", "mullion-scenario.5", "mullion-control.7",
        "mullion-protocol.7", "mullion-pytest.7", "mullion-x11.1", "mullion-xvfb-run.1",
    ]

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

    @Test("mulliond(8) has every option of --help, with its value and its text")
    func server() throws {
        let page = try page("mulliond.8")
        let help = try help("mulliond")
        let options = options(of: help)
        #expect(options.count > 8)
        let items = page.split(separator: "\n").filter { $0.hasPrefix(".It Fl -") }
        let names = items.map { item in String(item.dropFirst(8).prefix { $0 != " " }) }
        #expect(names == options)
        #expect(items.contains(#".It Fl -socket Ar "NAME|PATH""#) && items.contains(".It Fl -check"))
        #expect(page.contains("\nValidate the options and the configuration and exit.\n"))
    }

    /// The names that begin a line of `mullionctl --help`.
    private func commands() throws -> [String] {
        try help("mullionctl").split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  "), line.dropFirst(2).first?.isLowercase == true else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }.filter { $0 != "mullionctl" }
    }

    @Test("mullionctl(1) has a section for every command, with its arguments, and every option")
    func commandLine() throws {
        let page = try page("mullionctl.1")
        for option in options(of: try help("mullionctl")) { #expect(page.contains("\n.It Fl -\(option)"), "\(option)") }
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
        let commands = try commands()
        #expect(commands.count > 30)
        #expect(sections.sorted() == commands.sorted())
        #expect(page.contains("\nmullionctl mode SCREEN WxH[@Hz]\n"))
        for line in try self.help("mullionctl", ["help", "plug"]).split(separator: "\n").dropFirst(2) {
            #expect(page.contains(line), "\(line)")
        }
    }

    @Test(
        "examples in README.md, the tour and the manual pages use commands that exist",
        arguments: ["README.md", "Sources/mullionctl/mullionctl.docc/Tour.md"] + pages.map { "Config/man/\($0)" })
    func examples(path: String) throws {
        let file = try String(contentsOfFile: "\(Machine.package)/\(path)", encoding: .utf8)
        let commands = Set(try commands())
        for line in file.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1, words[0] == "mullionctl", words[1].first?.isLowercase == true else { continue }
            #expect(commands.contains(String(words[1])), "\(line)")
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
        "mandoc finds no fault in a page", .enabled(if: Program.isInstalled("mandoc")),
        arguments: pages)
    func mandoc(name: String) throws {
        let script = "\(Machine.package)/Config/man/render \(Machine.package)/Config/man/\(name) \(Machine.binaries)"
        let transcript = try Transcript("bash", ["-c", "\(script) | mandoc -T lint -W warning"])
        #expect(transcript.status == 0 && transcript.output.isEmpty, "\(transcript)")
    }
}
