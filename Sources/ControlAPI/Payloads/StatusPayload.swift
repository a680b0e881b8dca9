// The server's state in JSON.

import DisplayServer

/// The answer to `GET /v1/status`.
struct StatusPayload: Encodable {
    var version: String
    var pid: Int32
    /// Seconds since the control API was opened.
    var uptime: Double
    /// The clients' socket.
    var socket: String
    var screens: Int
    var applications: Int
    var windows: Int
    var visibleWindows: Int
    var surfaces: Int
    var keyWindow: UInt32?
    /// L1: whether the server is locked.
    var locked: Bool
    /// L3: the application that holds the lock; absent when it is abandoned.
    var lockHolder: UInt32?
    /// L4: the application for which input is reserved.
    var inputHolder: UInt32?
    /// E1: the number of active touches.
    var touches: Int
    /// E3: keys that went down, and shakes that began, without a key window.
    var droppedPresses: UInt64
    /// E7: touches, clicks, scrolling, gestures and motions blocked by applications that ignore them.
    var ignoredEvents: UInt64
    /// Readers of `GET /v1/events`.
    var eventReaders: Int
    /// The state of health, as a sentence.
    var health: String
    /// The number of refused connections, windows, levels, requests …
    var refusals: UInt64
    /// The displays where X11 programs of the user that asks can connect, the best one first.
    var x11: [X11DisplayName]
    /// The address of the control API on TCP; absent if not served there.
    var web: String?
}
