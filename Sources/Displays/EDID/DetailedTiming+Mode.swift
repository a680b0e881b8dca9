// Converts between modes and timings: CTA-861's if there is one, otherwise VESA's CVT with reduced blanking.

import WindowModel

extension DetailedTiming {
    /// The timing of a mode; nil when no EDID can represent its clock.
    init?(_ mode: Screen.Mode) {
        if let format = VideoFormat.format(of: mode) {
            self.init(format, refresh: mode.refresh)
        } else {
            self.init(reducedBlanking: mode)
        }
    }

    /// A CTA-861 format at one of its two rates.
    init(_ format: VideoFormat, refresh: Int) {
        horizontal = format.horizontal
        vertical = format.vertical
        clock = format.clock(refresh)
    }

    /// CVT 1.1 with reduced blanking: 160 pixels across, at least 460 µs down. The standard rounds the clock to 250 kHz
    /// and so misses the rate; this adds lines to the vertical back porch until a clock in steps of 10 kHz gives the
    /// rate to the mHz.
    private init?(reducedBlanking mode: Screen.Mode) {
        let horizontal = Axis(active: mode.width, front: 48, sync: 32, back: 80, isPositive: true)
        let sync = Self.verticalSync(mode)
        let leastBack = 6
        let picture = 1e6 / (Double(mode.refresh) / 1000) - 460
        let lines = picture > 0 ? min(460 / (picture / Double(mode.height)), 4000) : 0
        let back = max(Int(lines) + 1 - 3 - sync, leastBack)
        var best: (timing: DetailedTiming, error: Int)?
        for more in 0..<1000 {
            let vertical = Axis(active: mode.height, front: 3, sync: sync, back: back + more, isPositive: false)
            // In 10 kHz; mHz × pixels.
            let clock = (mode.refresh * horizontal.total * vertical.total + 5_000_000) / 10_000_000
            let timing = DetailedTiming(clock: clock * 10, horizontal: horizontal, vertical: vertical)
            let error = abs(timing.refresh - mode.refresh)
            if clock > 0, error < best?.error ?? .max { best = (timing, error) }
            if error == 0 { break }
        }
        guard let best else { return nil }
        self = best.timing
    }

    /// CVT encodes the aspect ratio in the width of the vertical sync.
    private static func verticalSync(_ mode: Screen.Mode) -> Int {
        let widths = [(4, 3, 4), (16, 9, 5), (16, 10, 6), (5, 4, 7), (15, 9, 7)]
        return widths.first { mode.width * $0.1 == mode.height * $0.0 }?.2 ?? 10
    }

    /// The mode of the timing; nil for an interlaced one.
    /// - Parameter imageAspect: width by height of the picture on the panel; distinguishes CTA-861 formats that are
    ///   otherwise identical.
    /// - Throws: when no screen can have such a mode.
    func mode(imageAspect: Double?) throws(EDIDError) -> Screen.Mode? {
        var mode = Screen.Mode(width: horizontal.active, height: vertical.active, refresh: refresh)
        try mode.checkPossible()
        if isInterlaced { return nil }
        func rate(_ format: VideoFormat) -> Int? { format.refreshes.first { abs(format.clock($0) - clock) <= 5 } }
        let formats = VideoFormat.all.filter {
            $0.horizontal == horizontal && $0.vertical == vertical && rate($0) != nil
        }
        guard let first = formats.first, let exact = rate(first) else { return mode }
        // The clock's steps are too coarse for rates divided by 1.001.
        mode.refresh = exact
        // Square pixels unless the format never has them: an ultrawide monitor shows 1920x1080 too.
        guard !formats.contains(where: { $0.pixelAspectRatio == 1 }) else { return mode }
        func distance(_ format: VideoFormat) -> Double {
            if let imageAspect { return abs(format.aspect.ratio - imageAspect) }
            return abs(format.pixelAspectRatio - 1)
        }
        mode.pixelAspectRatio = formats.min { distance($0) < distance($1) }?.pixelAspectRatio ?? 1
        return mode
    }
}

extension Screen.Mode {
    /// - Throws: when no screen can have this mode (S1).
    func checkPossible() throws(EDIDError) {
        guard isPossible else {
            throw EDIDError(
                "a timing of \(width)x\(height) pixels at \(refresh) mHz is out of range: "
                    + "width and height are 1…65535, the rate 1…100000000 mHz")
        }
    }

    /// Whether a detailed timing descriptor can represent this mode, including its pixel aspect ratio.
    var fitsDescriptor: Bool {
        guard let timing = DetailedTiming(self), timing.fitsDescriptor else { return false }
        guard pixelAspectRatio != 1 else { return true }
        guard let format = VideoFormat.format(of: self) else { return false }
        return !VideoFormat.all.contains {
            $0.horizontal == format.horizontal && $0.vertical == format.vertical && $0.pixelAspectRatio == 1
        }
    }
}
