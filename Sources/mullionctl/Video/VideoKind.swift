// What mullionctl record can write.

import MullionControl

/// A kind of video file.
enum VideoKind: String, CaseIterable {
    case webm, mp4, gif

    /// - Parameter file: its ending decides.
    init(of file: String) throws(CommandError) {
        let ending = file.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).last
        guard let kind = ending.flatMap({ VideoKind(rawValue: $0.lowercased()) }) else {
            throw .usage("\"\(file)\" is not a video; use a name that ends in .webm, .mp4 or .gif")
        }
        self = kind
    }

    /// The unit of its times, in milliseconds.
    var step: Int { self == .gif ? 10 : 1 }

    /// How long a picture is shown at least, in milliseconds: viewers take 10 for 100 in a GIF.
    var shortest: Int { self == .gif ? 20 : 1 }

    /// How long the last picture is shown again, in milliseconds.
    var tail: Int { shortest }

    /// FFmpeg's arguments for a stream of pictures on standard input.
    /// - Parameters:
    ///   - width: of the video, in pixels.
    ///   - height: of the video, in pixels.
    func arguments(width: Int, height: Int, file: String) -> [String] {
        let input = ["-xerror", "-f", "matroska", "-i", "pipe:0", "-an", "-filter:v", filter(width, height)]
        var times = ["-fps_mode", "passthrough", "-enc_time_base", "1:1000"]
        // A guess would make the last picture longer.
        if self != .gif { times += ["-bsf:v", "setts=duration=1"] }
        return input + times + encoding + ["-f", rawValue, "-y", "file:" + file]
    }

    /// Pictures of another size are fitted into the first one's.
    private func filter(_ width: Int, _ height: Int) -> String {
        // These need whole pairs of pixels in each direction.
        let even = self == .gif ? 0 : 1
        let fit =
            "scale=\(width):\(height):force_original_aspect_ratio=decrease,"
            + "pad=\(width + width % 2 * even):\(height + height % 2 * even):(ow-iw)/2:(oh-ih)/2,setsar=1"
        switch self {
        case .gif:
            // Each picture has its own colours: the others are not known yet.
            return fit + ",split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none"
        case .webm, .mp4: return fit + ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        }
    }

    private var encoding: [String] {
        let colors = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        switch self {
        case .webm:
            return colors + [
                "-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6",
                "-row-mt", "1", "-lag-in-frames", "0", "-auto-alt-ref", "0",
            ]
        case .mp4:
            return colors + [
                "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-bf", "0", "-video_track_timescale", "1000",
                "-movflags", "+faststart",
            ]
        case .gif:
            // Otherwise FFmpeg 5.1 leaves out what has the same place in the colours of two pictures, although these differ,
            // when one has those of the first picture.
            return ["-gifflags", "0", "-loop", "0", "-final_delay", "2"]
        }
    }
}
