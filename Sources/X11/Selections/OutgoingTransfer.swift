// The content of a Wayland program's selection, on its way to an X11 program.

/// What to do next while a Wayland program writes a selection that an X11 program wants: short content in one piece, long
/// content in pieces of which the X11 program deletes each before it gets the next one (INCR, ICCCM 2.7.2).
public struct OutgoingTransfer: Sendable {
    /// The most bytes of one piece, which is less than the longest request of any X server.
    public static let piece = 1 << 16

    public enum Action: Equatable, Sendable {
        /// Put all content into the property, and notify the requestor.
        case answer([UInt8])
        /// Put the size so far into the property with the type INCR, and notify the requestor.
        case announce(size: Int)
        /// Put this into the property; empty: the end.
        case put([UInt8])
        /// The requestor has everything.
        case finish
    }

    private var buffer: [UInt8] = []
    private var isIncremental = false
    private var isInputOver = false
    /// Whether the requestor has deleted the last piece.
    private var isReady = false
    private var isEndSent = false

    public init() {}

    /// Whether more content can be taken.
    public var wantsInput: Bool { !isInputOver && buffer.count < Self.piece }

    /// Content has arrived.
    public mutating func add(_ bytes: [UInt8]) -> Action? {
        guard !isInputOver else { return nil }
        buffer += bytes
        if !isIncremental {
            guard buffer.count >= Self.piece else { return nil }
            isIncremental = true
            return .announce(size: buffer.count)
        }
        return next()
    }

    /// There is no more content.
    public mutating func end() -> Action? {
        guard !isInputOver else { return nil }
        isInputOver = true
        if !isIncremental { return .answer(buffer) }
        return next()
    }

    /// The requestor has deleted the property.
    public mutating func propertyDeleted() -> Action? {
        guard isIncremental else { return nil }
        if isEndSent { return .finish }
        isReady = true
        return next()
    }

    private mutating func next() -> Action? {
        guard isReady, !isEndSent, !buffer.isEmpty || isInputOver else { return nil }
        isReady = false
        if buffer.isEmpty { isEndSent = true }
        let count = min(buffer.count, Self.piece)
        defer { buffer.removeFirst(count) }
        return .put(Array(buffer[..<count]))
    }
}
