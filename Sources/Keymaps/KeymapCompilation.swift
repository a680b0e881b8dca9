// Compiles clients' keymaps.

import CXKBCommon
import Glibc
import System

/// Compiles a client's keymap in a separate process with limited resources, because some texts crash XKB's compiler or
/// make it use much time or memory. The process also compiles the result, so that clients can read it.
package struct KeymapCompilation {
    package enum Outcome {
        case keymap(KeymapText)
        /// With the reason.
        case refused(String)
    }

    package let outcome: Outcome
    /// The processor time used, in microseconds.
    package let time: UInt64

    /// - Parameter text: has no NUL and has passed `IncludeCheck`.
    package init(_ text: String) {
        var time: UInt64 = 0
        outcome = Self.compile(text, &time)
        self.time = time
    }

    private static func compile(_ text: String, _ time: inout UInt64) -> Outcome {
        guard let file = try? AnonymousFile.make("mullion-keymap-trial", sealable: false) else {
            return .refused("the server has no descriptor left to compile the keymap")
        }
        switch unsafe Int(xkb_compile_apart(text, file.rawValue, KeymapText.maximumSize, &time)) {
        case XKB_APART_COMPILED:
            let bits = DescriptorIO.read(file.rawValue, count: Int(XKB_APART_KEYS / 8))
            let text = read(file, size(of: file) - bits.count, from: bits.count)
            let keymap = unsafe KeymapText(text, repeatingKeys: KeySet(bits: bits))
            return keymap.map { .keymap($0) } ?? .refused("the server has no memory left for the keymap")
        case XKB_APART_REFUSED:
            let complaint = read(file, 200).prefix { $0 != "\n" }
            return .refused("XKB cannot compile the keymap" + (complaint.isEmpty ? "" : ": \(complaint)"))
        case XKB_APART_DIED:
            return .refused(
                "XKB cannot compile the keymap: it crashed, or took more than \(XKB_APART_TIME) ms of processor time "
                    + "or \(XKB_APART_MEMORY >> 20) MiB")
        default:
            return .refused("the server has no process to compile the keymap: \(SystemError.last)")
        }
    }

    private static func size(of file: OwnedDescriptor) -> Int {
        var status = stat()
        return unsafe fstat(file.rawValue, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func read(_ file: OwnedDescriptor, _ count: Int, from start: Int = 0) -> String {
        String(decoding: DescriptorIO.read(file.rawValue, at: start, count: count), as: UTF8.self)
    }
}
