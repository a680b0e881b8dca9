// How processes begin and end.

import Glibc

/// When a process started.
package enum ProcessStart {
    /// In the kernel's ticks since the machine started; nil for a process that is gone, or hidden from this one.
    package static func time(of pid: Int32) -> UInt64? {
        guard pid > 0, let bytes = try? DescriptorIO.contents(ofFile: "/proc/\(pid)/stat"),
            let fields = fields(of: String(decoding: bytes, as: UTF8.self)), fields.count > 19
        else { return nil }
        return UInt64(fields[19])
    }
}

/// The fields after the name of a process in its statistics: "PID (NAME) STATE …", where the name may contain anything.
private func fields(of statistics: String) -> [Substring]? {
    guard let end = statistics.lastIndex(of: ")") else { return nil }
    return statistics[statistics.index(after: end)...].split { $0 == " " || $0 == "\n" }
}

/// How a process ended.
package struct ProcessExit: Equatable {
    /// 0 if it exited by itself.
    package let signal: Int32
    package let status: Int32

    /// - Returns: nil for a process that runs, is gone, or has rights that this one does not have: the kernel shows that
    ///   as status 0.
    package init?(ofEnding pid: Int32) {
        guard pid > 0, let bytes = try? DescriptorIO.contents(ofFile: "/proc/\(pid)/stat") else { return nil }
        self.init(statistics: String(decoding: bytes, as: UTF8.self))
        if signal == 0, status == 0, Self.isHidden(pid) { return nil }
    }

    /// Whether the kernel hides the state of a process from this one (PTRACE_MODE_READ in ptrace(2)). Then reading this
    /// link is forbidden too; a process that has ended has none.
    private static func isHidden(_ pid: Int32) -> Bool {
        var byte: CChar = 0
        return unsafe readlink("/proc/\(pid)/exe", &byte, 1) < 0 && errno == EACCES
    }

    /// - Parameter statistics: what /proc has in the process's `stat`.
    package init?(statistics: String) {
        // The flags and the exit code, as in waitpid.
        guard let fields = fields(of: statistics), fields.count > 49, let flags = UInt32(fields[6]),
            let code = Int32(fields[49])
        else { return nil }
        let isExiting: UInt32 = 0x4
        guard flags & isExiting != 0 || fields[0] == "Z" else { return nil }
        self.init(code: code)
    }

    /// - Parameter code: as in waitpid(2).
    package init(code: Int32) { (signal, status) = (code & 0x7f, (code >> 8) & 0xff) }
}
