// The memory of the program's own code and constants.

import CMullionLinux

/// The mapped code of the program and its libraries, and their constants, among them what the dynamic linker has read.
package enum ProgramCode {
    /// Unmaps it: only what runs from now on counts as the process's memory. The page cache keeps it, and a page that runs
    /// again is mapped again, with its neighbours, within a microsecond or two.
    package static func unmap() { linux_unmap_code() }
}
