// The lock file of an X display.

/// `/tmp/.Xn-lock` contains the process id of the X server whose display it is, in ten columns.
public enum DisplayLock {
    public static func contents(_ process: Int32) -> [UInt8] {
        let digits = String(process)
        return Array((String(repeating: " ", count: max(0, 10 - digits.utf8.count)) + digits + "\n").utf8)
    }

    /// The process that holds it; nil when the file is not a lock.
    public static func holder(_ contents: some Collection<UInt8>) -> Int32? {
        guard contents.count <= 16 else { return nil }
        let text = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let process = Int32(text[0]), process > 0 else { return nil }
        return process
    }
}
