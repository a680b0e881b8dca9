// Classifies a client's descriptor before it is used.

import CMullionLinux
import Glibc

/// The kind of a descriptor, determined without querying a file system. A malicious file system can answer as late as
/// it likes: on FUSE, fstat(), poll(), reads and page faults wait for its daemon, and would block the loop.
package enum DescriptorKind: Equatable {
    /// memfd or tmpfs.
    case memory
    case pipe
    case socket
    /// A file, or something similar, on a file system of that type; "?" when it is not in this process's mount table.
    case file(system: String)
    /// Anything else, as text.
    case other(String)

    package init(_ descriptor: OwnedDescriptor) {
        let number = descriptor.rawValue
        // Only memory has seals.
        if linux_fcntl(number, F_GET_SEALS, 0) >= 0 {
            self = linux_has_huge_pages(number) == 0 ? .memory : .other("memory of huge pages")
            return
        }
        let name = Self.name(of: number)
        if name.hasPrefix("pipe:[") {
            self = .pipe
        } else if name.hasPrefix("socket:[") {
            self = .socket
        } else if name.hasPrefix("/") {
            self = .file(system: Self.system(of: number))
        } else {
            self = .other(name.isEmpty ? "not open" : "no file")
        }
    }

    /// Whether reading it waits for nothing but a local disk.
    package var isLocalFile: Bool {
        if case .file(let system) = self { Self.localSystems.contains(system) } else { false }
    }

    /// Whether fstat() returns immediately.
    package var canBeNamed: Bool {
        switch self {
        case .memory, .pipe, .socket: true
        case .file: isLocalFile
        case .other(let what): what == "no file"
        }
    }

    private static let localSystems: Set<String> = [
        "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "ramfs", "tmpfs", "xfs", "zfs",
    ]

    /// The kernel's name for it: a path, or a word without a leading slash.
    private static func name(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { room in
            unsafe room.withMemoryRebound(to: CChar.self) { room in
                unsafe room.baseAddress.map { unsafe readlink("/proc/self/fd/\(descriptor)", $0, room.count) } ?? -1
            }
        }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The file system's type from the mount table, whose lines are "ID PARENT MAJOR:MINOR … - TYPE …".
    private static func system(of descriptor: Int32) -> String {
        var (major, minor): (UInt32, UInt32) = (0, 0)
        guard unsafe linux_device(descriptor, &major, &minor) == 0 else { return "?" }
        let device = "\(major):\(minor)"
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 6, words[2] == device, let dash = words[6...].firstIndex(of: "-") else { continue }
            return words.indices.contains(dash + 1) ? String(words[dash + 1]) : "?"
        }
        return "?"
    }

    private static var mounts: String {
        String(decoding: (try? DescriptorIO.contents(ofFile: "/proc/self/mountinfo")) ?? [], as: UTF8.self)
    }
}

extension DescriptorKind: CustomStringConvertible {
    /// For messages: "this one is …".
    package var description: String {
        switch self {
        case .memory: "memory"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .file(system: "?"): "a file on a file system that the server cannot see"
        case .file(let system): "a file on \(system)"
        case .other(let what): what
        }
    }
}
