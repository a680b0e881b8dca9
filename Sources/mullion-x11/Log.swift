// Messages on standard error.

import Glibc
import MullionWayland

enum Log {
    static func write(_ message: String) {
        // Names that programs have chosen must not start a new line.
        let text = Array("mullion-x11: \(message.printable())\n".utf8)
        _ = unsafe Glibc.write(2, text, text.count)
    }
}
