// A mode with all its porches, as in EDID's detailed timings and DisplayID's type I timings.

/// The active picture, the blanking around it, and the pixel clock.
struct DetailedTiming: Hashable {
    /// One direction, in pixels or lines.
    struct Axis: Hashable {
        var active: Int
        var front: Int
        var sync: Int
        var back: Int
        /// Whether the sync pulse is positive.
        var isPositive: Bool

        var blank: Int { front + sync + back }
        var total: Int { active + blank }
    }

    /// In kHz.
    var clock: Int
    var horizontal: Axis
    var vertical: Axis
    var isInterlaced = false

    /// In mHz.
    var refresh: Int {
        let total = horizontal.total * vertical.total
        return total > 0 ? (clock * 1_000_000 + total / 2) / total : 0
    }
}

// MARK: EDID's detailed timing descriptor

extension DetailedTiming {
    static let descriptorSize = 18

    /// The least width and height that Linux takes from a descriptor.
    private static let leastActive = 64

    /// Whether it fits into a detailed timing descriptor.
    var fitsDescriptor: Bool {
        (1...0xffff).contains((clock + 5) / 10)
            && [horizontal, vertical].allSatisfy {
                (Self.leastActive...0xfff).contains($0.active) && $0.blank <= 0xfff
            }
            && horizontal.front <= 0x3ff && horizontal.sync <= 0x3ff && vertical.front <= 0x3f && vertical.sync <= 0x3f
    }

    /// The descriptor's 18 bytes; the image size is in millimetres.
    func descriptor(imageWidth: Int, imageHeight: Int) -> [UInt8] {
        let clock = (clock + 5) / 10
        let (h, v) = (horizontal, vertical)
        var bytes = [clock & 0xff, clock >> 8]
        for axis in [h, v] {
            bytes += [axis.active & 0xff, axis.blank & 0xff, (axis.active >> 8) << 4 | axis.blank >> 8]
        }
        bytes += [h.front & 0xff, h.sync & 0xff, (v.front & 0xf) << 4 | v.sync & 0xf]
        bytes.append((h.front >> 8) << 6 | (h.sync >> 8) << 4 | (v.front >> 4) << 2 | v.sync >> 4)
        bytes += [imageWidth & 0xff, imageHeight & 0xff, (imageWidth >> 8) << 4 | imageHeight >> 8, 0, 0]
        bytes.append((isInterlaced ? 0x80 : 0) | 0x18 | (v.isPositive ? 4 : 0) | (h.isPositive ? 2 : 0))
        return bytes.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Reads the 18 bytes of a descriptor; nil when it is not a timing, which has a clock.
    init?(descriptor bytes: some Sequence<UInt8>) {
        let b = bytes.map { Int($0) }
        guard b.count == Self.descriptorSize, b[0] | b[1] != 0 else { return nil }
        let hBlank = b[3] | (b[4] & 0xf) << 8
        let vBlank = b[6] | (b[7] & 0xf) << 8
        let hFront = b[8] | (b[11] >> 6) << 8
        let hSync = b[9] | (b[11] >> 4 & 3) << 8
        let vFront = b[10] >> 4 | (b[11] >> 2 & 3) << 4
        let vSync = b[10] & 0xf | (b[11] & 3) << 4
        let isSeparate = b[17] & 0x18 == 0x18
        // Some displays give less blanking than it consists of.
        let (hBack, vBack) = (hBlank - hFront - hSync, vBlank - vFront - vSync)
        clock = (b[0] | b[1] << 8) * 10
        horizontal = Axis(
            active: b[2] | (b[4] >> 4) << 8, front: hFront, sync: hSync, back: hBack < 0 ? 1 : hBack,
            isPositive: isSeparate && b[17] & 2 != 0)
        vertical = Axis(
            active: b[5] | (b[7] >> 4) << 8, front: vFront, sync: vSync, back: vBack < 0 ? 1 : vBack,
            isPositive: isSeparate && b[17] & 4 != 0)
        isInterlaced = b[17] & 0x80 != 0
    }

    /// - Throws: for what Linux does not take for a timing.
    func checkDescriptor(isStereo: Bool) throws(EDIDError) {
        guard min(horizontal.active, vertical.active) >= Self.leastActive else {
            throw EDIDError(
                "a timing of \(horizontal.active)x\(vertical.active) pixels is smaller than \(Self.leastActive)x\(Self.leastActive)"
            )
        }
        guard !isStereo else { throw EDIDError("a timing for stereo pictures is not supported") }
        guard horizontal.sync > 0, vertical.sync > 0 else { throw EDIDError("a timing has no sync pulse") }
    }

    /// The image size in a descriptor, in millimetres.
    static func imageSize(descriptor bytes: [UInt8]) -> (width: Int, height: Int) {
        let b = bytes.map { Int($0) }
        guard b.count == descriptorSize else { return (0, 0) }
        return (b[12] | (b[14] >> 4) << 8, b[13] | (b[14] & 0xf) << 8)
    }
}

// MARK: DisplayID's type I timing

extension DetailedTiming {
    static let typeOneSize = 20

    /// Whether it fits into a type I timing.
    var fitsTypeOne: Bool {
        (1...0x100_0000).contains((clock + 5) / 10)
            && [horizontal, vertical].allSatisfy { axis in
                [axis.active, axis.blank, axis.sync].allSatisfy { (1...0x1_0000).contains($0) }
                    && (1...0x8000).contains(axis.front)
            }
    }

    /// The timing's 20 bytes.
    /// - Parameter aspect: the code of the picture's aspect ratio.
    func typeOne(aspect: UInt8, isPreferred: Bool) -> [UInt8] {
        let clock = (clock + 5) / 10 - 1
        var bytes = [clock & 0xff, clock >> 8 & 0xff, clock >> 16, (isPreferred ? 0x80 : 0) | Int(aspect)]
        for axis in [horizontal, vertical] {
            let front = axis.front - 1 | (axis.isPositive ? 0x8000 : 0)
            for value in [axis.active - 1, axis.blank - 1, front, axis.sync - 1] {
                bytes += [value & 0xff, value >> 8]
            }
        }
        return bytes.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Reads the 20 bytes of a timing whose clock is in units of `unit` kHz.
    init?(typeOne bytes: some Sequence<UInt8>, unit: Int) {
        let b = bytes.map { Int($0) }
        guard b.count == Self.typeOneSize else { return nil }
        func axis(_ at: Int) -> Axis {
            let values = (0..<4).map { (b[at + 2 * $0] | b[at + 2 * $0 + 1] << 8) + 1 }
            let front = (values[2] - 1) & 0x7fff + 1
            return Axis(
                active: values[0], front: front, sync: values[3], back: values[1] - front - values[3],
                isPositive: b[at + 5] & 0x80 != 0)
        }
        clock = ((b[0] | b[1] << 8 | b[2] << 16) + 1) * unit
        horizontal = axis(4)
        vertical = axis(12)
        isInterlaced = b[3] & 0x10 != 0
    }
}
