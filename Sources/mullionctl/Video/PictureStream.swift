// Pictures with their times, as bytes that FFmpeg reads from a pipe.

/// A Matroska stream of PNGs, each of any size and duration.
///
/// Of the containers that FFmpeg reads without seeking, it is the one that gives every picture a time of its own.
enum PictureStream {
    /// The stream's beginning.
    /// - Parameters:
    ///   - width: of the first picture, in pixels.
    ///   - height: of the first picture, in pixels.
    static func header(width: Int, height: Int) -> [UInt8] {
        let file = element([0x1a, 0x45, 0xdf, 0xa3], text([0x42, 0x82], "matroska"))
        // Times are in milliseconds.
        let info = element(
            [0x15, 0x49, 0xa9, 0x66],
            number([0x2a, 0xd7, 0xb1], 1_000_000) + text([0x4d, 0x80], "mullionctl") + text([0x57, 0x41], "mullionctl"))
        // The codec has no name in Matroska, but one in Windows' bitmap headers, which it includes.
        var bitmap: [UInt8] = []
        for value in [40, width, height] { bitmap += little(value, 4) }
        bitmap += little(1, 2) + little(24, 2) + Array("MPNG".utf8) + [UInt8](repeating: 0, count: 20)
        let size = number([0xb0], width) + number([0xba], height)
        let track =
            number([0xd7], 1) + number([0x73, 0xc5], 1) + number([0x83], 1) + number([0x9c], 0)
            + text([0x86], "V_MS/VFW/FOURCC") + element([0x63, 0xa2], bitmap) + element([0xe0], size)
        // The segment is as long as the stream.
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xff, count: 7)
        return file + segment + info + element([0x16, 0x54, 0xae, 0x6b], element([0xae], track))
    }

    /// One picture.
    /// - Parameters:
    ///   - time: when it appears, in milliseconds.
    ///   - duration: in milliseconds.
    static func picture(_ png: [UInt8], at time: Int, for duration: Int) -> [UInt8] {
        // Of track 1, at the cluster's time.
        let block = element([0xa1], [0x81, 0, 0, 0] + png)
        let group = element([0xa0], block + number([0x9b], duration))
        return element([0x1f, 0x43, 0xb6, 0x75], number([0xe7], time) + group)
    }

    private static func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
        // A size of eight bytes, whose first bit ends its length.
        id + big(body.count | 1 << 56, 8) + body
    }

    private static func number(_ id: [UInt8], _ value: Int) -> [UInt8] { element(id, big(value, 8)) }

    private static func text(_ id: [UInt8], _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
