// Parses an EDID: its blocks. Returns or throws for any bytes.

import MullionGeometry
import WindowModel

extension EDID {
    /// How many bytes of the header may be wrong, as in Linux.
    private static let wrongHeaderBytes = 2

    /// Reads an EDID of version 1: the base block, and its CTA-861, DisplayID and VTB extensions. What Linux takes is
    /// taken: parts that are damaged or unknown are skipped, and named in `remarks`. Interlaced modes, which screens do
    /// not support, are skipped as well.
    /// - Throws: `EDIDError` for bytes that do not begin with a base block.
    public static func parse(_ bytes: [UInt8]) throws(EDIDError) -> EDID {
        guard bytes.count >= blockSize, bytes.count <= maximumSize else {
            throw EDIDError(
                "an EDID has \(blockSize) bytes for the base block and for each extension, \(maximumSize) at most, "
                    + "not \(bytes.count)")
        }
        var base = Array(bytes[..<blockSize])
        let wrong = header.indices.count { base[$0] != header[$0] }
        guard wrong <= wrongHeaderBytes else {
            throw EDIDError("this is not an EDID: it does not begin with 00 FF FF FF FF FF FF 00")
        }
        base.replaceSubrange(header.indices, with: header)
        let right = checksum(base.dropLast())
        guard base[blockSize - 1] == right else {
            throw EDIDError("block 0: the checksum is \(base[blockSize - 1]), not \(right)")
        }
        guard base[18] == 1 else {
            throw EDIDError("EDID version \(base[18]).\(base[19]) is not supported; use version 1")
        }
        var reader = Reader(base)
        if wrong > 0 { reader.note("block 0: \(wrong) bytes of the header are wrong") }
        reader.readBase(base)
        reader.readExtensions(of: bytes, declared: Int(base[126]))
        return reader.finished
    }
}

extension EDID.Reader {
    /// Reads as many extensions as the EDID declares.
    fileprivate mutating func readExtensions(of bytes: [UInt8], declared: Int) {
        let count = declared > 0 ? Self.overridingCount(bytes) ?? declared : 0
        let available = bytes.count / EDID.blockSize - 1
        for index in 1..<(min(count, available) + 1) {
            let start = index * EDID.blockSize
            readExtension(Array(bytes[start..<(start + EDID.blockSize)]), "block \(index)")
        }
        if count > available {
            note("\(count) extensions are declared, \(available) of them are complete")
        } else if bytes.count > (count + 1) * EDID.blockSize {
            note("\(bytes.count - (count + 1) * EDID.blockSize) bytes follow the declared blocks")
        }
    }

    /// HDMI's override of the number of extensions, at the beginning of the first one, for sources that read only one.
    private static func overridingCount(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 * EDID.blockSize else { return nil }
        let block = bytes[EDID.blockSize..<(2 * EDID.blockSize)].map { $0 }
        guard block[0] == EDID.Tag.cta, block[1] >= 3, (7...127).contains(block[2]),
            block[4] >> 5 == EDID.Tag.extended, block[4] & 0x1f >= 2, block[5] == EDID.Tag.extensionCount
        else { return nil }
        return block[6] > 0 ? Int(block[6]) : nil
    }

    private mutating func readExtension(_ block: [UInt8], _ place: String) {
        let (sum, right) = (block[EDID.blockSize - 1], EDID.checksum(block.dropLast()))
        if sum != right {
            // Linux reads CTA-861 nevertheless, because some switches change it without correcting the checksum.
            let isRead = block[0] == EDID.Tag.cta
            note("\(place): the checksum is \(sum), not \(right)" + (isRead ? "" : "; it is skipped"))
            guard isRead else { return }
        }
        switch block[0] {
        case EDID.Tag.cta: readCTA(block, place)
        case EDID.Tag.displayID: readDisplayID(block, place)
        case EDID.Tag.timings: readTimings(block, place)
        case EDID.Tag.blockMap: break
        default: note("\(place): an extension of type \(block[0]) is unknown")
        }
    }

    /// VESA's video timing block. Its other forms of timings are not used.
    private mutating func readTimings(_ block: [UInt8], _ place: String) {
        guard block[1] == 1 else { return note("\(place): version \(block[1]) of its timings is unknown") }
        for index in 0..<min(Int(block[2]), 6) { readDescriptor(block, at: 5 + 18 * index, place) }
    }
}
