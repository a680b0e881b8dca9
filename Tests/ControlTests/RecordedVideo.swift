// Reads videos with FFmpeg.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What a video file contains.
struct RecordedVideo {
    struct Stream: Decodable { var codec_name: String, width: Int, height: Int }

    private struct Contents: Decodable {
        struct Frame: Decodable { var pts_time: String }
        struct Format: Decodable { var duration: String }
        var frames: [Frame]
        var streams: [Stream]
        var format: Format
    }

    private let path: String
    private let contents: Contents

    init(_ path: String) throws {
        self.path = path
        let entries = "format=duration:stream=width,height,codec_name:frame=pts_time"
        let probe = try Program("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "json", path])
        contents = try JSONDecoder().decode(Contents.self, from: Data(probe.outputAtEnd().utf8))
    }

    var streams: [Stream] { contents.streams }

    /// When frames appear, in milliseconds.
    var times: [Int] { contents.frames.map { Int((Double($0.pts_time) ?? -1) * 1000 + 0.5) } }

    /// In milliseconds.
    var duration: Double { (Double(contents.format.duration) ?? -1) * 1000 }

    /// The red, green and blue of a pixel in every frame.
    func pixels(_ x: Int, _ y: Int) throws -> [[UInt8]] {
        let filter = "format=rgb24,crop=1:1:\(x):\(y):exact=1"
        let raw = path + ".raw"
        let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", filter, "-f", "rawvideo", raw]
        let output = try Program("ffmpeg", words).outputAtEnd()
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: raw), "\(output)"))
        unlink(raw)
        return stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
    }

    /// Whether colours are the same, except for what compression changes.
    static func areNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 6 }
    }
}
