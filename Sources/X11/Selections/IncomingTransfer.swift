// The content of an X11 program's selection, on its way to a Wayland program.

/// What to do next while an X11 program writes a selection to a property, in one piece or in many (INCR, ICCCM 2.7.2).
///
/// At most one piece of `pieceWords` words is held: the next one is read when the reader has taken this one.
public struct IncomingTransfer: Sendable {
    /// The most words read at once.
    public static let pieceWords = 16_384

    public enum Action: Equatable, Sendable {
        /// Read the property from this word, and delete it with its last piece.
        case read(offset: Int)
        /// Give this to the reader, then call `written`.
        case write([UInt8])
        case finish
        /// Nothing yet.
        case wait
    }

    private enum State { case converting, reading, writing, waiting, finished }
    private var state = State.converting
    private var offset = 0
    private var isIncremental = false
    /// A piece has arrived while the last one was written.
    private var hasNext = false
    /// Whether the property was read to its end.
    private var isAtEnd = false
    /// Whether the current piece had any bytes.
    private var isEmpty = true

    public init() {}

    /// The owner has answered.
    public mutating func answered(hasProperty: Bool) -> Action {
        guard state == .converting else { return .wait }
        guard hasProperty else { return finish() }
        return readNext()
    }

    /// A part of the property was read.
    /// - Parameters:
    ///   - property: nil when the window does not have it.
    ///   - isINCR: whether its type is INCR: the content follows in pieces.
    public mutating func didRead(_ property: XProperty?, isINCR: Bool) -> Action {
        guard state == .reading else { return .wait }
        guard let property else { return finish() }
        if isINCR, !isIncremental {
            isIncremental = true
            return endOfPiece()
        }
        isAtEnd = property.bytesAfter == 0
        guard !property.bytes.isEmpty else { return isAtEnd ? endOfPiece() : finish() }
        isEmpty = false
        // Only whole words can be skipped; a property's other parts have whole words.
        offset += property.bytes.count / 4
        state = .writing
        return .write(property.bytes)
    }

    /// The reader has taken what was to be written.
    public mutating func written() -> Action {
        guard state == .writing else { return .wait }
        return isAtEnd ? endOfPiece() : readOn()
    }

    /// The property has a new value.
    public mutating func propertyChanged() -> Action {
        guard isIncremental else { return .wait }
        switch state {
        case .waiting: return readNext()
        // Before the end of this piece it is a change of the piece; after it, it is the next one.
        case .writing where isAtEnd: hasNext = true
        default: break
        }
        return .wait
    }

    private mutating func endOfPiece() -> Action {
        if !isIncremental || (state == .reading && isEmpty && hasBegun) { return finish() }
        hasBegun = true
        if hasNext { return readNext() }
        state = .waiting
        return .wait
    }

    /// Whether the announcement of pieces was read.
    private var hasBegun = false

    private mutating func readNext() -> Action {
        (offset, isAtEnd, isEmpty, hasNext) = (0, false, true, false)
        return readOn()
    }

    private mutating func readOn() -> Action {
        state = .reading
        return .read(offset: offset)
    }

    private mutating func finish() -> Action {
        state = .finished
        return .finish
    }
}
