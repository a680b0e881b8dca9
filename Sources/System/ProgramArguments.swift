// The arguments that the program was started with.

import CMullionLinux

/// Replaces `CommandLine.arguments`, which finds them by reading the process's memory map.
package enum ProgramArguments {
    /// The arguments after the program's name.
    package static var all: [String] {
        (1..<max(linux_argument_count(), 1)).map { unsafe String(cString: linux_argument($0)) }
    }
}
