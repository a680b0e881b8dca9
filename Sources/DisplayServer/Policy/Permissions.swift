// What one connection is allowed; decided once, when it is accepted.

import WindowModel

/// What a peer may do, and how much it may have. The numbers are for all connections of its user together.
public struct Permissions: Hashable, Sendable {
    public var mayConnect = true
    public var rights: Rights = []
    /// W4: status bars, on-screen keyboards.
    public var isSystemApplication = false
    /// W2: windows of a higher level are refused; 0 or more.
    public var highestLevel = 8_388_607.0
    public var xdg = XdgPermissions.all
    /// Connections at once.
    public var connections = Int.max
    /// Windows, hidden ones too.
    public var windows = Int.max
    /// Screens on which windows are at the same time.
    public var screens = Int.max
    /// Pixels in buffers.
    public var pixels = Int.max
}
