// --help of mullionctl, mulliond and mullion-bench.

import TestSupport
import Testing

@Suite struct CommandHelpTests {
    private func help(_ name: String = "mullionctl", _ words: [String] = []) throws -> (output: String, status: Int32?)
    {
        let program = try Program("\(Programs.built)/\(name)", words + ["--help"])
        return (program.outputAtEnd(), program.exitStatus)
    }

    private func tooLong(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.count > 80 } }

    @Test("--help lists every command once, in groups; all help fits in 80 columns")
    func overview() throws {
        let (output, status) = try help()
        #expect(status == 0 && tooLong(output) == [])
        let lines = output.split(separator: "\n")
        let commands = lines.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLetter == true }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(commands.count >= 44 && Set(commands).count == commands.count, "\(commands)")
        for command in commands {
            let (output, status) = try help("mullionctl", [command])
            #expect(status == 0 && output.hasPrefix("usage: mullionctl \(command)"), "\(output)")
            #expect(tooLong(output) == [])
        }
        let titles = [
            "Screens:", "Windows:", "Input:", "Pictures and events:", "Waiting and time:", "Server:", "Options:",
        ]
        for title in titles { #expect(lines.contains { $0 == title }, "\(title)") }
        #expect(lines.count { $0.hasPrefix("  $ mullionctl ") } == 3)
    }

    @Test("--help of the other programs is within 80 columns", arguments: ["mulliond", "mullion-x11", "mullion-bench"])
    func programs(name: String) throws {
        let (output, status) = try help(name)
        #expect(status == 0 && output.hasPrefix("usage: \(name) ") && tooLong(output) == [], "\(output)")
    }

    @Test("a long usage is wrapped between arguments")
    func usage() throws {
        let lines = try help("mullionctl", ["compare"]).output.split(separator: "\n")
        #expect(lines[0] == "usage: mullionctl compare GOLDEN.png [SCREEN | --window ID] [--crop AREA]")
        #expect(try help("mullionctl", ["run"]).output.contains("[--screen MODEL]… [--config FILE]"))
        #expect(lines[1] == "                          [--mask AREA|WIDGETS]… [--tolerance N]")
    }
}
