// The names of programs that run.

/// What programs are called. The kernel keeps 15 bytes of a name in /proc/PID/comm.
package enum ProcessName {
    private static let kernelMaximum = 15

    /// The name of a process; empty when it cannot be read. The whole one if it runs the file of that name, and that may be
    /// known: the file is that of the link /proc/PID/exe. Its arguments are not read, because they are in its memory, which
    /// it can make the reader wait for.
    package static func of(_ pid: Int32) -> String {
        let bytes = (try? DescriptorIO.beginning(ofFile: "/proc/\(pid)/comm", count: 64)) ?? []
        let kept = bytes.prefix { $0 != 10 }
        let name = String(decoding: kept, as: UTF8.self)
        guard kept.count == kernelMaximum else { return name }
        let file = file(of: pid)
        return file.utf8.starts(with: kept) ? file : name
    }

    /// The name of the file that a process runs; empty when it may not be known.
    private static func file(of pid: Int32) -> String {
        let name = ExecutableFile.path(of: "\(pid)").split(separator: "/").last ?? ""
        let mark = " (deleted)"
        return String(name.hasSuffix(mark) ? name.dropLast(mark.count) : name)
    }

    /// What the kernel keeps of a name.
    private static func kept(_ name: String) -> String {
        name.utf8.count > kernelMaximum ? String(decoding: name.utf8.prefix(kernelMaximum), as: UTF8.self) : name
    }

    /// Whether a program is meant by a text, each of which may be the whole name or what the kernel keeps of it.
    /// - Parameter matches: whether a name is the one that the text stands for.
    package static func isMeant(_ name: String, by text: String, _ matches: (String) -> Bool) -> Bool {
        matches(name) || matches(kept(name)) || name.utf8.count == kernelMaximum && kept(text) == name
    }

    /// The same for a text that is a name.
    package static func isMeant(_ name: String, by text: String) -> Bool { isMeant(name, by: text) { $0 == text } }
}
