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
}
