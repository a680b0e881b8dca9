// Starts programs as children of this process.

import CLinux
import Glibc

/// The start of a child, which the caller has to wait for.
package enum ChildProcess {
    /// The path of the program of this name in this program's own folder; just the name when it is not there.
    package static func path(of name: String) -> String {
        let own = ExecutableFile.path
        guard let slash = own.lastIndex(of: "/") else { return name }
        let path = String(own[...slash]) + name
        return unsafe access(path, X_OK) == 0 ? path : name
    }

    /// A pipe for a child's output, whose end for reading does not block.
    package static func pipe() throws(SystemError) -> (read: OwnedDescriptor, write: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw .last }
        for end in ends { _ = linux_fcntl(end, F_SETFD, FD_CLOEXEC) }
        let read = OwnedDescriptor(ends[0])
        read.makeNonBlocking()
        return (read, OwnedDescriptor(ends[1]))
    }

    /// What a child's standard streams are.
    package struct Streams {
        package var output: Int32
        package var error: Int32

        package init(output: Int32, error: Int32) { (self.output, self.error) = (output, error) }
    }

    /// Starts a program, found in PATH unless its name has a slash, in a process group of its own, which the terminal's
    /// Ctrl-C does not reach. It has default signal handling, and no descriptors but its standard streams.
    /// - Parameters:
    ///   - words: the arguments, beginning with the program's name.
    ///   - variables: those that its environment has besides this process's.
    ///   - streams: nil: this process's; otherwise standard input is empty.
    package static func start(
        _ program: String, _ words: [String], variables: [String: String] = [:], streams: Streams? = nil
    ) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let streams {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, streams.error, 2)
        }
        unsafe linux_close_when_spawned(&actions, 3)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let environment = unsafe Self.environment(with: variables)
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
        guard code == 0 else { throw SystemError(code) }
        return process
    }

    /// This process's environment with these variables; the caller frees the strings.
    @unsafe private static func environment(with variables: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var texts: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            texts.append(unsafe String(cString: entry))
            unsafe next += 1
        }
        texts.removeAll { variables[String($0.prefix { $0 != "=" })] != nil }
        texts += variables.map { "\($0)=\($1)" }
        return unsafe texts.map { unsafe strdup($0) } + [nil]
    }
}
