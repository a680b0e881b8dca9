// The positions that the target of a drag receives.

/// Which position to send next: the last one, once the target has answered the previous one. The first one waits for an
/// answer, too: that there is a target.
public struct DragPositions: Sendable {
    public struct Position: Hashable, Sendable {
        /// In the root window.
        public var x: Int
        public var y: Int
        public var action: DragAction
    }

    private var wanted: Position
    private var sent: Position?
    private var isWaiting = true

    public init(x: Int, y: Int, action: DragAction) { wanted = Position(x: x, y: y, action: action) }

    /// The action that was requested last.
    public var requested: DragAction? { sent?.action }

    /// Moves the drag.
    /// - Returns: a position to send.
    public mutating func move(x: Int, y: Int) -> Position? {
        (wanted.x, wanted.y) = (x, y)
        return next()
    }

    /// Requests another action.
    public mutating func request(_ action: DragAction) -> Position? {
        wanted.action = action
        return next()
    }

    /// The target has answered.
    public mutating func answered() -> Position? {
        isWaiting = false
        return next()
    }

    private mutating func next() -> Position? {
        guard !isWaiting, wanted != sent else { return nil }
        isWaiting = true
        sent = wanted
        return wanted
    }
}
