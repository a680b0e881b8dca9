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
    /// E1: touches that are down.
    var touches: Int
    /// E3: keys and shakes that no key window was there for.
    var droppedPresses: UInt64
    /// Readers of `GET /v1/events`.
    var eventReaders: Int
    /// How it is, in a sentence.
    var health: String
    /// Connections, windows, levels, requests … that were refused.
    var refusals: UInt64
    /// Where the control API is on TCP; left out where it is not.
    var web: String?
}
