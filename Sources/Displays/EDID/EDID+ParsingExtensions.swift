// Parses the extension blocks of an EDID.

import WindowModel

extension EDID.Reader {
    // MARK: CTA-861

    mutating func readCTA(_ block: [UInt8]) throws(EDIDError) {
        // The offset of the timings; from revision 3 on, data blocks precede them. 0: there are neither.
        let timings = Int(block[2])
        guard timings != 0 else { return }
        guard (4...127).contains(timings) else {
            throw EDIDError("CTA-861: the timings begin at byte \(timings), not at 0 or 4…127")
        }
        if block[1] >= 3 {
            var at = 4
            while at < timings {
                let length = Int(block[at] & 0x1f)
                guard at + 1 + length <= timings else {
                    throw EDIDError("CTA-861: the data block at byte \(at) overlaps the timings")
                }
                if block[at] >> 5 == EDID.Tag.video {
                    for code in block[(at + 1)..<(at + 1 + length)] { readVideoCode(code) }
                }
                at += 1 + length
            }
        }
        for at in stride(from: timings, through: 127 - DetailedTiming.descriptorSize, by: DetailedTiming.descriptorSize)
        {
            let descriptor = Array(block[at..<(at + DetailedTiming.descriptorSize)])
            guard descriptor[0] | descriptor[1] != 0 else { return }
            do throws(EDIDError) {
                try readDetailedTiming(descriptor)
            } catch {
                throw EDIDError("CTA-861, byte \(at): \(error)")
            }
        }
    }

    /// The upper bit of codes up to 64 marks a native format.
    private mutating func readVideoCode(_ byte: UInt8) {
        let code = (129...192).contains(byte) ? byte & 0x7f : byte
        for mode in VideoFormat.format(code: code)?.modes ?? [] { add(detailed: mode) }
    }

    // MARK: DisplayID

    mutating func readDisplayID(_ block: [UInt8]) throws(EDIDError) {
        let end = 5 + Int(block[2])
        guard end <= 126 else {
            throw EDIDError("DisplayID: the section has \(block[2]) bytes; at most 121 fit")
        }
        let checksum = EDID.checksum(block[1..<end])
        guard block[end] == checksum else {
            throw EDIDError("DisplayID: the checksum is \(block[end]), not \(checksum)")
        }
        var at = 5
        // A section that is not full is padded with zeros.
        while at + 3 <= end, block[at] | block[at + 2] != 0 {
            let (tag, length) = (block[at], Int(block[at + 2]))
            guard at + 3 + length <= end else {
                throw EDIDError("DisplayID: the data block at byte \(at) is longer than the section")
            }
            if tag == EDID.Tag.typeOneTimings || tag == EDID.Tag.typeSevenTimings {
                guard length.isMultiple(of: DetailedTiming.typeOneSize) else {
                    throw EDIDError("DisplayID: a block of timings has \(length) bytes, not a multiple of 20")
                }
                for start in stride(from: at + 3, to: at + 3 + length, by: DetailedTiming.typeOneSize) {
                    let bytes = Array(block[start..<(start + DetailedTiming.typeOneSize)])
                    // Type VII is type I with a clock in kHz.
                    try readTypeOne(bytes, unit: tag == EDID.Tag.typeOneTimings ? 10 : 1)
                }
            }
            at += 3 + length
        }
    }

    private mutating func readTypeOne(_ bytes: [UInt8], unit: Int) throws(EDIDError) {
        guard let timing = DetailedTiming(typeOne: bytes, unit: unit) else { return }
        let aspect = EDID.aspects[bytes[3] & 0x0f]
        guard var mode = try timing.mode(imageAspect: aspect.map(\.ratio)) else { return }
        if let aspect {
            let ratio = Double(aspect.width * mode.height) / Double(aspect.height * mode.width)
            // 1366x768 is declared as 16:9.
            mode.pixelAspectRatio = abs(ratio - 1) < 0.01 ? 1 : ratio
        }
        add(detailed: mode)
        if bytes[3] & 0x80 != 0 { prefer(mode) }
    }
}

extension EDID {
    /// DisplayID's codes of the picture's aspect ratio; 8 means any other.
    static let aspects: [UInt8: VideoFormat.Aspect] = [
        0: .init(width: 1, height: 1), 1: .init(width: 5, height: 4), 2: .fourThree, 3: .init(width: 15, height: 9),
        4: .wide, 5: .init(width: 16, height: 10), 6: .ultrawide, 7: .cinema,
    ]
    static let otherAspect: UInt8 = 8
}
