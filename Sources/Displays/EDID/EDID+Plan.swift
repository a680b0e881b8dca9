// Assigns the modes of a display model to the parts of an EDID, and generates the base block's descriptors.

import MullionGeometry
import WindowModel

extension EDID {
    /// Which part of the EDID represents which mode.
    struct Plan {
        let model: DisplayModel
        let preferred: Screen.Mode
        /// The first detailed timing.
        let first: Screen.Mode
        /// Only VGA's bit; the rates of VESA's other old timings are not useful.
        private(set) var established: [UInt8] = [0, 0, 0]
        private(set) var formats: [VideoFormat] = []
        /// For detailed timing descriptors, after the first one.
        private(set) var detailed: [Screen.Mode] = []
        /// For DisplayID.
        private(set) var large: [Screen.Mode] = []

        /// A mode that every display supports, for the base block when no other fits there.
        private static let vga = Screen.Mode(width: 640, height: 480, refresh: 59_940)

        init(_ model: DisplayModel) {
            self.model = model
            let preferred = model.preferredMode ?? model.modes.first ?? Self.vga
            self.preferred = preferred
            let fitting = model.modes.filter(\.fitsDescriptor)
            let largest = fitting.max { ($0.width * $0.height, $0.refresh) < ($1.width * $1.height, $1.refresh) }
            first = preferred.fitsDescriptor ? preferred : largest ?? Self.vga
            if first != preferred { large.append(preferred) }
            for mode in model.modes where mode != first && mode != preferred { place(mode) }
            // Also list the formats of the first modes, because television sources only read the list.
            for mode in [first, preferred] {
                if let format = format(of: mode), !formats.contains(where: { $0.code == format.code }) {
                    formats.insert(format, at: 0)
                }
            }
            large = large.filter { DetailedTiming($0)?.fitsTypeOne == true }
        }

        private mutating func place(_ mode: Screen.Mode) {
            if mode == Self.vga { established[0] = 0x20 }
            if let format = format(of: mode) {
                if !formats.contains(where: { $0.code == format.code }) { formats.append(format) }
            } else if mode != Self.vga {
                if mode.fitsDescriptor { detailed.append(mode) } else { large.append(mode) }
            }
        }

        /// HDMI requires EDID 1.3.
        var isOld: Bool { model.effectiveConnector == .hdmi }

        /// The CTA-861 format of a mode, if this display can list it: a code includes both of its rates.
        private func format(of mode: Screen.Mode) -> VideoFormat? {
            guard model.effectiveConnector == .hdmi, let format = VideoFormat.format(of: mode),
                format.modes.allSatisfy(model.modes.contains)
            else { return nil }
            return format
        }

        /// Every timing that is given completely.
        var timings: [DetailedTiming] {
            (model.modes + [first]).compactMap { DetailedTiming($0) }
        }

        // MARK: The base block

        /// In millimetres; zero when unknown or impossible.
        var panel: Size {
            guard let size = model.physicalSize, size.width >= 0, size.height >= 0 else { return .zero }
            return Size(width: size.width, height: size.height)
        }

        /// Zero when unknown.
        var centimetres: (width: UInt8, height: UInt8) {
            func centimetres(_ millimetres: Double) -> UInt8 { UInt8(max(1, min(255, (millimetres / 10).rounded()))) }
            guard panel.width > 0, panel.height > 0 else { return (0, 0) }
            return (centimetres(panel.width), centimetres(panel.height))
        }

        /// Timings, the range of rates, the name, the serial number; four in all.
        var descriptors: [UInt8] {
            let timings = ([first] + detailed.prefix(detailedInBase)).flatMap(descriptor)
            let serial = hasSerial ? text(model.serial ?? "", Tag.serial) : []
            let spare = hasSerial || detailedInBase > 0 ? [] : display(Tag.dummy, [])
            return timings + rangeLimits + text(model.model, Tag.name) + serial + spare
        }

        private var hasSerial: Bool { model.serial?.isEmpty == false }

        /// Without a serial number there is room for a second timing.
        private var detailedInBase: Int { hasSerial ? 0 : min(1, detailed.count) }

        /// The modes whose detailed timings are in an extension.
        var detailedExtensions: ArraySlice<Screen.Mode> { detailed.dropFirst(detailedInBase) }

        func descriptor(_ mode: Screen.Mode) -> [UInt8] {
            let image = imageSize(mode)
            return DetailedTiming(mode)?.descriptor(imageWidth: image.width, imageHeight: image.height)
                ?? display(Tag.dummy, [])
        }

        /// In millimetres; only the aspect ratio where it distinguishes pixel shapes.
        private func imageSize(_ mode: Screen.Mode) -> (width: Int, height: Int) {
            let panel = panel
            if let format = VideoFormat.format(of: mode), mode.pixelAspectRatio != 1,
                panel.height <= 0 || abs(panel.width / panel.height / format.aspect.ratio - 1) >= 0.1
            {
                return (format.aspect.width, format.aspect.height)
            }
            return (Int(min(panel.width, 4095).rounded()), Int(min(panel.height, 4095).rounded()))
        }

        private func text(_ text: String, _ tag: UInt8) -> [UInt8] {
            let ascii = text.unicodeScalars.map { (32...126).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?") }
            return display(tag, Array(ascii.prefix(13)))
        }

        private func display(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
            let end: [UInt8] = tag == Tag.dummy ? [] : [10]
            let fill = [UInt8](repeating: tag == Tag.dummy ? 0 : 32, count: 13)
            return [0, 0, 0, tag, 0] + (body + end + fill).prefix(13)
        }

        /// Vertical in Hz, horizontal in kHz, the highest clock in 10 MHz; combinations in between are not restricted.
        private var rangeLimits: [UInt8] {
            let vertical = timings.map { Double($0.refresh) / 1000 }
            let horizontal = timings.map { Double($0.clock) / Double(max(1, $0.horizontal.total)) }
            let clock = timings.map(\.clock).max() ?? 0
            var flags: UInt8 = 0
            func limits(_ values: [Double], _ shift: UInt8) -> [UInt8] {
                let most = isOld ? 255.0 : 510
                let low = Int(max(1, min(most, values.min() ?? 1)))
                let high = Int(max(1, min(most, (values.max() ?? 1).rounded(.up))))
                // Offset bits, which add 255 to the highest rate, or to both.
                flags |= (low > 255 ? 3 : high > 255 ? 2 : 0) << shift
                return [low, high].map { UInt8($0 > 255 ? $0 - 255 : $0) }
            }
            let body = limits(vertical, 0) + limits(horizontal, 2)
            let tens = UInt8(min(255, (clock + 9_999) / 10_000))
            return [0, 0, 0, Tag.rangeLimits, flags] + body + [tens, isOld ? 0 : 1, 10]
                + [UInt8](repeating: 32, count: 6)
        }
    }
}
