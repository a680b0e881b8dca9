// Every bound that protects the server from one connection.

/// Bounds of one connection. Reaching one ends that connection, with an error that names the limit.
public struct Limits: Sendable {
    /// Objects that a client may have at once.
    public var objects = 65_536
    /// Descriptors received and not yet claimed by a message.
    public var descriptorsInFlight = 64
    /// Queued bytes above which no more requests are read until the client reads.
    public var outputHighWater = 64 * 1024
    /// Queued bytes (events that the client did not cause) above which the client is disconnected.
    public var outputMaximum = 1024 * 1024
    /// Largest shared memory pool, in bytes.
    public var poolBytes = 1 << 30
    /// Rectangles in one region.
    public var regionRectangles = 4096
    /// Windows of one client.
    public var windows = 1024
    /// Surfaces of one client.
    public var surfaces = 16_384
    /// Depth of nested sub-surfaces and pop-ups.
    public var surfaceDepth = 32

    public init() {}
}
