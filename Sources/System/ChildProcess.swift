// Starts programs as children of this process.

import CMullionLinux
import Glibc

/// A program to start as a child, which the caller has to wait for. No signal is blocked in it.
package struct ChildProcess {
    /// The arguments, beginning with the program's name.
    package var words: [String]
    /// Its path, or a name that is looked up in PATH; nil: the first word.
    package var program: String?
    /// Nil: this process's.
    package var environment: [String: String]?
    /// By numbers that it uses, those of this process, which have to stay open until `start` returns. Without a number
    /// here, a descriptor is inherited unless it is close-on-exec.
    package var descriptors: [Int32: Int32]
    /// Whether it has no other descriptors than these and the standard streams.
    package var closesOthers: Bool
    /// Whether its standard input is /dev/null.
    package var hasEmptyInput: Bool
    /// Its process group; 0: one of its own, out of reach of the terminal's Ctrl-C; nil: this process's.
    package var group: pid_t?
    /// Its working directory, also for a relative path of the program; nil: this process's.
    package var directory: String?
    /// The signals that have their default actions in it: a process may ignore those that a write can cause, and
    /// programs would inherit that.
    package var defaultSignals = [SIGPIPE, SIGXFSZ]

    package init(
        _ words: [String], program: String? = nil, environment: [String: String]? = nil,
        descriptors: [Int32: Int32] = [:], closesOthers: Bool = false, hasEmptyInput: Bool = false,
        group: pid_t? = nil, directory: String? = nil
    ) {
        (self.words, self.program, self.environment) = (words, program, environment)
        (self.descriptors, self.closesOthers, self.hasEmptyInput) = (descriptors, closesOthers, hasEmptyInput)
        (self.group, self.directory) = (group, directory)
    }

    /// Starts the program.
    /// - Throws: the error of posix_spawn(3): ENOENT when the program or the directory does not exist; EMFILE when this
    ///   process has no descriptor left.
    package func start() throws(SystemError) -> pid_t {
        let own = try ownDescriptors()
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if hasEmptyInput { unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
        for (number, descriptor) in own {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, number)
        }
        if closesOthers {
            for number in 3..<firstFree where descriptors[number] == nil {
                unsafe posix_spawn_file_actions_addclose(&actions, number)
            }
            unsafe linux_close_when_spawned(&actions, firstFree)
        }
        if let directory { unsafe linux_spawn_in_directory(&actions, directory) }
        setAttributes(&attributes)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment?.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { unsafe (arguments + (variables ?? [])).forEach { unsafe free($0) } }
        let name = program ?? words.first ?? ""
        var process = pid_t()
        // The optimiser would otherwise close the descriptors after their last mention.
        let code = withExtendedLifetime(own) {
            if let variables = unsafe variables {
                unsafe posix_spawnp(&process, name, &actions, &attributes, arguments, variables + [nil])
            } else {
                unsafe posix_spawnp(&process, name, &actions, &attributes, arguments, environ)
            }
        }
        guard code == 0 else { throw SystemError(code) }
        return process
    }

    /// The number after all that the program uses.
    private var firstFree: Int32 { max(2, descriptors.keys.max() ?? 2) + 1 }

    /// Copies of the descriptors, moved out of the way: one may have the number that another one gets.
    private func ownDescriptors() throws(SystemError) -> [Int32: OwnedDescriptor] {
        var copies: [Int32: OwnedDescriptor] = [:]
        for (number, descriptor) in descriptors {
            let copy = linux_fcntl(descriptor, F_DUPFD_CLOEXEC, firstFree)
            guard copy >= 0 else { throw .last }
            copies[number] = OwnedDescriptor(copy)
        }
        return copies
    }

    private func setAttributes(_ attributes: inout posix_spawnattr_t) {
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if let group {
            flags |= POSIX_SPAWN_SETPGROUP
            unsafe posix_spawnattr_setpgroup(&attributes, group)
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for number in defaultSignals { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    }
}

extension ChildProcess {
    /// The environment of this process.
    package static var environment: [String: String] {
        var entries: [String] = []
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            entries.append(unsafe String(cString: text))
            unsafe entry += 1
        }
        return variables(entries)
    }

    /// The variables of an environment with these entries, `NAME=VALUE` each. Of several with one name, the first one
    /// counts, as for getenv(3).
    package static func variables(_ entries: some Sequence<String>) -> [String: String] {
        let pairs = entries.compactMap { entry in
            entry.firstIndex(of: "=").map { (String(entry[..<$0]), String(entry[entry.index(after: $0)...])) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Descriptors by the numbers from 3 on, which follow the standard streams.
    package static func numbered(_ descriptors: [Int32]) -> [Int32: Int32] {
        Dictionary(uniqueKeysWithValues: zip(3..., descriptors))
    }

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
        guard unsafe linux_pipe(&ends) == 0 else { throw .last }
        let read = OwnedDescriptor(ends[0])
        read.makeNonBlocking()
        return (read, OwnedDescriptor(ends[1]))
    }
}
