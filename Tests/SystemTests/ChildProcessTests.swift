// What started programs have of this process.

import Glibc
import MullionSystem
import Testing

@Suite struct ChildProcessTests {
    /// What a program writes, and its status as in waitpid(2).
    private func run(_ program: ChildProcess) throws -> (output: String, status: Int32) {
        let pipe = try ChildProcess.pipe()
        var program = program
        program.descriptors[1] = pipe.write.rawValue
        let process = try withExtendedLifetime(pipe) { try program.start() }
        pipe.write.close()
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            _ = DescriptorIO.wait(for: POLLIN, on: pipe.read.rawValue, milliseconds: -1)
            let count = retryingWhenInterrupted { read(pipe.read.rawValue, &chunk, chunk.count) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return (String(decoding: bytes, as: UTF8.self), try wait(for: process))
    }

    private func wait(for process: pid_t) throws -> Int32 {
        var status: Int32 = 0
        try #require(retryingWhenInterrupted { waitpid(process, &status, 0) } == process)
        return status
    }

    private func error(_ program: ChildProcess) -> SystemError? {
        do throws(SystemError) {
            let process = try program.start()
            waitpid(process, nil, 0)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Descriptors

    @Test("two descriptors of a program can have each other's numbers")
    func swapped() throws {
        let first = try AnonymousFile.make("first", holding: Array("first ".utf8))
        let second = try AnonymousFile.make("second", holding: Array("second ".utf8))
        let (low, high) = (first.rawValue, second.rawValue)
        let files = ["/proc/self/fd/\(low)", "/proc/self/fd/\(high)"]
        func output(_ descriptors: [Int32: Int32]) throws -> String {
            try withExtendedLifetime((first, second)) {
                try run(ChildProcess(["cat"] + files, descriptors: descriptors)).output
            }
        }
        #expect(try output([low: high, high: low]) == "second first ")
        // Close-on-exec, and given to it under its own number.
        #expect(try output([low: low, high: high]) == "first second ")
        #expect(try output([low: low, high: low]) == "first first ")
    }

    @Test("descriptors are numbered after the standard streams, in their order")
    func numbered() throws {
        let files = try ["a", "b", "c"].map { try AnonymousFile.make($0, holding: Array($0.utf8)) }
        let output = try withExtendedLifetime(files) {
            try run(
                ChildProcess(
                    ["cat", "/dev/fd/3", "/dev/fd/4", "/dev/fd/5"],
                    descriptors: ChildProcess.numbered(files.map(\.rawValue)))
            ).output
        }
        #expect(output == "abc")
    }

    @Test("a program inherits descriptors that are not close-on-exec, unless the others are closed")
    func others() throws {
        let made = try AnonymousFile.make("file")
        // Not a number that ls gets for the folder, which is the first free one.
        let file = OwnedDescriptor(fcntl(made.rawValue, F_DUPFD_CLOEXEC, 200))
        let inherited = OwnedDescriptor(dup(file.rawValue))
        try withExtendedLifetime((file, inherited)) {
            let list = ["ls", "/proc/self/fd"]
            let all = try run(ChildProcess(list)).output.split(separator: "\n")
            #expect(all.contains("\(inherited.rawValue)") && !all.contains("\(file.rawValue)"))
            #expect(try run(ChildProcess(list, closesOthers: true)).output == "0\n1\n2\n3\n")
            let numbers: [Int32: Int32] = [5: file.rawValue, 8: inherited.rawValue]
            #expect(
                try run(ChildProcess(list, descriptors: numbers, closesOthers: true)).output == "0\n1\n2\n3\n5\n8\n")
        }
    }

    @Test("a descriptor that is not open is the error, and nothing is started")
    func closedDescriptor() { #expect(error(ChildProcess(["true"], descriptors: [3: -1])) == SystemError(EBADF)) }

    @Test("an empty input ends at once; a descriptor takes its place")
    func input() throws {
        #expect(try run(ChildProcess(["readlink", "/proc/self/fd/0"], hasEmptyInput: true)).output == "/dev/null\n")
        let file = try AnonymousFile.make("input", holding: Array("text".utf8))
        let output = try withExtendedLifetime(file) {
            lseek(file.rawValue, 0, SEEK_SET)
            return try run(ChildProcess(["cat"], descriptors: [0: file.rawValue], hasEmptyInput: true)).output
        }
        #expect(output == "text")
    }

    // MARK: Program, environment, directory

    @Test("the program may have another name than its first word")
    func program() throws {
        #expect(try run(ChildProcess(["any", "-c", "echo $0"], program: "sh")).output == "any\n")
        #expect(try run(ChildProcess(["false"], program: "/bin/true")).status == 0)
    }

    @Test("a program that does not exist is ENOENT, one that cannot be executed EACCES")
    func missing() {
        #expect(error(ChildProcess(["mullion-does-not-exist"])) == SystemError(ENOENT))
        #expect(error(ChildProcess(["/nowhere/program"])) == SystemError(ENOENT))
        #expect(error(ChildProcess([])) == SystemError(ENOENT))
        #expect(error(ChildProcess(["/etc/passwd"])) == SystemError(EACCES))
        #expect(error(ChildProcess(["true"], directory: "/nowhere")) == SystemError(ENOENT))
    }

    @Test("a program has exactly the variables that it was given, or all of this process")
    func environment() throws {
        let exact = ["A": "1", "EMPTY": "", "EQUALS": "x=y", "LINES": "a\nb"]
        func variables(_ environment: [String: String]?) throws -> [String: String] {
            let output = try run(ChildProcess(["env", "-0"], environment: environment)).output
            return ChildProcess.variables(output.split(separator: "\0").map(String.init))
        }
        #expect(try variables(exact) == exact)
        #expect(try variables([:]) == [:])
        #expect(try variables(nil) == ChildProcess.environment)
        #expect(ChildProcess.environment["PATH"] == getenv("PATH").map { String(cString: $0) })
    }

    @Test("of several variables with one name the first one counts, and what is not a variable is ignored")
    func variables() {
        #expect(ChildProcess.variables(["A=1", "B", "A=2", "C=", "D=x=y"]) == ["A": "1", "C": "", "D": "x=y"])
    }

    @Test("a program begins in its directory, where its relative path leads from")
    func directory() throws {
        #expect(try run(ChildProcess(["pwd"], directory: "/proc")).output == "/proc\n")
        #expect(try run(ChildProcess(["./bin/pwd"], directory: "/usr")).output == "/usr\n")
    }

    // MARK: Group and signals

    @Test("a program is in this process's group, in its own, or in another one")
    func group() throws {
        // They run until its other end is closed.
        let input = try ChildProcess.pipe()
        _ = fcntl(input.read.rawValue, F_SETFL, 0)
        let descriptors: [Int32: Int32] = [0: input.read.rawValue]
        let (same, own, other) = try withExtendedLifetime(input) {
            let own = try ChildProcess(["cat"], descriptors: descriptors, group: 0).start()
            return (
                try ChildProcess(["cat"], descriptors: descriptors).start(), own,
                try ChildProcess(["cat"], descriptors: descriptors, group: own).start()
            )
        }
        #expect(getpgid(same) == getpgrp())
        #expect(getpgid(own) == own)
        #expect(getpgid(other) == own)
        input.write.close()
        for process in [same, own, other] { #expect(try wait(for: process) == 0) }
    }

    @Test("no signal is blocked in a program, and those that a write can cause are not ignored")
    func signals() throws {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        let actions = [SIGPIPE, SIGXFSZ, SIGWINCH].map { ($0, signal($0, SIG_IGN)) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            for (number, action) in actions { signal(number, action) }
        }
        let output = try run(ChildProcess(["cat", "/proc/self/status"])).output
        func mask(_ name: String) throws -> UInt64 {
            let line = try #require(output.split(separator: "\n").first { $0.hasPrefix(name + ":\t") })
            return try #require(UInt64(line.dropFirst(name.count + 2), radix: 16))
        }
        #expect(try mask("SigBlk") == 0)
        let ignored = try [SIGPIPE, SIGXFSZ, SIGWINCH].filter { try mask("SigIgn") & 1 << UInt64($0 - 1) != 0 }
        #expect(ignored == [SIGWINCH], "others are inherited, as nohup(1) expects")
    }
}
