// A table that changes the colours of a picture.

/// For each channel, what its 256 values become: brightness, colour temperature, gamma. The unused byte stays.
public struct ColorTable: Equatable, Sendable {
    /// Indexed by the channel's value, shifted to its place in a pixel: red, then green, then blue.
    private let entries: [UInt32]

    /// A table of three ramps of 256 values; nil for any other length, and for one that changes nothing.
    public init?(red: [UInt8], green: [UInt8], blue: [UInt8]) {
        let ramps = [red, green, blue]
        guard ramps.allSatisfy({ $0.count == 256 }),
            !ramps.allSatisfy({ $0.enumerated().allSatisfy { $0.offset == Int($0.element) } })
        else { return nil }
        entries = zip(ramps, [16, 8, 0] as [UInt32]).flatMap { ramp, shift in ramp.map { UInt32($0) << shift } }
    }

    /// Changes `count` pixels of x8r8g8b8 in place.
    func apply(to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        unsafe entries.withUnsafeBufferPointer { entries in
            for index in 0..<count {
                let pixel = unsafe pixels[index]
                let red = unsafe entries[Int(pixel >> 16 & 0xff)]
                let green = unsafe entries[256 + Int(pixel >> 8 & 0xff)]
                let blue = unsafe entries[512 + Int(pixel & 0xff)]
                unsafe pixels[index] = pixel & 0xff00_0000 | red | green | blue
            }
        }
    }
}

extension Renderer {
    /// Changes the colours of rows that were just painted: each of their damaged pixels once.
    func applyColors(to rows: Range<Int32>) {
        guard let colors, let framebuffer, let data = unsafe framebuffer.data else { return }
        let stride = framebuffer.stride
        damage.forEachRectangle { rect in
            let part = rect.rows(rows)
            guard !part.isEmpty else { return }
            for y in Int(part.minY)..<Int(part.maxY) {
                let row = unsafe (data + y * stride).assumingMemoryBound(to: UInt32.self)
                unsafe colors.apply(to: row + Int(part.minX), count: part.width)
            }
        }
    }
}
