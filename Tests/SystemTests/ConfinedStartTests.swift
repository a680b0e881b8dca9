// What confined programs may do.

import CMullionLinux
import FoundationEssentials
import Glibc
import MullionSystem
import Testing

@Suite struct ConfinedStartTests {
    /// What a script prints.
    private func output(_ script: String) throws -> String {
        let pipe = try ChildProcess.pipe()
        let start = try ChildProcess(["sh", "-c", script], descriptors: [1: pipe.write.rawValue]).startConfined()
        _ = DescriptorIO.wait(for: Int32(POLLIN), on: start.done.rawValue, milliseconds: -1)
        let id = try #require(start.result).get()
        var status: Int32 = 0
        #expect(waitpid(id, &status, 0) == id)
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = read(pipe.read.rawValue, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("a program that is abandoned while it starts is killed, and one that has started is left to the caller")
    func abandoned() throws {
        let pipe = try ChildProcess.pipe()
        var descriptors = [pipe.write]
        for isEarly in [true, false] {
            let start = try ChildProcess(
                ["sleep", "1000"], descriptors: [1: pipe.write.rawValue], group: 0
            ).startConfined(keeping: descriptors)
            if !isEarly { _ = DescriptorIO.wait(for: Int32(POLLIN), on: start.done.rawValue, milliseconds: -1) }
            if let id = start.abandon() {
                #expect(kill(-id, SIGKILL) == 0 && waitpid(id, nil, 0) == id)
            } else {
                #expect(isEarly)
            }
        }
        descriptors = []
        // Nobody has its end any more.
        withExtendedLifetime(pipe.read) { _ = close(pipe.write.release()) }
        _ = DescriptorIO.wait(for: Int32(POLLIN), on: pipe.read.rawValue, milliseconds: -1)
        var byte: UInt8 = 0
        #expect(read(pipe.read.rawValue, &byte, 1) == 0)
    }

    @Test("a confined program and what it starts gain no privilege; this process stays as it is")
    func privileges() throws {
        func own() throws -> Substring? {
            try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("NoNewPrivs:") }
        }
        // A container may have set it already.
        let before = try #require(try own())
        #expect(try output("sh -c 'grep NoNewPrivs /proc/self/status'") == "NoNewPrivs:\t1\n")
        #expect(try own() == before)
    }

    @Test(
        "with Landlock, a confined program reads, and changes no file",
        .enabled(if: linux_landlock_version() >= 3, "the kernel has Landlock"))
    func files() throws {
        var template = Array("/tmp/mullion-test-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("known".utf8).write(to: URL(filePath: folder + "/known"))
        let script = """
            cd \(folder) && cat known
            for attempt in 'echo x >new' 'mkdir folder' 'rm known' 'mv known other' 'echo x >>known' 'ln -s known link'; do
                (eval "$attempt") 2>&- && echo "$attempt"
            done
            """
        #expect(try output(script) == "known")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["known"])
        #expect(FileManager.default.contents(atPath: folder + "/known") == Data("known".utf8))
        // This process may.
        #expect(mkdir(folder + "/folder", 0o700) == 0)
    }
}
