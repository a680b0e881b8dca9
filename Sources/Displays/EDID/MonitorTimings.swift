// VESA's timings that an EDID represents by a bit, or by two bytes.

import WindowModel

/// The established and the standard timings. Interlaced ones have the rate 0 here and are skipped.
enum MonitorTimings {
    /// Width, height and mHz.
    private typealias Entry = (width: Int, height: Int, refresh: Int)

    /// The modes whose bits are set in the base block, most significant bit first.
    static func established(_ bytes: [UInt8]) -> [Screen.Mode] { modes(established, bytes) }

    /// The same for the descriptor of additional established timings.
    static func moreEstablished(_ bytes: [UInt8]) -> [Screen.Mode] { modes(moreEstablished, bytes) }

    /// The mode of a standard timing's two bytes, nil for an unused one. The rate is VESA's if VESA defines that
    /// timing, otherwise the whole number.
    /// - Parameter revision: that of EDID 1, on which the meaning of an aspect ratio depends.
    static func standard(_ first: UInt8, _ second: UInt8, revision: UInt8) -> Screen.Mode? {
        // Unused ones are 1, or in some old displays spaces.
        guard first > 0, (first, second) != (1, 1), (first, second) != (0x20, 0x20) else { return nil }
        let width = (Int(first) + 31) * 8
        let height =
            switch second >> 6 {
            case 0: revision < 3 ? width : width * 10 / 16
            case 1: width * 3 / 4
            case 2: width * 4 / 5
            default: width * 9 / 16
            }
        let nominal = (Int(second & 0x3f) + 60) * 1000
        // Neither width is a multiple of 8, which the two bytes need.
        if nominal == 60_000, (width, height) == (1360, 765) || (width, height) == (1368, 769) {
            return Screen.Mode(width: 1366, height: 768, refresh: nominal)
        }
        let exact = uneven.first { $0.width == width && $0.height == height && abs($0.refresh - nominal) <= 500 }
        return Screen.Mode(width: width, height: height, refresh: exact?.refresh ?? nominal)
    }

    /// The modes of the descriptor of VESA's coordinated timings: three bytes for each size, with up to five rates.
    static func coordinated(_ bytes: [UInt8]) -> [Screen.Mode] {
        let aspects = [(4, 3), (16, 9), (16, 10), (15, 9)]
        return stride(from: 0, to: bytes.count - 2, by: 3).flatMap { at -> [Screen.Mode] in
            guard bytes[at...(at + 2)].contains(where: { $0 != 0 }) else { return [] }
            let height = (Int(bytes[at]) | Int(bytes[at + 1] & 0xf0) << 4) * 2 + 2
            let aspect = aspects[Int(bytes[at + 1] >> 2 & 3)]
            // The last one is 60 Hz with reduced blanking.
            return zip([50, 60, 75, 85, 60], 0...).filter { bytes[at + 2] & 0x10 >> UInt8($0.1) != 0 }.map {
                Screen.Mode(width: height * aspect.0 / aspect.1 / 8 * 8, height: height, refresh: $0.0 * 1000)
            }
        }
    }

    /// The modes of a display whose EDID has none.
    static let unknown = [(1024, 768, 60_004), (800, 600, 60_317), (640, 480, 59_940)].map {
        Screen.Mode(width: $0.0, height: $0.1, refresh: $0.2)
    }

    private static func modes(_ table: [Entry], _ bytes: [UInt8]) -> [Screen.Mode] {
        table.enumerated().compactMap { index, entry in
            guard index / 8 < bytes.count, bytes[index / 8] & 0x80 >> UInt8(index % 8) != 0, entry.refresh > 0 else {
                return nil
            }
            return Screen.Mode(width: entry.width, height: entry.height, refresh: entry.refresh)
        }
    }

    private static let established: [Entry] = [
        (720, 400, 70082), (720, 400, 87850), (640, 480, 59940), (640, 480, 66667), (640, 480, 72809),
        (640, 480, 75000), (800, 600, 56250), (800, 600, 60317), (800, 600, 72188), (800, 600, 75000),
        (832, 624, 74551), (1024, 768, 0), (1024, 768, 60004), (1024, 768, 70069), (1024, 768, 75029),
        (1280, 1024, 75025), (1152, 870, 75062),
    ]

    private static let moreEstablished: [Entry] = [
        (640, 350, 85080), (640, 400, 85080), (720, 400, 85039), (640, 480, 85008), (848, 480, 60000),
        (800, 600, 85061), (1024, 768, 84997), (1152, 864, 75000), (1280, 768, 59995), (1280, 768, 59870),
        (1280, 768, 74893), (1280, 768, 84837), (1280, 960, 60000), (1280, 960, 85002), (1280, 1024, 60020),
        (1280, 1024, 85024), (1360, 768, 60015), (1440, 900, 59901), (1440, 900, 59887), (1440, 900, 74984),
        (1440, 900, 84842), (1400, 1050, 59948), (1400, 1050, 59978), (1400, 1050, 74867), (1400, 1050, 84960),
        (1680, 1050, 59883), (1680, 1050, 59954), (1680, 1050, 74892), (1680, 1050, 84941), (1600, 1200, 60000),
        (1600, 1200, 65000), (1600, 1200, 70000), (1600, 1200, 75000), (1600, 1200, 85000), (1792, 1344, 60000),
        (1792, 1344, 74997), (1856, 1392, 59995), (1856, 1392, 75000), (1920, 1200, 59950), (1920, 1200, 59885),
        (1920, 1200, 74930), (1920, 1200, 84932), (1920, 1440, 60000), (1920, 1440, 75000),
    ]

    /// Standard timings whose actual rate is not the whole number they give.
    private static let uneven: [Entry] = [
        (640, 400, 85080), (640, 480, 59940), (640, 480, 72809), (640, 480, 85008), (800, 600, 60317),
        (800, 600, 72188), (800, 600, 85061), (1024, 768, 60004), (1024, 768, 70069), (1024, 768, 75029),
        (1024, 768, 84997), (1280, 800, 59810), (1280, 800, 74934), (1280, 800, 84880), (1280, 960, 85002),
        (1280, 1024, 60020), (1280, 1024, 75025), (1280, 1024, 85024), (1400, 1050, 59978), (1400, 1050, 74867),
        (1400, 1050, 84960), (1440, 900, 59887), (1440, 900, 74984), (1440, 900, 84842), (1680, 1050, 59954),
        (1680, 1050, 74892), (1680, 1050, 84941), (1792, 1344, 74997), (1856, 1392, 59995), (1920, 1200, 59885),
        (1920, 1200, 74930), (1920, 1200, 84932),
    ]
}
