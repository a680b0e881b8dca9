// The name of an X display's socket.

/// `/tmp/.X11-unix/Xn`, a path and an abstract name.
public enum DisplaySocket {
    /// The number of the display; nil for the name of something else.
    public static func number(_ name: String) -> Int? {
        let prefix = "/tmp/.X11-unix/X"
        guard name.hasPrefix(prefix) else { return nil }
        let digits = name.dropFirst(prefix.count)
        guard let number = Int(digits), "\(number)" == digits, number >= 0 else { return nil }
        return number
    }
}
