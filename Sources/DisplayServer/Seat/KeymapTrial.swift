// Keymaps that strangers wrote.

import CLinux
import CXKBCommon
import Glibc
import Wayland

/// Compiles a stranger's text in a process of its own. XKB's compiler does not survive every text, or takes very long
/// over it; what it makes of one in a second, and reads again, clients can read too.
enum KeymapTrial {
    case keymap(KeymapText)
    /// Says why.
    case refused(String)

    /// - Parameter text: without NUL; `IncludeCheck` has seen it.
    init(_ text: String) {
        let file = OwnedDescriptor(linux_memfd_create("mullion-keymap-trial", MFD_CLOEXEC))
        guard file.rawValue >= 0 else {
            self = .refused("the server has no descriptor left to compile the keymap")
            return
        }
        switch Int(xkb_compile_apart(text, file.rawValue)) {
        case XKB_APART_COMPILED:
            let keymap = KeymapText(Self.start(of: file, Self.size(of: file)))
            self = keymap.map { .keymap($0) } ?? .refused("the server has no memory left for the keymap")
        case XKB_APART_REFUSED:
            let complaint = Self.start(of: file, 200).prefix { $0 != "\n" }
            self = .refused("XKB cannot compile the keymap" + (complaint.isEmpty ? "" : ": \(complaint)"))
        case XKB_APART_DIED:
            self = .refused("XKB cannot compile the keymap: it crashed, or took more than a second")
        default: self = .refused("the server has no process to compile the keymap: \(String(cString: strerror(errno)))")
        }
    }

    private static func size(of file: OwnedDescriptor) -> Int {
        var status = stat()
        return fstat(file.rawValue, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func start(of file: OwnedDescriptor, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { max(0, pread(file.rawValue, $0.baseAddress, count, 0)) }
    }
}
