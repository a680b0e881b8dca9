// The memory of the program's own code.

import Glibc
import MullionSystem
import Testing

@Suite struct ProgramCodeTests {
    /// The pages of files that this process has mapped, in KiB.
    private func mappedFiles() throws -> Int {
        let status = String(decoding: try DescriptorIO.contents(ofFile: "/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.split(separator: " ")[1]) ?? Int(line.filter(\.isNumber)))
    }

    @Test("code that was unmapped does not count as the process's memory, and runs again")
    func unmapped() throws {
        let before = try mappedFiles()
        ProgramCode.unmap()
        let after = try mappedFiles()
        #expect(after < before, "\(before) KiB before, \(after) KiB after")
        #expect((0..<1000).map { "\($0)" }.sorted().last == "999")
    }
}
