// CTA-861's video formats and their codes.

import WindowModel

/// A progressive format of CTA-861 with its video identification code (VIC). The formats of 240 and 288 lines, which
/// exist only doubled, are omitted.
struct VideoFormat {
    /// The aspect ratio of the picture.
    struct Aspect: Hashable {
        var width: Int
        var height: Int

        static let fourThree = Aspect(width: 4, height: 3)
        static let wide = Aspect(width: 16, height: 9)
        static let ultrawide = Aspect(width: 64, height: 27)
        static let cinema = Aspect(width: 256, height: 135)

        var ratio: Double { Double(width) / Double(height) }
    }

    let code: UInt8
    /// The nominal rate; those of film and 60 Hz include the rate divided by 1.001.
    let hertz: Int
    let aspect: Aspect
    let horizontal: DetailedTiming.Axis
    let vertical: DetailedTiming.Axis

    private init(
        _ code: UInt8, _ width: Int, _ height: Int, _ hertz: Int, _ aspect: Aspect, _ across: [Int], _ down: [Int]
    ) {
        self.code = code
        self.hertz = hertz
        self.aspect = aspect
        // The formats of standard definition have negative sync pulses, all others positive ones.
        let isPositive = height >= 720
        horizontal = .init(active: width, front: across[0], sync: across[1], back: across[2], isPositive: isPositive)
        vertical = .init(active: height, front: down[0], sync: down[1], back: down[2], isPositive: isPositive)
    }

    /// In mHz; the code includes all of these.
    var refreshes: [Int] {
        guard hertz.isMultiple(of: 24) || hertz.isMultiple(of: 30) else { return [hertz * 1000] }
        return [hertz * 1000, (hertz * 1_000_000 + 500) / 1001]
    }

    /// In kHz, at one of the rates.
    func clock(_ refresh: Int) -> Int {
        let cycles = hertz * horizontal.total * vertical.total
        return refresh == hertz * 1000 ? (cycles + 500) / 1000 : (cycles + 500) / 1001
    }

    var pixelAspectRatio: Double {
        Double(aspect.width * vertical.active) / Double(aspect.height * horizontal.active)
    }

    /// The modes that the code includes.
    var modes: [Screen.Mode] {
        refreshes.map {
            Screen.Mode(
                width: horizontal.active, height: vertical.active, refresh: $0, pixelAspectRatio: pixelAspectRatio)
        }
    }

    static func format(code: UInt8) -> VideoFormat? { all.first { $0.code == code } }

    /// The format of a mode.
    static func format(of mode: Screen.Mode) -> VideoFormat? {
        all.first {
            $0.horizontal.active == mode.width && $0.vertical.active == mode.height
                && $0.pixelAspectRatio == mode.pixelAspectRatio && $0.refreshes.contains(mode.refresh)
        }
    }

