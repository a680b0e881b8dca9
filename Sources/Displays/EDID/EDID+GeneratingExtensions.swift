// Generates an EDID from a display model: the extension blocks.

import WindowModel

extension EDID.Plan {
    /// CTA-861 on HDMI, which requires it, then DisplayID for everything that did not fit before.
    var extensions: [[UInt8]] {
        var blocks: [[UInt8]] = []
        var left = detailedExtensions
        if model.effectiveConnector == .hdmi {
            let data = dataBlocks
            let room = (127 - 4 - data.count) / DetailedTiming.descriptorSize
            let timings = left.prefix(room).flatMap(descriptor)
            left = left.dropFirst(room)
            // Whether computer formats are shown completely; no audio, RGB only; how many timings are native.
            let underscans: UInt8 = model.overscan == nil ? 0x80 : 0
            let native: UInt8 = first == preferred ? 1 : 0
            blocks.append(sealed([EDID.Tag.cta, 3, UInt8(4 + data.count), underscans | native] + data + timings))
        }
        // The most extensions the base block can count, and the most timings in a block.
        let (mostBlocks, perBlock) = (255, 3)
        var timings = large + left
        // DisplayID must list it too.
        if !timings.isEmpty, !timings.contains(preferred) { timings.insert(preferred, at: 0) }
        let sections = min((timings.count + perBlock - 1) / perBlock, mostBlocks - blocks.count)
        for section in 0..<sections {
            blocks.append(displayID(timings.prefix(perBlock), following: section == 0 ? sections - 1 : nil))
            timings.removeFirst(min(perBlock, timings.count))
        }
        return blocks
    }

    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let block = bytes + [UInt8](repeating: 0, count: EDID.blockSize - 1 - bytes.count)
        return block + [EDID.checksum(block)]
    }

    // MARK: CTA-861

    private var dataBlocks: [UInt8] {
        let codes = formats.map(\.code)
        var bytes: [UInt8] = []
        // A block holds 31 codes; no display's list exceeds two blocks, since there are 62 formats.
        for part in [codes.prefix(31), codes.dropFirst(31).prefix(31)] where !part.isEmpty {
            bytes += [EDID.Tag.video << 5 | UInt8(part.count)] + part
        }
        return bytes + vendorBlocks + videoCapability
    }

    /// HDMI's vendor-specific block, and the HDMI Forum's for clocks above 340 MHz. The unit is 5 MHz.
    private var vendorBlocks: [UInt8] {
        let clock = timings.map(\.clock).max() ?? 0
        let old = UInt8(max(33, min(68, (clock + 4_999) / 5_000)))
        // 00-0C-03; the address of the first input, 1.0.0.0; no deep colour.
        var bytes: [UInt8] = [EDID.Tag.vendorSpecific << 5 | 7, 0x03, 0x0c, 0x00, 0x10, 0x00, 0, old]
        if clock > 340_000 {
            // C4-5D-D8, version 1; 600 MHz with SCDC; above that four lanes of 12 Gbit/s.
            let lanes: UInt8 = clock > 600_000 ? 6 : 0
            bytes += [EDID.Tag.vendorSpecific << 5 | 7, 0xd8, 0x5d, 0xc4, 1, 120, 0x80, lanes << 4]
        }
        return bytes
    }

    /// The quantization range is selectable; television and computer formats are always over- or underscanned (S5).
    private var videoCapability: [UInt8] {
        let always: UInt8 = model.overscan == nil ? 2 : 1
        return [EDID.Tag.extended << 5 | 2, EDID.Tag.videoCapability, 0x40 | always << 2 | always]
    }

    // MARK: DisplayID

    /// A section of version 1.2 with a block of type I timings; the first one identifies the product and counts the
    /// following ones.
    private func displayID(_ modes: ArraySlice<Screen.Mode>, following: Int?) -> [UInt8] {
        let timings = modes.flatMap { mode in
            DetailedTiming(mode)?.typeOne(aspect: Self.aspect(of: mode), isPreferred: mode == preferred) ?? []
        }
        let standalone: UInt8 = 3
        let identity = following == nil ? [] : productBlock + parametersBlock + interfaceBlock
        let data = identity + [EDID.Tag.typeOneTimings, 0, UInt8(timings.count)] + timings
        var section: [UInt8] = [
            0x12, UInt8(data.count), following == nil ? 0 : standalone, UInt8(following ?? 0),
        ]
        section += data
        section.append(EDID.checksum(section))
        return sealed([EDID.Tag.displayID] + section)
    }

    /// Vendor, product code, no serial number, week unknown, year counted from 2000, no name: the base block has those.
    private var productBlock: [UInt8] {
        let body =
            Array(EDID.vendorID(of: model).utf8) + EDID.productCode(of: model) + [0, 0, 0, 0, 0, EDID.year - 10, 0]
        return [EDID.Tag.product, 0, UInt8(body.count)] + body
    }

    /// The size in tenths of millimetres, the pixels, no features, gamma 2.2, the aspect ratio, 8 bits per colour.
    private var parametersBlock: [UInt8] {
        let tenths = [panel.width, panel.height].map { Int(min(65_535, $0 * 10)) }
        let numbers = tenths + [preferred.width, preferred.height]
        let wide = Double(max(preferred.width, preferred.height))
        let aspect = min(255, (wide / Double(min(preferred.width, preferred.height)) - 1) * 100)
        var body = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        body += [0, 120, UInt8(aspect.rounded()), 0x77]
        return [EDID.Tag.parameters, 0, UInt8(body.count)] + body
    }

    /// The connector with one link and 8 bits per colour in RGB only.
    private var interfaceBlock: [UInt8] {
        let body: [UInt8] = [model.effectiveConnector.displayIDCode << 4 | 1, 0, 2, 0, 0, 0, 0, 0, 0, 0]
        return [EDID.Tag.interface, 0, UInt8(body.count)] + body
    }

    /// The code of the picture's aspect ratio, if one gives the pixel's exactly.
    private static func aspect(of mode: Screen.Mode) -> UInt8 {
        EDID.aspects.first { _, aspect in
            Double(aspect.width * mode.height) / Double(aspect.height * mode.width) == mode.pixelAspectRatio
        }?.key ?? EDID.otherAspect
    }
}
