// How many files a process may have open.

import Glibc

/// The limit of this process's descriptors (RLIMIT_NOFILE).
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one.
    package static func raise() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Makes the kernel's table of this process's descriptors large enough for this many, as far as the limit allows.
    /// It grows on demand, to 128, 256 and so on. In a process with several threads, the call that makes it grow waits
    /// milliseconds for an RCU grace period (expand_fdtable() in Linux's fs/file.c).
    package static func reserve(_ count: Int32) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(min(UInt64(limit.rlim_cur), UInt64(count))) - 1)
        if descriptor >= 0 { close(descriptor) }
    }
}
