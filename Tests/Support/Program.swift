// Other programs, started by a test.

import Glibc

/// A child process with its output, killed when the test releases it.
public final class Program {
    public let pid: pid_t
    private let output: Int32
    private var text: [UInt8] = []
    private var status: Int32?

    /// Whether a program is installed.
    public static func isInstalled(_ name: String) -> Bool {
        let path = environmentValue("PATH") ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// - Parameter descriptors: its descriptors from 3 on.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], descriptors: [Int32] = []
    ) throws {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw FixtureError("pipe: \(errorText())") }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = pipe[0]
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
        // Moved out of the way first: one may have the number that another one needs.
        let aside = max(descriptors.max() ?? 0, 3 + Int32(descriptors.count)) + 1
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, aside + Int32(index))
        }
        for index in descriptors.indices {
            posix_spawn_file_actions_adddup2(&actions, aside + Int32(index), 3 + Int32(index))
            posix_spawn_file_actions_addclose(&actions, aside + Int32(index))
        }
        // The last ones are options of programs built with a sanitizer.
        let inherited = ["PATH", "HOME", "LANG", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"]
        var variables = inherited.filter { environment[$0] == nil }
            .compactMap { name in environmentValue(name).map { "\(name)=\($0)" } }
        variables += environment.map { "\($0.key)=\($0.value)" }
        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        var child: pid_t = 0
        // Threads of the test runner block signals; a program that inherited the mask would ignore signals that should
        // end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Shells without job control start programs in the background with SIGINT ignored, which programs inherit.
        var interruptions = sigset_t()
        sigemptyset(&interruptions)
        sigaddset(&interruptions, SIGINT)
        sigaddset(&interruptions, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &interruptions)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let result = posix_spawnp(&child, program, &actions, &attributes, argv, envp)
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
        for string in argv + envp { free(string) }
        close(pipe[1])
        guard result == 0 else {
            close(output)
            throw FixtureError("\(program): \(errorText(result))")
        }
        pid = child
    }

    deinit {
        kill(SIGKILL)
        var ignored: Int32 = 0
        if status == nil { waitpid(pid, &ignored, 0) }
        close(output)
    }

    public func kill(_ signal: Int32) {
        if status == nil { Glibc.kill(pid, signal) }
    }

    /// Whether it still runs.
    public var isRunning: Bool {
        if status != nil { return false }
        var now: Int32 = 0
        guard waitpid(pid, &now, WNOHANG) == pid else { return true }
        status = now
        return false
    }

    /// The exit status once it ended, -1 when a signal ended it.
    public var exitStatus: Int32? {
        guard !isRunning, let status else { return nil }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }

    /// Everything it writes, once it has ended.
    public func outputAtEnd() -> String {
        var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while isRunning {
            _ = poll(&descriptor, 1, 1000)
            _ = readOutput()
        }
        return readOutput()
    }

    /// What it has written so far.
    public func readOutput() -> String {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
