// Processes that run beside this one.

import CLinux
import Glibc

/// System calls on another process, by its id: that of a child for which nobody has waited.
package enum RunningProcess {
    /// Limits its address space (RLIMIT_AS): it cannot allocate beyond that.
    /// - Parameter bytes: including what it occupies already.
    package static func limitMemory(of id: pid_t, to bytes: UInt64) throws(SystemError) {
        guard linux_limit_memory(id, bytes) == 0 else { throw .last }
    }
}
