// A wait in progress, and what it still waits for.

/// A wait for conditions, and what does not hold yet.
struct OpenWait: Encodable {
    /// The conditions as on the command line, joined by "and". A reader without the right to capture receives only the names
    /// of a wait's conditions if one of them is about pixels.
    var condition: String
    /// Milliseconds of real time since it began.
    var waited: Double
    /// The conditions that do not hold now; absent when it could not be found out in a turn of the loop, or without the
    /// right to capture for conditions of pixels.
    var unmet: [Unmet]?
}

/// The answer to `GET /v1/waits`.
struct OpenWaitList: Encodable {
    /// The longest wait first.
    var waits: [OpenWait]
}
