// Requests of programs to be moved and resized.

/// Passes a program's requests on one at a time: a program that asks faster than it is answered gets what it asked for last.
public struct FrameRequests: Sendable {
    /// What was requested since the request that waits for its answer.
    private var next: XConfiguration?
    private var isWaiting = false

    public init() {}

    /// The program requests something.
    /// - Returns: what to request of the server, if anything now.
    public mutating func add(_ request: XConfiguration) -> XConfiguration? {
        guard isWaiting else {
            isWaiting = true
            return request
        }
        var merged = next ?? XConfiguration()
        merged.x = request.x ?? merged.x
        merged.y = request.y ?? merged.y
        merged.width = request.width ?? merged.width
        merged.height = request.height ?? merged.height
        next = merged
        return nil
    }

    /// The server has answered.
    /// - Returns: what to request next.
    public mutating func answered() -> XConfiguration? {
        defer { next = nil }
        isWaiting = next != nil
        return next
    }
}
