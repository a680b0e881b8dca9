// Parses the base block of an EDID. Returns or throws for any bytes.

import Geometry
import WindowModel

extension EDID {
    /// Reads an EDID: the base block (versions 1.0 to 1.4) and its CTA-861 and DisplayID extensions. Other extensions
    /// and interlaced modes, which screens do not support, are skipped.
    /// - Throws: `EDIDError` with the error and its position.
    public static func parse(_ bytes: [UInt8]) throws(EDIDError) -> EDID {
        let blocks = try blocks(of: bytes)
        let base = blocks[0]
        guard base.starts(with: header) else {
            throw EDIDError("this is not an EDID: it does not begin with 00 FF FF FF FF FF FF 00")
        }
        guard base[18] == 1, base[19] <= 4 else {
            throw EDIDError("EDID version \(base[18]).\(base[19]) is not supported; use 1.0 to 1.4")
        }
        guard blocks.count > Int(base[126]) else {
            throw EDIDError("the EDID declares \(base[126]) extension blocks but has \(blocks.count - 1)")
        }
        var reader = Reader(edid: try identity(base))
        try reader.readBase(base)
        for (index, block) in blocks.enumerated().dropFirst() {
            do throws(EDIDError) {
                switch block[0] {
                case Tag.cta: try reader.readCTA(block)
                case Tag.displayID: try reader.readDisplayID(block)
                default: break
                }
            } catch {
                throw EDIDError("block \(index): \(error)")
            }
        }
        return reader.finished
    }

    private static func blocks(of bytes: [UInt8]) throws(EDIDError) -> [[UInt8]] {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: blockSize), bytes.count <= maximumSize else {
            throw EDIDError(
                "an EDID has \(blockSize) bytes for the base block and for each extension, \(maximumSize) at most, "
                    + "not \(bytes.count)")
        }
        let blocks = stride(from: 0, to: bytes.count, by: blockSize).map { Array(bytes[$0..<$0 + blockSize]) }
        for (index, block) in blocks.enumerated() {
            let right = checksum(block.dropLast())
            guard block[blockSize - 1] == right else {
                throw EDIDError("block \(index): the checksum is \(block[blockSize - 1]), not \(right)")
            }
        }
        return blocks
    }

    private static func identity(_ base: [UInt8]) throws(EDIDError) -> EDID {
        let letters = Int(base[8]) << 8 | Int(base[9])
        let numbers = [letters >> 10 & 31, letters >> 5 & 31, letters & 31]
        guard letters < 0x8000, numbers.allSatisfy({ (1...26).contains($0) }) else {
            throw EDIDError("the manufacturer's id, bytes 8 and 9, is not three letters A–Z")
        }
        let code = UInt16(base[10]) | UInt16(base[11]) << 8
        let digits = String(code, radix: 16, uppercase: true)
        let number = (0..<4).reduce(UInt32(0)) { $0 | UInt32(base[12 + $1]) << UInt32(8 * $1) }
        return EDID(
            vendor: String(String.UnicodeScalarView(numbers.map { UnicodeScalar(UInt8(64 + $0)) })),
            productCode: code, product: "0x" + String(repeating: "0", count: 4 - digits.count) + digits,
            serial: number == 0 ? "" : String(number),
            physicalSize: Size(width: Double(base[21]) * 10, height: Double(base[22]) * 10), modes: [])
    }

    /// Collects the contents of the blocks.
    struct Reader {
        var edid: EDID
        /// Modes listed by reference to a standard; they come after those with detailed timings.
        private var listed: [Screen.Mode] = []
        private var preferred: Screen.Mode?

        init(edid: EDID) { self.edid = edid }

        /// The result, with each mode once.
        var finished: EDID {
            var result = edid
            var seen: Set<Screen.Mode> = []
            result.modes = (edid.modes + listed).filter { seen.insert($0).inserted }
            result.preferredMode = preferred ?? result.modes.first
            return result
        }

        mutating func readBase(_ base: [UInt8]) throws(EDIDError) {
            readPhysicalSize(base)
            listed += MonitorTimings.established(Array(base[35...37]))
            for index in stride(from: 38, to: 54, by: 2) {
                if let mode = MonitorTimings.standard(base[index], base[index + 1]) { listed.append(mode) }
            }
            for index in 0..<4 {
                let descriptor = Array(base[(54 + 18 * index)..<(72 + 18 * index)])
                do throws(EDIDError) {
                    if descriptor[0] | descriptor[1] != 0 {
                        try readDetailedTiming(descriptor)
                    } else {
                        readDisplayDescriptor(descriptor)
                    }
                } catch {
                    throw EDIDError("descriptor \(index + 1): \(error)")
                }
            }
            preferred = edid.modes.first
        }

        /// The base block has centimetres; its first timing has millimetres, or an aspect ratio.
        private mutating func readPhysicalSize(_ base: [UInt8]) {
            // If one of the two is zero, the other is an aspect ratio.
            guard base[21] > 0, base[22] > 0 else {
                edid.physicalSize = .zero
                return
            }
            guard base[54] | base[55] != 0 else { return }
            let image = DetailedTiming.imageSize(descriptor: Array(base[54..<72]))
            func agree(_ millimetres: Int, _ centimetres: UInt8) -> Bool {
                abs(millimetres - Int(centimetres) * 10) < 10 || centimetres == .max && millimetres > 2550
            }
            if agree(image.width, base[21]), agree(image.height, base[22]) {
                edid.physicalSize = Size(width: Double(image.width), height: Double(image.height))
            }
        }

        /// A detailed timing of the base block or of CTA-861.
        mutating func readDetailedTiming(_ descriptor: [UInt8]) throws(EDIDError) {
            let image = DetailedTiming.imageSize(descriptor: descriptor)
            let aspect = image.width > 0 && image.height > 0 ? Double(image.width) / Double(image.height) : nil
            guard let mode = try DetailedTiming(descriptor: descriptor)?.mode(imageAspect: aspect) else { return }
            edid.modes.append(mode)
        }

        private mutating func readDisplayDescriptor(_ descriptor: [UInt8]) {
            let body = Array(descriptor[5...])
            switch descriptor[3] {
            case Tag.serial: edid.serial = Self.text(body) ?? edid.serial
            case Tag.name: edid.product = Self.text(body) ?? edid.product
            case Tag.moreStandardTimings:
                for index in stride(from: 0, to: 12, by: 2) {
                    if let mode = MonitorTimings.standard(body[index], body[index + 1]) { listed.append(mode) }
                }
            case Tag.moreEstablishedTimings: listed += MonitorTimings.moreEstablished(Array(body[1...6]))
            default: break
            }
        }

        /// Thirteen characters, or fewer and a line feed; unprintable ones become "?".
        private static func text(_ bytes: [UInt8]) -> String? {
            let line = bytes.prefix { $0 != 10 && $0 != 0 }.map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
            let text = line.reversed().drop { $0 == 32 }.reversed()
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }

        mutating func add(listed mode: Screen.Mode) { listed.append(mode) }

        mutating func add(detailed mode: Screen.Mode) { edid.modes.append(mode) }

        /// DisplayID can give a preferred mode that does not fit into the base block.
        mutating func prefer(_ mode: Screen.Mode) { preferred = mode }
    }
}
