// wp_presentation and wp_presentation_feedback

import Glibc
import MullionWayland
import WindowModel

/// The presentation of a frame on a screen.
struct Presentation {
    /// The screen that shows the frame.
    var screen: Screen.ID
    /// In microseconds of the server's clock, a multiple of the screen's frame period.
    var time: UInt64
    /// The number of the frame, incremented with every period of the screen.
    var sequence: UInt64
    /// In mHz.
    var refresh: UInt64
}

/// wp_presentation: reports when commits were presented.
final class PresentationResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        send(WpPresentation.Event.clockId(clkId: UInt32(CLOCK_MONOTONIC)))
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpPresentation.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .feedback(let surfaceID, let callback):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let feedback = try PresentationFeedbackResource(client, id: callback, version: version)
            surface.change.ownExtensions.presentation.feedbacks.append(feedback)
        }
    }
}

/// wp_presentation_feedback: waits until one commit is presented or discarded, reports that, and ends.
final class PresentationFeedbackResource: Resource {
    func present(_ presentation: Presentation) {
        for output in client.outputs where output.isAlive && output.screen == presentation.screen {
            send(WpPresentationFeedback.Event.syncOutput(output: output.id))
        }
        let time = SplitTime(microseconds: presentation.time)
        send(
            WpPresentationFeedback.Event.presented(
                tvSecHi: time.secondsHigh, tvSecLo: time.secondsLow, tvNsec: time.nanoseconds,
                refresh: UInt32(clamping: 1_000_000_000_000 / presentation.refresh),
                seqHi: UInt32(truncatingIfNeeded: presentation.sequence >> 32),
                // A picture never shows parts of two commits. There is no hardware that could be its source.
                seqLo: UInt32(truncatingIfNeeded: presentation.sequence), flags: .vsync))
        destroy()
    }

    func discard() {
        send(WpPresentationFeedback.Event.discarded)
        destroy()
    }
}
