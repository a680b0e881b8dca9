// Parses DisplayID extensions of an EDID.

import WindowModel

extension EDID.Reader {
    mutating func readDisplayID(_ block: [UInt8], _ place: String) {
        let end = 5 + Int(block[2])
        guard end <= 126 else {
            return note("\(place): the DisplayID section has \(block[2]) bytes; at most 121 fit")
        }
        let checksum = EDID.checksum(block[1..<end])
        guard block[end] == checksum else {
            return note("\(place): the DisplayID section's checksum is \(block[end]), not \(checksum)")
        }
        var at = 5
        while at + 3 <= end {
            let (tag, body) = (block[at], at + 3)
            let next = body + Int(block[at + 2])
            guard next <= end else {
                return note("\(place), byte \(at): the data block is longer than the DisplayID section")
            }
            switch tag {
            case EDID.Tag.typeOneTimings: readTypeOne(block[body..<next], unit: 10, place)
            // Type VII is type I with a clock in kHz.
            case EDID.Tag.typeSevenTimings: readTypeOne(block[body..<next], unit: 1, place)
            case EDID.Tag.ctaInDisplayID: readDataBlocks(block[body..<next], place)
            default: break
            }
            at = next
        }
    }

    private mutating func readTypeOne(_ body: ArraySlice<UInt8>, unit: Int, _ place: String) {
        guard body.count.isMultiple(of: DetailedTiming.typeOneSize) else {
            return note("\(place): a block of DisplayID timings has \(body.count) bytes, not a multiple of 20")
        }
        for start in stride(from: body.startIndex, to: body.endIndex, by: DetailedTiming.typeOneSize) {
            do throws(EDIDError) {
                try readTypeOne(Array(body[start..<(start + DetailedTiming.typeOneSize)]), unit: unit)
            } catch {
                note("\(place), byte \(start): \(error)")
            }
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
        add(mode)
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
