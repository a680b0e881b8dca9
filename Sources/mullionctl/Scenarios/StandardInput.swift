// A scenario on standard input.

import CMullionLinux
import Glibc
import MullionControl
import MullionSystem

/// Standard input as a file that can be read more than once.
enum StandardInput {
    /// The file that is standard input, in every process.
    static let path = "/dev/stdin"
    /// What means standard input on the command line.
    static let names = ["-", path]

    /// Replaces it by a copy in memory: this program reads it, and those that it starts read it again.
    static func keep() throws(CommandError) {
        do throws(SystemError) {
            let bytes = try DescriptorIO.read(0)
            let copy = unsafe OwnedDescriptor(linux_memfd_create("standard input", UInt32(MFD_CLOEXEC)))
            guard copy.rawValue >= 0 else { throw .last }
            try DescriptorIO.write(bytes, to: copy.rawValue)
            guard lseek(copy.rawValue, 0, SEEK_SET) == 0, dup2(copy.rawValue, 0) == 0 else { throw .last }
        } catch {
            throw .refused("standard input: \(error)")
        }
    }
}
