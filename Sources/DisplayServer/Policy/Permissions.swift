// The permissions of a connection, decided when it is accepted.

import WindowModel

/// What a peer may do, and its quotas, which apply to all connections of its user together.
public struct Permissions: Hashable, Sendable {
    public var mayConnect = true
    public var rights: Rights = []
    /// W4: for status bars and on-screen keyboards.
    public var isSystemApplication = false
    /// W2: windows of a higher level are refused; 0 or more.
    public var highestLevel = 8_388_607.0
    public var xdg = XdgPermissions.all
    /// Simultaneous connections.
    public var connections = Int.max
    /// Windows, including hidden ones.
    public var windows = Int.max
    /// Screens with windows of the user at the same time.
    public var screens = Int.max
    /// Pixels in buffers.
    public var pixels = Int.max
}
