// The files of running programs.

import Glibc

/// The file that a process runs.
package enum ExecutableFile {
    /// The path of this program's file; empty without /proc.
    package static var path: String { path(of: "self") }

    /// Where this program's data are, if it is installed in PREFIX/bin: PREFIX/share/mullion; nil for one that is elsewhere.
    package static var dataFolder: String? {
        let place = path.split(separator: "/").dropLast()
        guard place.last == "bin" else { return nil }
        return "/" + (place.dropLast() + ["share", "mullion"]).joined(separator: "/")
    }

    /// The program of this name in PATH; nil: it is not installed.
    package static func inPath(_ name: String) -> String? {
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { path in
            var status = stat()
            return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }

    /// The path of a program's file; empty when it may not be known.
    /// - Parameter process: its id.
    static func path(of process: String) -> String {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                count =
                    unsafe text.baseAddress.map { unsafe max(0, readlink("/proc/\(process)/exe", $0, text.count)) } ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
