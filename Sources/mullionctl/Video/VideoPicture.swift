// The pictures of a recording.

import ControlProtocol
import MullionControl

/// A picture, and when it was taken.
struct VideoPicture: Sendable {
    let png: [UInt8]
    let size: PictureSize
    /// The number of its frame. A later picture has a greater one, even while a manual clock stands still.
    let frame: UInt64
    /// The server's time, in microseconds.
    let time: Double

    init(_ capture: API.Capture) throws(CommandError) {
        let pngs = [capture.png] + capture.screens.map(\.png)
        guard let png = pngs.lazy.compactMap({ $0?.bytes }).first, let size = PictureSize(png) else {
            throw .refused("the server's answer contains no picture")
        }
        (self.png, self.size) = (png, size)
        (frame, time) = (capture.frame, Double(capture.time))
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
