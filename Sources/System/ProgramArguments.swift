// The arguments that the program was started with.

import CLinux

/// `CommandLine.arguments`, without that property's search of the process's memory map.
package enum ProgramArguments {
    /// The arguments after the program's name.
    package static var all: [String] {
        (1..<max(linux_argument_count(), 1)).map { unsafe String(cString: linux_argument($0)) }
    }
}
