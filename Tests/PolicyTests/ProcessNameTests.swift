// The names of programs, which the kernel cuts to 15 bytes.

import Glibc
import MullionSystem
import TestSupport
import Testing

@Suite struct ProcessNameTests {
    /// Runs a file of this name, and returns the name of the process.
    /// - Parameter making: a shell script that makes the file, whose path is "$0".
    private func name(of file: String, making script: String, _ arguments: [String] = []) throws -> String {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/\(file)"
        // By another process: programs that other tests start could inherit a descriptor that is open for writing, and
        // nobody can run the file meanwhile.
        #expect(try Program("sh", ["-c", script, path]).outputAtEnd() == "")
        let program = try Program(path, arguments)
        // It writes something and stops.
        var output = pollfd(fd: -1, events: 0, revents: 0)
        while program.readOutput().isEmpty {
            try #require(program.isRunning)
            _ = poll(&output, 1, 10)
        }
        return ProcessName.of(program.pid)
    }

    @Test(
        "the name of a program is whole, however long it is",
        arguments: ["sh", "fifteen-bytes-x", "gnome-calculator", "a-program-with-a-name-that-is-longer-still"])
    func programs(file: String) throws {
        let found = try name(of: file, making: #"cp /bin/dash "$0""#, ["-c", "echo runs; kill -STOP $$"])
        #expect(found == file)
    }

    @Test("the name of a script is what the kernel keeps of it")
    func scripts() throws {
        let script = ##"printf '#!/bin/sh\necho runs\nkill -STOP $$\n' > "$0"; chmod 700 "$0""##
        #expect(try name(of: "a-script-with-a-long-name", making: script) == "a-script-with-a")
    }

    @Test("a process that does not exist has no name")
    func none() { #expect(ProcessName.of(-1).isEmpty && ProcessName.of(.max).isEmpty) }

    @Test("both forms of a name stand for each other, and nothing else does")
    func forms() {
        for (name, text, isMeant) in [
            ("gnome-calculator", "gnome-calculator", true), ("gnome-calculator", "gnome-calculato", true),
            ("gnome-calculato", "gnome-calculator", true), ("gnome-calculato", "gnome-calculato", true),
            ("gnome-calculator", "gnome-calcul", false), ("gnome-calcul", "gnome-calculator", false),
            ("gnome-calculator", "gnome-calculators", false), ("foot", "foot", true), ("foot", "footclient", false),
            ("", "", true), ("", "foot", false),
        ] { #expect(ProcessName.isMeant(name, by: text) == isMeant, "\(name), \(text)") }
    }
}
