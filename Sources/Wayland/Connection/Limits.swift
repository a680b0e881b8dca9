// Every bound that protects the server from one connection.

/// Bounds of one connection, and of how many there are. Reaching one ends that connection, or refuses it, with an error
/// that names the limit.
public struct Limits: Sendable {
    /// Objects that a client may have at once.
    public var objects = 65_536
    /// Descriptors received and not yet claimed by a message.
    public var descriptorsInFlight = 64
    /// Queued bytes above which no more requests are read until the client reads.
    public var outputHighWater = 64 * 1024
    /// Queued bytes above which the client is disconnected: events that others caused and it does not read.
    public var outputMaximum = 1024 * 1024
    /// Queued descriptors above which nothing that carries one is sent to who does not read: what others want of it.
    public var descriptorsQueued = 256
    /// Largest shared memory pool, in bytes.
    public var poolBytes = 1 << 30
    /// Shared memory pools of one client.
    public var pools = 4096
    /// Shared memory pools of all clients of a user; the others' find room for theirs.
    public var userPools = 16_384
    /// Pools of all clients of the server: each is a mapping, of which Linux gives a process 65,530.
    public var allPools = 32_768
    /// Bytes in all pools of one client.
    public var allPoolBytes = 8 << 30
    /// Bytes of the server's own memory for one client: objects, regions, what is queued for it …
    public var clientBytes = 64 << 20
    /// Bytes of the server's own memory for all clients of a user; beyond them the largest ends.
    public var userBytes = 256 << 20
    /// Requests of one client in a second.
    public var messagesPerSecond = 8_000_000
    /// Frame callbacks of one surface that wait.
    public var frameCallbacks = 1024
    /// Regions of one client.
    public var regions = 4096
    /// Fingers that are down at once, of all seats.
    public var touches = 256
    /// Sandboxes of one user that listen, or are being made (wp_security_context_v1); they outlive who made them.
    public var sandboxes = 64
    /// Descriptors that the server has open for one user's clients, those on their way included; never more than half of
    /// what all clients may have.
    public var userDescriptors = 32_768
    /// Rectangles in one region.
    public var regionRectangles = 1024
    /// Objects of one kind that a client binds to be told things: outputs, pointers, keyboards, touches, data devices.
    public var bindings = 1024
    /// Copies of screens that a client waits for (zwlr_screencopy_frame_v1).
    public var screenCopies = 64
    /// Connected screens of the server.
    public var screens = 64
    /// Clients of the server.
    public var clients = 4096
    /// Bytes of UTF-8 of a title or a name of a client; what is longer is cut.
    public var titleBytes = 4096
    /// Windows of one client.
    public var windows = 1024
    /// Pop-ups of one client: each moves with its window.
    public var popups = 1024
    /// Surfaces of one client.
    public var surfaces = 16_384
    /// Depth of nested sub-surfaces and pop-ups.
    public var surfaceDepth = 32

    public init() {}
}
