// Processes that run beside this one.

import CMullionLinux
import Glibc

/// System calls on another process, by its id: that of a child for which nobody has waited.
package enum RunningProcess {
    /// A descriptor of it that becomes readable when it ends (pidfd_open(2)).
    package static func descriptor(of id: pid_t) throws(SystemError) -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(linux_process_descriptor(id))
        guard descriptor.rawValue >= 0 else { throw .last }
        return descriptor
    }

    /// Keeps it from writing files, and limits the number of descriptors that it has at once.
    package static func limitFiles(of id: pid_t, descriptors: UInt64) throws(SystemError) {
        guard linux_limit_files(id, descriptors) == 0 else { throw .last }
    }
}
