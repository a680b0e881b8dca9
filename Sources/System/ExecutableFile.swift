// The file of the running program.

import Glibc

/// The file that this process runs.
package enum ExecutableFile {
    /// The path of this program's file; empty without /proc.
    package static var path: String {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                count = unsafe text.baseAddress.map { unsafe max(0, readlink("/proc/self/exe", $0, text.count)) } ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
