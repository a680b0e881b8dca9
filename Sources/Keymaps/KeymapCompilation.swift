// Compiling clients' keymaps in processes of their own.

import CMullionXKBCommon
import Glibc
import MullionSystem

/// Compiles a client's keymap, in a separate process with limited resources, because some texts crash XKB's compiler or
/// make it use much time or memory. The process also compiles the result, so that clients can read it.
package enum KeymapCompilation {
    package enum Outcome {
        case keymap(KeymapText)
        /// With the reason.
        case refused(String)
    }

    /// How the process has ended.
    package enum Ending {
        case exited(Int32)
        /// By a signal: it crashed, or reached a limit.
        case died
        /// Another part of the server has waited for it.
        case unknown
    }

    /// The only argument of the program that compiles the keymap on its standard input.
    package static let argument = "--compile-keymap"
    /// The real time that it may take, in microseconds.
    package static let patience = UInt64(XKB_APART_PATIENCE) * 1_000_000
    /// The most bytes that it writes.
    package static let maximumOutput = headerSize + KeymapText.maximumSize
    /// The bits of the repeating keys.
    private static let headerSize = Int(XKB_APART_KEYS / 8)

    /// Compiles the keymap that is the file on standard input. Call this in a process that does nothing else.
    /// - Returns: the status to exit with.
    package static func run() -> Int32 {
        xkb_apart_limit()
        let text = DescriptorIO.read(STDIN_FILENO, count: KeymapText.maximumSize) + [0]
        return unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.map {
                    unsafe xkb_apart_compile($0, XKBData.folder, KeymapText.maximumSize)
                }
                    ?? Int32(XKB_APART_REFUSED)
            }
        }
    }

    /// What the process found.
    /// - Parameters:
    ///   - output: what it wrote to standard output.
    ///   - error: what it wrote to standard error.
    package static func outcome(_ ending: Ending, output: [UInt8], error: [UInt8]) -> Outcome {
        switch ending {
        case .exited(Int32(XKB_APART_COMPILED)), .unknown:
            guard output.count > headerSize, output.last == 0 else { return died }
            let keys = KeySet(bits: Array(output.prefix(headerSize)))
            let text = String(decoding: output[headerSize..<(output.count - 1)], as: UTF8.self)
            let keymap = unsafe KeymapText(text, repeatingKeys: keys)
            return keymap.map { .keymap($0) } ?? .refused("the server has no memory left for the keymap")
        case .exited(Int32(XKB_APART_REFUSED)):
            // Messages that were not fatal are in the lines before.
            let complaint = String(decoding: error.prefix(400), as: UTF8.self).split(separator: "\n").last ?? ""
            return .refused("XKB cannot compile the keymap" + (complaint.isEmpty ? "" : ": \(complaint)"))
        case .exited, .died: return died
        }
    }

    private static var died: Outcome {
        .refused(
            "XKB cannot compile the keymap: it crashed, or took more than \(XKB_APART_TIME) ms of processor time "
                + "or \(XKB_APART_MEMORY >> 20) MiB")
    }
}
