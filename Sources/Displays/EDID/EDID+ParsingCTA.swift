// Parses CTA-861 extensions of an EDID.

import WindowModel

extension EDID.Reader {
    mutating func readCTA(_ block: [UInt8], _ place: String) {
        // The offset of the timings; from revision 3 on, data blocks precede them. 0: there are neither.
        let timings = Int(block[2])
        guard timings != 0 else { return }
        guard (4...127).contains(timings) else {
            return note("\(place): the timings begin at byte \(timings), not at 0 or 4…127")
        }
        if block[1] >= 3 { readDataBlocks(block[4..<timings], place) }
        for at in stride(from: timings, through: 127 - DetailedTiming.descriptorSize, by: DetailedTiming.descriptorSize)
        {
            readDescriptor(block, at: at, place)
        }
    }

    /// A collection of data blocks, of CTA-861 or within DisplayID.
    mutating func readDataBlocks(_ bytes: ArraySlice<UInt8>, _ place: String) {
        var rest = bytes
        while let head = rest.first {
            let length = Int(head & 0x1f)
            guard rest.count > length else {
                return note("\(place), byte \(rest.startIndex): the data block is longer than the list of data blocks")
            }
            readDataBlock(head >> 5, Array(rest.dropFirst().prefix(length)))
            rest = rest.dropFirst(1 + length)
        }
    }

    private mutating func readDataBlock(_ tag: UInt8, _ body: [UInt8]) {
        switch tag {
        case EDID.Tag.video: for code in body { readVideoCode(code) }
        case EDID.Tag.vendorSpecific where body.starts(with: EDID.hdmi): readHDMI(body)
        case EDID.Tag.extended where body.first == EDID.Tag.video420:
            // What it lists is shown only with subsampled colour, which is no property of a mode here.
            for code in body.dropFirst() { readVideoCode(code) }
        default: break
        }
    }

    /// The upper bit of codes up to 64 marks a native format.
    private mutating func readVideoCode(_ byte: UInt8) {
        let code = (129...192).contains(byte) ? byte & 0x7f : byte
        for mode in VideoFormat.format(code: code)?.modes ?? [] { add(mode) }
    }

    /// HDMI's own codes, for 4K before CTA-861 had any.
    private mutating func readHDMI(_ body: [UInt8]) {
        guard body.count > 7, body[7] & 0x20 != 0 else { return }
        // The latencies of video and audio, and of interlaced video and audio.
        let start = 8 + (body[7] & 0x80 != 0 ? 2 : 0) + (body[7] & 0x40 != 0 ? 2 : 0)
        guard start + 1 < body.count else { return }
        let codes: [UInt8: UInt8] = [1: 95, 2: 94, 3: 93, 4: 98]
        for code in body.dropFirst(start + 2).prefix(Int(body[start + 1] >> 5)) {
            for mode in codes[code].flatMap({ VideoFormat.format(code: $0) })?.modes ?? [] { add(mode) }
        }
    }
}
