// mullionctl --help.

import TestSupport
import Testing

@Suite struct CommandHelpTests {
    private func help(_ words: [String]) throws -> (output: String, status: Int32?) {
        let program = try Program("\(Programs.built)/mullionctl", words + ["--help"])
        return (program.outputAtEnd(), program.exitStatus)
    }

    @Test("--help lists every command once, in groups, within 80 columns")
    func overview() throws {
        let (output, status) = try help([])
        #expect(status == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(output)")
        let commands = lines.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLetter == true }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(commands.count >= 44 && Set(commands).count == commands.count, "\(commands)")
        for command in commands {
            let (output, status) = try help([command])
            #expect(status == 0 && output.hasPrefix("usage: mullionctl \(command)"), "\(output)")
        }
        for title in ["Screens:", "Windows:", "Input:", "Seeing:", "Waiting and time:", "Server:", "Options:"] {
            #expect(lines.contains { $0 == title }, "\(title)")
        }
        #expect(lines.count { $0.hasPrefix("  $ mullionctl ") } == 3)
    }
}
