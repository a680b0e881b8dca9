// Parses the base block of an EDID, and its descriptors.

import MullionGeometry
import WindowModel

extension EDID {
    /// Collects the contents of the blocks.
    struct Reader {
        private var edid: EDID
        /// Modes listed by reference to a standard; they come after those with timings.
        private var listed: [Screen.Mode] = []
        private var preferred: Screen.Mode?
        /// EDID 1.`revision`.
        private let revision: UInt8

        /// - Parameter base: a valid base block.
        init(_ base: [UInt8]) {
            revision = base[19]
            let letters = Int(base[8]) << 8 | Int(base[9])
            let numbers = [letters >> 10 & 31, letters >> 5 & 31, letters & 31]
            let code = UInt16(base[10]) | UInt16(base[11]) << 8
            let number: UInt32 = base[12..<16].reversed().reduce(0) { number, byte in number << 8 | UInt32(byte) }
            edid = EDID(
                vendor: String(
                    String.UnicodeScalarView(
                        numbers.map { (1...26).contains($0) ? UnicodeScalar(UInt8(64 + $0)) : "?" })),
                productCode: code, product: "0x" + Self.digits(code, 4),
                serial: number == 0 ? "" : "0x" + Self.digits(number, 8),
                physicalSize: Size(width: Double(base[21]) * 10, height: Double(base[22]) * 10), modes: [])
            if letters >= 0x8000 || edid.vendor.contains("?") {
                note("block 0: the manufacturer's id, bytes 8 and 9, is not three letters A–Z")
            }
        }

        private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let digits = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: count - digits.count) + digits
        }

        mutating func note(_ remark: String) { edid.remarks.append(remark) }

        /// The result, with each mode once.
        var finished: EDID {
            var result = edid
            var seen: Set<Screen.Mode> = []
            result.modes = (edid.modes + listed).filter { seen.insert($0).inserted }
            result.preferredMode = preferred ?? result.modes.first
            guard !result.modes.contains(where: { $0.isDrawable }) else { return result }
            // S3: none of the modes could be current.
            let lack = result.modes.isEmpty ? "progressive mode" : "mode of which there can be pictures"
            result.remarks.append("it has no \(lack); those that Linux takes for unknown monitors are used")
            result.modes += MonitorTimings.unknown
            result.preferredMode = result.preferredMode ?? result.modes.first
            return result
        }

        mutating func readBase(_ base: [UInt8]) {
            readPhysicalSize(base)
            list(MonitorTimings.established(Array(base[35...37])), "block 0, byte 35")
            for index in stride(from: 38, to: 54, by: 2) {
                readStandard(base[index], base[index + 1], "block 0, byte \(index)")
            }
            for index in 0..<4 { readDescriptor(base, at: 54 + DetailedTiming.descriptorSize * index, "block 0") }
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

        private mutating func readStandard(_ first: UInt8, _ second: UInt8, _ place: String) {
            if let mode = MonitorTimings.standard(first, second, revision: revision) { list([mode], place) }
        }

        /// Adds modes listed by reference to a standard, except for those that no screen can have.
        private mutating func list(_ modes: [Screen.Mode], _ place: String) {
            for mode in modes {
                do throws(EDIDError) {
                    try mode.checkPossible()
                    listed.append(mode)
                } catch {
                    note("\(place): \(error)")
                }
            }
        }

        /// A descriptor of 18 bytes in any block: a timing, or something else.
        mutating func readDescriptor(_ block: [UInt8], at start: Int, _ place: String) {
            let bytes = Array(block[start..<(start + DetailedTiming.descriptorSize)])
            let place = "\(place), byte \(start)"
            guard bytes[0] | bytes[1] == 0 else { return readDetailedTiming(bytes, place) }
            if bytes[2] == 0 { readDisplayDescriptor(bytes, place) }
        }

        private mutating func readDetailedTiming(_ bytes: [UInt8], _ place: String) {
            let image = DetailedTiming.imageSize(descriptor: bytes)
            let aspect = image.width > 0 && image.height > 0 ? Double(image.width) / Double(image.height) : nil
            guard let timing = DetailedTiming(descriptor: bytes) else { return }
            do throws(EDIDError) {
                try timing.checkDescriptor(isStereo: bytes[17] & 0x20 != 0)
                guard let mode = try timing.mode(imageAspect: aspect) else { return }
                edid.modes.append(mode)
                preferred = preferred ?? mode
            } catch {
                note("\(place): \(error)")
            }
        }

        private mutating func readDisplayDescriptor(_ bytes: [UInt8], _ place: String) {
            let body = Array(bytes[5...])
            switch bytes[3] {
            case Tag.serial: edid.serial = Self.text(body) ?? edid.serial
            case Tag.name: edid.product = Self.text(body) ?? edid.product
            case Tag.moreStandardTimings:
                for index in stride(from: 0, to: 12, by: 2) { readStandard(body[index], body[index + 1], place) }
            case Tag.coordinatedTimings: list(MonitorTimings.coordinated(Array(body[1...12])), place)
            case Tag.moreEstablishedTimings: list(MonitorTimings.moreEstablished(Array(body[1...6])), place)
            default: break
            }
        }

        /// Thirteen characters, or fewer and a line feed; unprintable ones become "?".
        private static func text(_ bytes: [UInt8]) -> String? {
            let line = bytes.prefix { $0 != 10 && $0 != 0 }.map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
            let text = line.reversed().drop { $0 == 32 }.reversed()
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }

        mutating func add(_ mode: Screen.Mode) { edid.modes.append(mode) }

        /// DisplayID can give a preferred mode that does not fit into the base block.
        mutating func prefer(_ mode: Screen.Mode) { preferred = mode }
    }
}
