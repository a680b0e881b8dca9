// The pictures that ffmpeg reads, each with its duration.

import Glibc
import MullionSystem

/// Writes pictures when it is known how long they were shown. Writing waits for ffmpeg.
struct VideoStream: Sendable {
    /// Where ffmpeg reads; -1 when the stream is complete.
    private var descriptor: Int32
    private let kind: VideoKind
    private let first: VideoPicture
    /// The latest picture, which is not written yet.
    private var latest: VideoPicture
    /// When that appeared, in milliseconds.
    private var time = 0
    /// How many pictures there are, the latest one too.
    private(set) var count = 1
    private(set) var hasOtherSizes = false
    /// Whether ffmpeg has stopped reading too early.
    private(set) var isBroken = false

    /// - Parameter descriptor: a pipe to ffmpeg, which `complete` closes.
    init(to descriptor: Int32, _ kind: VideoKind, _ first: VideoPicture) {
        (self.descriptor, self.kind, self.first, latest) = (descriptor, kind, first, first)
        // It fits into the pipe.
        write(PictureStream.header(width: first.size.width, height: first.size.height))
    }

    /// Adds a picture, unless it shows nothing else than the latest one, or something older.
    mutating func add(_ picture: VideoPicture) {
        guard descriptor >= 0, picture.frame >= latest.frame, picture.png != latest.png else { return }
        if picture.size != first.size { hasOtherSizes = true }
        let appeared = milliseconds(picture.time)
        if appeared >= time + kind.shortest {
            write(PictureStream.picture(latest.png, at: time, for: appeared - time))
            time = appeared
            count += 1
        }
        // Only the last picture of a moment counts: with a manual clock, or in the steps of a GIF.
        latest = picture
    }

    /// Writes the last picture, and once more at the end: that is what gives it its duration.
    /// - Parameter end: the server's time in microseconds; nil: unknown.
    /// - Returns: how long the video is, in milliseconds.
    mutating func complete(at end: Double?) -> Int {
        let end = max(end.map(milliseconds) ?? 0, time + kind.shortest)
        let isRepeated = end >= time + kind.shortest + kind.tail
        let repeated = isRepeated ? end - kind.tail : end
        write(PictureStream.picture(latest.png, at: time, for: repeated - time))
        if isRepeated { write(PictureStream.picture(latest.png, at: repeated, for: kind.tail)) }
        close(descriptor)
        descriptor = -1
        return end
    }

    /// Since the first picture, in the kind's steps.
    private func milliseconds(_ microseconds: Double) -> Int {
        Int((microseconds - first.time) / 1000) / kind.step * kind.step
    }

    private mutating func write(_ bytes: [UInt8]) {
        guard !isBroken else { return }
        do throws(SystemError) {
            try DescriptorIO.write(bytes, to: descriptor)
        } catch {
            isBroken = true
        }
    }
}
