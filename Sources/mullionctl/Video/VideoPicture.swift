// The pictures of a recording.

import JSON5

/// A picture, and when it was taken.
struct VideoPicture: Sendable {
    let png: [UInt8]
    let size: PictureSize
    /// The number of its frame. A later picture has a greater one, even while a manual clock stands still.
    let frame: Double
    /// The server's time, in microseconds.
    let time: Double

    /// - Parameter capture: the answer to `GET /v1/capture`.
    init(_ capture: JSON) throws(CommandError) {
        let pngs = [capture["png"]] + capture["screens"].elements.map { $0["png"] }
        guard let png = pngs.lazy.compactMap(\.bytes).first, let size = PictureSize(png) else {
            throw .refused("the server's answer contains no picture")
        }
        (self.png, self.size) = (png, size)
        frame = capture["frame"].number ?? 0
        time = capture["time"].number ?? 0
    }
}

/// The size of a PNG, in pixels.
struct PictureSize: Equatable {
    var width: Int
    var height: Int
}

extension PictureSize {
    /// Nil for other bytes.
    init?(_ png: [UInt8]) {
        guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return nil }
        func number(_ range: Range<Int>) -> Int { png[range].reduce(0) { $0 << 8 | Int($1) } }
        self.init(width: number(16..<20), height: number(20..<24))
        guard width > 0, height > 0 else { return nil }
    }
}
