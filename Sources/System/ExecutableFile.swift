// The file of the running program.

import Glibc

/// The file that this process runs.
package enum ExecutableFile {
    /// The path of this program's file; empty without /proc.
    package static var path: String {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink("/proc/self/exe", &text, text.count)
        return String(decoding: text.prefix(max(0, length)).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
