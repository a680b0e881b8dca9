// Standard input, standard output and standard error, unbuffered.

import Glibc
import Wayland

/// Where people read.
enum Terminal {
    // Titles and names come from anywhere, in tables, errors and JSON alike.
    static func out(_ text: String) { write(1, Array(text.printable(keepsLines: true).utf8)) }

    static func error(_ line: String) {
        write(2, Array((line.hasSuffix("\n") ? line : line + "\n").printable(keepsLines: true).utf8))
    }

    /// Writes all bytes; gives up when nobody takes them.
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads all there is.
    /// - Returns: nil when it cannot be read; errno says why.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

    /// The text of errno.
    static var reason: String { String(cString: strerror(errno)) }

    /// An environment variable, nil when it is empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
