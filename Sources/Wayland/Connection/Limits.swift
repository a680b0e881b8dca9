// All limits that protect the server from its clients.

import MullionSystem

/// Limits per connection, per user and for the whole server. Exceeding one ends or refuses the connection with an error
/// that names the limit.
public struct Limits: Sendable {
    /// Objects of one client.
    public var objects = 65_536
    /// Descriptors received and not yet claimed by a message.
    public var descriptorsInFlight = 64
    /// Queued bytes above which no further requests are handled until the client reads.
    public var outputHighWater = 64 * 1024
    /// Queued bytes above which the client is disconnected, because it does not read events that others cause.
    public var outputMaximum = 1024 * 1024
    /// Queued descriptors above which no event with a descriptor that another client caused is queued.
    public var descriptorsQueued = 256
    /// Largest shared memory pool, in bytes.
    public var poolBytes = 1 << 30
    /// Shared memory pools of one client.
    public var pools = 4096
    /// Shared memory pools of all clients; each is a descriptor, or a mapping, of which Linux allows a process 65,530.
    public var allPools = SharedLimit(32_768, share: 16_384)
    /// Bytes in all pools of one client.
    public var allPoolBytes = 8 << 30
    /// Bytes of clients' memory that captures have written. The server pays for those pages that the client had not
    /// touched before.
    public var allCopyBytes = SharedLimit(1 << 30, share: 512 << 20)
    /// The server's own memory for one client, in bytes: objects, regions, queued data …
    public var clientBytes = 64 << 20
    /// The server's own memory for all clients of one user, in bytes; above it the largest client is disconnected.
    public var userBytes = 256 << 20
    /// Requests per second of one client.
    public var messagesPerSecond = 8_000_000
    /// Pending frame callbacks of one surface.
    public var frameCallbacks = 1024
    /// Commits of one client that wait to be applied, and changes of windows and sub-surfaces in them.
    public var queuedCommits = 1024
    /// Regions of one client.
    public var regions = 4096
    /// Simultaneous touches of all seats.
    public var touches = 256
    /// Listening sandboxes of one user (wp_security_context_v1), including those being set up; they outlive their
    /// creators.
    public var sandboxes = 64
    /// Descriptors open in the server for clients, including those in transit; never more than the process may have,
    /// and never more than half of these for one user.
    public var allDescriptors = SharedLimit(1 << 20, share: 32_768)
    /// Rectangles in one region.
    public var regionRectangles = 1024
    /// Objects of one event-sending kind per client: outputs, pointers, keyboards, touches, data devices.
    public var bindings = 1024
    /// Pending copies of one client (zwlr_screencopy_frame_v1, ext_image_copy_capture_frame_v1), and its sessions.
    public var screenCopies = 64
    /// Connected screens of the server. They belong to no user: whoever may plug one in may also unplug any.
    public var screens = SharedLimit(64, share: 56)
    /// Clients of the server.
    public var clients: SharedLimit = 4096
    /// Bytes of UTF-8 in a client's title or name; longer ones are truncated.
    public var titleBytes = 4096
    /// Windows of one client.
    public var windows = 1024
    /// Pop-ups of one client, which all move with their windows.
    public var popups = 1024
    /// Surfaces of one client.
    public var surfaces = 16_384
    /// Depth of nested sub-surfaces and pop-ups.
    public var surfaceDepth = 32

    public init() {}

    /// Those of an X server, which shows the windows of many programs. Its manager ends the program that has most when
    /// it reaches those of one client (`Client.largestShare`).
    public var ofXServer: Limits {
        func raised(_ limit: Int) -> Int { min(limit, .max / 4) * 4 }
        var limits = self
        limits.objects = raised(objects)
        limits.pools = raised(pools)
        limits.allPoolBytes = raised(allPoolBytes)
        limits.clientBytes = raised(clientBytes)
        limits.regions = raised(regions)
        limits.surfaces = raised(surfaces)
        // While programs keep it busy, others send it events.
        limits.outputMaximum = raised(raised(outputMaximum))
        return limits
    }
}
