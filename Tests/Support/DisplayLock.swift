// Who holds the number of an X display.

import FoundationEssentials

/// The files of a display whose X server runs. Once it has ended, another test's X server may take the number.
public struct DisplayLock {
    private let lock: String
    private let socket: String
    private let owner: Data?

    /// - Parameters:
    ///   - number: as in DISPLAY, without the colon.
    ///   - owner: what the lock said; nil: what it says now.
    public init(_ number: some StringProtocol, owner: Data? = nil) {
        lock = "/tmp/.X\(number)-lock"
        socket = "/tmp/.X11-unix/X\(number)"
        self.owner = owner ?? FileManager.default.contents(atPath: lock)
    }

    /// Whether the X server's files are gone.
    public var isReleased: Bool {
        guard let now = FileManager.default.contents(atPath: lock) else {
            return !FileManager.default.fileExists(atPath: socket)
        }
        return now != owner
    }
}
