// Resource usage of the server's process.

import Glibc

/// Read from the kernel on demand.
package struct ProcessUse {
    /// Seconds of user and system CPU time.
    package let cpu: Double
    /// In bytes.
    package let resident: Int
    package let virtual: Int
    package let descriptors: Int
    package let maximumDescriptors: UInt64

    package init() {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        cpu = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        let pages = Self.read("/proc/self/statm").split(separator: " ").prefix(2).compactMap { Int($0) }
        let size = sysconf(Int32(_SC_PAGESIZE))
        (virtual, resident) = pages.count == 2 ? (pages[0] * size, pages[1] * size) : (0, 0)
        descriptors = Self.countDescriptors()
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        maximumDescriptors = UInt64(limit.rlim_cur)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func read(_ path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func countDescriptors() -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Excludes ".", ".." and the descriptor of the folder itself.
        return max(0, count - 3)
    }
}
