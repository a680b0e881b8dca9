// Reads numbers from bytes of an X server.

/// Little-endian numbers at places of a byte array. What lies beyond the end reads as zero.
struct XReader {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var count: Int { bytes.count }

    func byte(_ place: Int) -> UInt8 {
        place >= 0 && place < bytes.count ? bytes[bytes.startIndex + place] : 0
    }

    func word(_ place: Int) -> UInt16 { UInt16(byte(place)) | UInt16(byte(place + 1)) << 8 }

    func long(_ place: Int) -> UInt32 { UInt32(word(place)) | UInt32(word(place + 2)) << 16 }

    func signed(_ place: Int) -> Int { Int(Int16(bitPattern: word(place))) }

    func window(_ place: Int) -> XWindowID { XWindowID(rawValue: long(place)) }

    func atom(_ place: Int) -> XAtom { XAtom(rawValue: long(place)) }

    /// A window's place, with its border, which is around its width and height.
    func frame(_ place: Int) -> XFrame {
        let border = 2 * Int(word(place + 8))
        return XFrame(
            x: signed(place), y: signed(place + 2), width: Int(word(place + 4)) + border,
            height: Int(word(place + 6)) + border)
    }

    /// At most `count` bytes from a place.
    func slice(_ place: Int, count: Int) -> ArraySlice<UInt8> {
        guard place >= 0, place < bytes.count else { return [] }
        return bytes.dropFirst(place).prefix(max(0, count))
    }
}
