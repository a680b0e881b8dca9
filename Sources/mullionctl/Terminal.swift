// Standard input, standard output and standard error, unbuffered.

import Glibc
import MullionWayland
import System

/// Output for people.
enum Terminal {
    // Titles and names may contain anything, in tables, errors and JSON alike.
    static func out(_ text: String) { write(1, Array(text.printable(keepsLines: true).utf8)) }

    static func error(_ line: String) {
        write(2, Array((line.hasSuffix("\n") ? line : line + "\n").printable(keepsLines: true).utf8))
    }

    /// Writes all bytes; gives up when the reader is gone.
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) { try? DescriptorIO.write(bytes, to: descriptor) }

    /// The width of the terminal on standard output, otherwise COLUMNS, otherwise 80; at least 20.
    static var width: Int {
        var size = winsize()
        if unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return max(20, Int(size.ws_col)) }
        return max(20, variable("COLUMNS").flatMap { Int($0) } ?? 80)
    }

    static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

    /// The text of errno.
    static var reason: String { SystemError.last.description }

    /// An environment variable; nil when it is unset or empty.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
