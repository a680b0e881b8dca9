// Finds out what this machine has.

import Glibc
import MullionSystem

/// This machine, as programs that are started now will find it.
package final class Machine {
    /// The longest path of a folder for temporary files: a socket's has at most 107 bytes.
    private static let longestFolder = 107 - "/mullion-XXXXXX/mullion/control.sock".utf8.count
    /// The folders of programs' data, by XDG's Base Directory Specification.
    package static let dataFolders = (variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
        .map(String.init)

    /// What FFmpeg lists; empty without it.
    private lazy var encoders = Self.output(["ffmpeg", "-hide_banner", "-encoders"]).split { $0 == " " || $0 == "\n" }

    package init() {}

    package func has(_ requirement: Requirement) -> Bool { requirement.signs.contains(where: has) }

    /// Whether a program is there that may use the feature.
    package func mayUse(_ feature: Feature) -> Bool {
        feature.users.isEmpty || feature.users.contains { Self.file($0) != nil }
    }

    private func has(_ sign: Requirement.Sign) -> Bool {
        switch sign {
        case .library(let name): Self.canLoad(name)
        case .companion(let name): ChildProcess.path(of: name) != name || ExecutableFile.inPath(name) != nil
        case .encoder(let name): encoders.contains { $0 == name }
        case .temporaryFolder: Self.isUsable(Self.variable("TMPDIR") ?? "/tmp")
        case .program, .file, .data: Self.path(of: sign) != nil
        }
    }

    /// Where a program or a file is; nil: it is missing.
    package static func path(of requirement: Requirement) -> String? {
        requirement.signs.lazy.compactMap { path(of: $0) }.first
    }

    private static func path(of sign: Requirement.Sign) -> String? {
        switch sign {
        case .program(let name): ExecutableFile.inPath(name)
        case .file(let pattern): file(pattern)
        case .data(let name): dataFolders.lazy.compactMap { file("\($0)/\(name)") }.first
        case .library, .companion, .encoder, .temporaryFolder: nil
        }
    }

    /// An environment variable; nil when it is unset or empty.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    private static func canLoad(_ name: String) -> Bool {
        guard let handle = unsafe dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return false }
        unsafe dlclose(handle)
        return true
    }

    /// A file with a path of this pattern, see glob(7).
    private static func file(_ pattern: String) -> String? {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0 else { return nil }
        return unsafe found.gl_pathv[0].map { unsafe String(cString: $0) }
    }

    private static func isUsable(_ folder: String) -> Bool {
        unsafe FilePath.absolute(folder).utf8.count <= longestFolder && access(folder, W_OK | X_OK) == 0
    }

    /// How long a program may take that is asked what it can do, in milliseconds.
    private static let patience: Int32 = 10_000

    /// What a program writes to standard output; nothing if it cannot be started. One that takes too long is killed.
    private static func output(_ words: [String]) -> String {
        guard let file = try? AnonymousFile.make("output"), let errors = try? AnonymousFile.make("errors") else {
            return ""
        }
        let program = ChildProcess(words, descriptors: [1: file.rawValue, 2: errors.rawValue], hasEmptyInput: true)
        guard let id = try? withExtendedLifetime((file, errors), { try program.start() }) else { return "" }
        if let end = try? RunningProcess.descriptor(of: id),
            !DescriptorIO.wait(for: POLLIN, on: end.rawValue, milliseconds: patience)
        {
            kill(id, SIGKILL)
        }
        var status: Int32 = 0
        _ = retryingWhenInterrupted { unsafe waitpid(id, &status, 0) }
        return String(decoding: DescriptorIO.read(file.rawValue, count: 1 << 20), as: UTF8.self)
    }
}
