// mullionctl --help.

import TestSupport
import Testing

@Suite struct CommandHelpTests {
    private func help(_ name: String = "mullionctl", _ words: [String] = []) throws -> (output: String, status: Int32?)
    {
        let program = try Program("\(Programs.built)/\(name)", words + ["--help"])
        return (program.outputAtEnd(), program.exitStatus)
    }

    @Test("--help lists every command once, in groups, within 80 columns")
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
        }
        let titles = [
            "Screens:", "Windows:", "Input:", "Pictures and events:", "Waiting and time:", "Server:", "Options:",
        ]
        for title in titles { #expect(lines.contains { $0 == title }, "\(title)") }
        #expect(lines.count { $0.hasPrefix("  $ mullionctl ") } == 3)
    }
}
