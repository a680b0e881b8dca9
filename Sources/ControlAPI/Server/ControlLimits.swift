// What all users of the control API share.

import DisplayServer
import EventLoop
import MullionSystem

/// The limits of the control API, each with a share of a user. Holders of the token are one user together.
package struct ControlLimits {
    /// Connections to the control socket.
    package var connections = HTTPServer.Limits().connections
    /// Bytes of all incomplete requests on the control socket.
    package var incompleteBytes = HTTPServer.Limits().incompleteBytes
    /// Readers of events.
    package var eventReaders: SharedLimit = 64
    /// Waits for conditions.
    package var waits = SharedLimit(128, share: 64)
    /// Requests that wait for the next picture.
    package var frameWaits = SharedLimit(64, share: 16)
    /// Requests that wait for their picture, or for their long document, and the bytes of their bodies.
    package var waitingAnswers: SharedLimit = 64
    package var waitingBytes = SharedLimit(128 << 20, share: 64 << 20)
    /// Bytes of the pictures being made or sent: four pictures of a 4K screen.
    package var pictureBytes: SharedLimit = 134_217_728
    /// Bytes of the long documents being made or sent.
    package var documentBytes: SharedLimit = 33_554_432

    package init() {}
}

extension SharedLimit {
    /// Checks that a user may have one more.
    /// - Throws: 503 with the reason.
    func check(
        _ noun: String, for user: UInt32?, own: @autoclosure () -> Int, all: @autoclosure () -> Int,
        _ advice: String
    ) throws(Problem) {
        guard let reason = refusal(noun, for: user, own: own(), all: all()) else { return }
        throw Problem(.limitReached, "\(reason); \(advice)")
    }
}