    // Code, size, rate, aspect ratio; front porch, sync and back porch across and down.
    static let all: [VideoFormat] = [
        .init(1, 640, 480, 60, .fourThree, [16, 96, 48], [10, 2, 33]),
        .init(2, 720, 480, 60, .fourThree, [16, 62, 60], [9, 6, 30]),
        .init(3, 720, 480, 60, .wide, [16, 62, 60], [9, 6, 30]),
        .init(4, 1280, 720, 60, .wide, [110, 40, 220], [5, 5, 20]),
        .init(14, 1440, 480, 60, .fourThree, [32, 124, 120], [9, 6, 30]),
        .init(15, 1440, 480, 60, .wide, [32, 124, 120], [9, 6, 30]),
        .init(16, 1920, 1080, 60, .wide, [88, 44, 148], [4, 5, 36]),
        .init(17, 720, 576, 50, .fourThree, [12, 64, 68], [5, 5, 39]),
        .init(18, 720, 576, 50, .wide, [12, 64, 68], [5, 5, 39]),
        .init(19, 1280, 720, 50, .wide, [440, 40, 220], [5, 5, 20]),
        .init(29, 1440, 576, 50, .fourThree, [24, 128, 136], [5, 5, 39]),
        .init(30, 1440, 576, 50, .wide, [24, 128, 136], [5, 5, 39]),
        .init(31, 1920, 1080, 50, .wide, [528, 44, 148], [4, 5, 36]),
        .init(32, 1920, 1080, 24, .wide, [638, 44, 148], [4, 5, 36]),
        .init(33, 1920, 1080, 25, .wide, [528, 44, 148], [4, 5, 36]),
        .init(34, 1920, 1080, 30, .wide, [88, 44, 148], [4, 5, 36]),
        .init(35, 2880, 480, 60, .fourThree, [64, 248, 240], [9, 6, 30]),
        .init(36, 2880, 480, 60, .wide, [64, 248, 240], [9, 6, 30]),
        .init(37, 2880, 576, 50, .fourThree, [48, 256, 272], [5, 5, 39]),
        .init(38, 2880, 576, 50, .wide, [48, 256, 272], [5, 5, 39]),
        .init(41, 1280, 720, 100, .wide, [440, 40, 220], [5, 5, 20]),
        .init(42, 720, 576, 100, .fourThree, [12, 64, 68], [5, 5, 39]),
        .init(43, 720, 576, 100, .wide, [12, 64, 68], [5, 5, 39]),
        .init(47, 1280, 720, 120, .wide, [110, 40, 220], [5, 5, 20]),
        .init(48, 720, 480, 120, .fourThree, [16, 62, 60], [9, 6, 30]),
        .init(49, 720, 480, 120, .wide, [16, 62, 60], [9, 6, 30]),
        .init(52, 720, 576, 200, .fourThree, [12, 64, 68], [5, 5, 39]),
        .init(53, 720, 576, 200, .wide, [12, 64, 68], [5, 5, 39]),
        .init(56, 720, 480, 240, .fourThree, [16, 62, 60], [9, 6, 30]),
        .init(57, 720, 480, 240, .wide, [16, 62, 60], [9, 6, 30]),
        .init(60, 1280, 720, 24, .wide, [1760, 40, 220], [5, 5, 20]),
        .init(61, 1280, 720, 25, .wide, [2420, 40, 220], [5, 5, 20]),
        .init(62, 1280, 720, 30, .wide, [1760, 40, 220], [5, 5, 20]),
        .init(63, 1920, 1080, 120, .wide, [88, 44, 148], [4, 5, 36]),
        .init(64, 1920, 1080, 100, .wide, [528, 44, 148], [4, 5, 36]),
        .init(65, 1280, 720, 24, .ultrawide, [1760, 40, 220], [5, 5, 20]),
        .init(66, 1280, 720, 25, .ultrawide, [2420, 40, 220], [5, 5, 20]),
        .init(67, 1280, 720, 30, .ultrawide, [1760, 40, 220], [5, 5, 20]),
        .init(68, 1280, 720, 50, .ultrawide, [440, 40, 220], [5, 5, 20]),
        .init(69, 1280, 720, 60, .ultrawide, [110, 40, 220], [5, 5, 20]),
        .init(70, 1280, 720, 100, .ultrawide, [440, 40, 220], [5, 5, 20]),
        .init(71, 1280, 720, 120, .ultrawide, [110, 40, 220], [5, 5, 20]),
        .init(72, 1920, 1080, 24, .ultrawide, [638, 44, 148], [4, 5, 36]),
        .init(73, 1920, 1080, 25, .ultrawide, [528, 44, 148], [4, 5, 36]),
        .init(74, 1920, 1080, 30, .ultrawide, [88, 44, 148], [4, 5, 36]),
        .init(75, 1920, 1080, 50, .ultrawide, [528, 44, 148], [4, 5, 36]),
        .init(76, 1920, 1080, 60, .ultrawide, [88, 44, 148], [4, 5, 36]),
        .init(77, 1920, 1080, 100, .ultrawide, [528, 44, 148], [4, 5, 36]),
        .init(78, 1920, 1080, 120, .ultrawide, [88, 44, 148], [4, 5, 36]),
        .init(79, 1680, 720, 24, .ultrawide, [1360, 40, 220], [5, 5, 20]),
        .init(80, 1680, 720, 25, .ultrawide, [1228, 40, 220], [5, 5, 20]),
        .init(81, 1680, 720, 30, .ultrawide, [700, 40, 220], [5, 5, 20]),
        .init(82, 1680, 720, 50, .ultrawide, [260, 40, 220], [5, 5, 20]),
        .init(83, 1680, 720, 60, .ultrawide, [260, 40, 220], [5, 5, 20]),
        .init(84, 1680, 720, 100, .ultrawide, [60, 40, 220], [5, 5, 95]),
        .init(85, 1680, 720, 120, .ultrawide, [60, 40, 220], [5, 5, 95]),
        .init(86, 2560, 1080, 24, .ultrawide, [998, 44, 148], [4, 5, 11]),
        .init(87, 2560, 1080, 25, .ultrawide, [448, 44, 148], [4, 5, 36]),
        .init(88, 2560, 1080, 30, .ultrawide, [768, 44, 148], [4, 5, 36]),
        .init(89, 2560, 1080, 50, .ultrawide, [548, 44, 148], [4, 5, 36]),
        .init(90, 2560, 1080, 60, .ultrawide, [248, 44, 148], [4, 5, 11]),
        .init(91, 2560, 1080, 100, .ultrawide, [218, 44, 148], [4, 5, 161]),
        .init(92, 2560, 1080, 120, .ultrawide, [548, 44, 148], [4, 5, 161]),
        .init(93, 3840, 2160, 24, .wide, [1276, 88, 296], [8, 10, 72]),
        .init(94, 3840, 2160, 25, .wide, [1056, 88, 296], [8, 10, 72]),
        .init(95, 3840, 2160, 30, .wide, [176, 88, 296], [8, 10, 72]),
        .init(96, 3840, 2160, 50, .wide, [1056, 88, 296], [8, 10, 72]),
        .init(97, 3840, 2160, 60, .wide, [176, 88, 296], [8, 10, 72]),
        .init(98, 4096, 2160, 24, .cinema, [1020, 88, 296], [8, 10, 72]),
        .init(99, 4096, 2160, 25, .cinema, [968, 88, 128], [8, 10, 72]),
        .init(100, 4096, 2160, 30, .cinema, [88, 88, 128], [8, 10, 72]),
        .init(101, 4096, 2160, 50, .cinema, [968, 88, 128], [8, 10, 72]),
        .init(102, 4096, 2160, 60, .cinema, [88, 88, 128], [8, 10, 72]),
        .init(103, 3840, 2160, 24, .ultrawide, [1276, 88, 296], [8, 10, 72]),
        .init(104, 3840, 2160, 25, .ultrawide, [1056, 88, 296], [8, 10, 72]),
        .init(105, 3840, 2160, 30, .ultrawide, [176, 88, 296], [8, 10, 72]),
        .init(106, 3840, 2160, 50, .ultrawide, [1056, 88, 296], [8, 10, 72]),
        .init(107, 3840, 2160, 60, .ultrawide, [176, 88, 296], [8, 10, 72]),
        .init(108, 1280, 720, 48, .wide, [960, 40, 220], [5, 5, 20]),
        .init(109, 1280, 720, 48, .ultrawide, [960, 40, 220], [5, 5, 20]),
        .init(110, 1680, 720, 48, .ultrawide, [810, 40, 220], [5, 5, 20]),
        .init(111, 1920, 1080, 48, .wide, [638, 44, 148], [4, 5, 36]),
        .init(112, 1920, 1080, 48, .ultrawide, [638, 44, 148], [4, 5, 36]),
        .init(113, 2560, 1080, 48, .ultrawide, [998, 44, 148], [4, 5, 11]),
        .init(114, 3840, 2160, 48, .wide, [1276, 88, 296], [8, 10, 72]),
        .init(115, 4096, 2160, 48, .cinema, [1020, 88, 296], [8, 10, 72]),
        .init(116, 3840, 2160, 48, .ultrawide, [1276, 88, 296], [8, 10, 72]),
        .init(117, 3840, 2160, 100, .wide, [1056, 88, 296], [8, 10, 72]),
        .init(118, 3840, 2160, 120, .wide, [176, 88, 296], [8, 10, 72]),
        .init(119, 3840, 2160, 100, .ultrawide, [1056, 88, 296], [8, 10, 72]),
        .init(120, 3840, 2160, 120, .ultrawide, [176, 88, 296], [8, 10, 72]),
        .init(121, 5120, 2160, 24, .ultrawide, [1996, 88, 296], [8, 10, 22]),
        .init(122, 5120, 2160, 25, .ultrawide, [1696, 88, 296], [8, 10, 22]),
        .init(123, 5120, 2160, 30, .ultrawide, [664, 88, 128], [8, 10, 22]),
        .init(124, 5120, 2160, 48, .ultrawide, [746, 88, 296], [8, 10, 297]),
        .init(125, 5120, 2160, 50, .ultrawide, [1096, 88, 296], [8, 10, 72]),
        .init(126, 5120, 2160, 60, .ultrawide, [164, 88, 128], [8, 10, 72]),
        .init(127, 5120, 2160, 100, .ultrawide, [1096, 88, 296], [8, 10, 72]),
        .init(193, 5120, 2160, 120, .ultrawide, [164, 88, 128], [8, 10, 72]),
        .init(194, 7680, 4320, 24, .wide, [2552, 176, 592], [16, 20, 144]),
        .init(195, 7680, 4320, 25, .wide, [2352, 176, 592], [16, 20, 44]),
        .init(196, 7680, 4320, 30, .wide, [552, 176, 592], [16, 20, 44]),
        .init(197, 7680, 4320, 48, .wide, [2552, 176, 592], [16, 20, 144]),
        .init(198, 7680, 4320, 50, .wide, [2352, 176, 592], [16, 20, 44]),
        .init(199, 7680, 4320, 60, .wide, [552, 176, 592], [16, 20, 44]),
        .init(200, 7680, 4320, 100, .wide, [2112, 176, 592], [16, 20, 144]),
        .init(201, 7680, 4320, 120, .wide, [352, 176, 592], [16, 20, 144]),
        .init(202, 7680, 4320, 24, .ultrawide, [2552, 176, 592], [16, 20, 144]),
        .init(203, 7680, 4320, 25, .ultrawide, [2352, 176, 592], [16, 20, 44]),
        .init(204, 7680, 4320, 30, .ultrawide, [552, 176, 592], [16, 20, 44]),
        .init(205, 7680, 4320, 48, .ultrawide, [2552, 176, 592], [16, 20, 144]),
        .init(206, 7680, 4320, 50, .ultrawide, [2352, 176, 592], [16, 20, 44]),
        .init(207, 7680, 4320, 60, .ultrawide, [552, 176, 592], [16, 20, 44]),
        .init(208, 7680, 4320, 100, .ultrawide, [2112, 176, 592], [16, 20, 144]),
        .init(209, 7680, 4320, 120, .ultrawide, [352, 176, 592], [16, 20, 144]),
        .init(210, 10240, 4320, 24, .ultrawide, [1492, 176, 592], [16, 20, 594]),
        .init(211, 10240, 4320, 25, .ultrawide, [2492, 176, 592], [16, 20, 44]),
        .init(212, 10240, 4320, 30, .ultrawide, [288, 176, 296], [16, 20, 144]),
        .init(213, 10240, 4320, 48, .ultrawide, [1492, 176, 592], [16, 20, 594]),
        .init(214, 10240, 4320, 50, .ultrawide, [2492, 176, 592], [16, 20, 44]),
        .init(215, 10240, 4320, 60, .ultrawide, [288, 176, 296], [16, 20, 144]),
        .init(216, 10240, 4320, 100, .ultrawide, [2192, 176, 592], [16, 20, 144]),
        .init(217, 10240, 4320, 120, .ultrawide, [288, 176, 296], [16, 20, 144]),
        .init(218, 4096, 2160, 100, .cinema, [800, 88, 296], [8, 10, 72]),
        .init(219, 4096, 2160, 120, .cinema, [88, 88, 128], [8, 10, 72]),
    ]
}
