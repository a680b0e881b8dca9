// What mullionctl record reports.

import JSON5

/// Why a recording has no more pictures, although nobody has ended it.
struct VideoEnd: Sendable {
    /// A sentence without a full stop.
    var reason: String
    /// Whether something went wrong; otherwise what was recorded is gone.
    var isFailure: Bool
    /// The server's time, in microseconds; nil: unknown.
    var time: Double?
}

/// A complete video.
struct VideoSummary: Sendable {
    var file: String
    /// What it shows, for sentences.
    var title: String
    var pictures: Int
    var milliseconds: Int
    var size: PictureSize
    /// Whether pictures were fitted into that size.
    var hasOtherSizes: Bool
    /// Nil: it was ended as usual.
    var end: VideoEnd?
    /// Whether ffmpeg has read everything.
    var isWhole: Bool

    /// A sentence without a full stop.
    var text: String {
        var text =
            "\(file): \(pictures) \(pictures == 1 ? "picture" : "pictures") of \(title) in \(JSON.text(seconds)) s"
        if let end { text += "; it ended early: \(end.reason)" }
        if hasOtherSizes { text += "; pictures of another size were fitted into \(size.width)×\(size.height)" }
        return text
    }

    var json: JSON {
        .object([
            "file": .string(file), "pictures": .number(Double(pictures)), "seconds": .number(seconds),
            "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            "ended": end.map { .string($0.reason) } ?? .null,
        ])
    }

    private var seconds: Double { Double(milliseconds) / 1000 }
}
