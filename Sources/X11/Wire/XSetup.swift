// The beginning of a connection to an X server.

/// What an X server says about itself.
public struct XSetup: Equatable, Sendable {
    /// The first resource id of this connection.
    public let resourceBase: UInt32
    /// The bits of a resource id that the connection chooses.
    public let resourceMask: UInt32
    /// The longest request, in words.
    public let longestRequest: Int
    public let root: XWindowID
    /// The size of the root window, in pixels.
    public let width: Int
    public let height: Int

    /// The request: little-endian, version 11.0, without authorisation.
    static let request: [UInt8] = [0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    /// The length in bytes of an answer that begins with these bytes; nil while there are too few of them.
    static func length(_ bytes: [UInt8]) -> Int? {
        bytes.count < 8 ? nil : 8 + 4 * Int(XReader(bytes).word(6))
    }

    /// - Throws: the reason of a refusal.
    init(_ bytes: [UInt8]) throws(XError) {
        let reader = XReader(bytes)
        guard reader.byte(0) == 1 else {
            let reason = reader.slice(8, count: reader.byte(0) == 0 ? Int(reader.byte(1)) : bytes.count)
            throw .refused(String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self))
        }
        resourceBase = reader.long(12)
        resourceMask = reader.long(16)
        longestRequest = Int(reader.word(26))
        let vendor = (Int(reader.word(24)) + 3) / 4 * 4
        let screen = 40 + vendor + 8 * Int(reader.byte(29))
        guard reader.byte(28) > 0, reader.count >= screen + 40, resourceMask != 0 else { throw .malformed }
        root = reader.window(screen)
        width = Int(reader.word(screen + 20))
        height = Int(reader.word(screen + 22))
    }

    /// The connection that has made a window, as long as it lasts; 0: the X server itself.
    public func client(of window: XWindowID) -> UInt32 { window.rawValue & ~resourceMask }

    /// Whether two windows belong to the same X11 program.
    public func isSameClient(_ one: XWindowID, _ other: XWindowID) -> Bool { client(of: one) == client(of: other) }
}

/// Why a connection to an X server has ended.
public enum XError: Error, Equatable, Sendable, CustomStringConvertible {
    case closed
    case system(Int32)
    case refused(String)
    case malformed
    /// The server reads nothing, and too many requests wait for it.
    case congested

    public var description: String {
        switch self {
        case .closed: "the X server closed the connection"
        case .system(let code): "the connection to the X server failed with error \(code)"
        case .refused(let reason): "the X server refused the connection: \(reason)"
        case .malformed: "the X server sent a malformed message"
        case .congested: "the X server does not read its requests"
        }
    }
}
