// A display's description of itself: EDID 1.4 with CTA-861 and DisplayID extensions, as values.

import MullionGeometry
import WindowModel

/// The parts of an EDID that describe a screen (S1). `parse` reads bytes, `generate` writes the bytes of a model.
public struct EDID: Hashable, Sendable {
    /// The manufacturer's PNP id, three letters A–Z, or ? for what is no letter.
    public var vendor: String
    /// The manufacturer's product number.
    public var productCode: UInt16
    /// The product's name, or its code as "0x1A2B" when it has none.
    public var product: String
    /// The serial number as text, or the number as "0x0012ABCD"; empty when there is neither.
    public var serial: String
    /// The visible area in millimetres, zero when unknown.
    public var physicalSize: Size
    /// Every progressive mode, once; those with detailed timings come first.
    public var modes: [Screen.Mode]
    /// The preferred mode, one of `modes`; nil when there is none.
    public var preferredMode: Screen.Mode?
    /// The parts that were skipped because they are damaged or unknown, and why: one sentence each.
    public var remarks: [String] = []

    /// The size of the base block and of each extension.
    static let blockSize = 128
    /// The base block and the most extensions it can count.
    public static let maximumSize = 256 * blockSize
    static let header: [UInt8] = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]

    /// The first byte of an extension block, or of a part of one.
    enum Tag {
        static let cta: UInt8 = 0x02
        static let displayID: UInt8 = 0x70
        static let timings: UInt8 = 0x10
        static let blockMap: UInt8 = 0xf0
        // Display descriptors of the base block.
        static let serial: UInt8 = 0xff
        static let rangeLimits: UInt8 = 0xfd
        static let name: UInt8 = 0xfc
        static let moreStandardTimings: UInt8 = 0xfa
        static let moreEstablishedTimings: UInt8 = 0xf7
        static let coordinatedTimings: UInt8 = 0xf8
        static let dummy: UInt8 = 0x10
        // Data blocks of CTA-861.
        static let video: UInt8 = 2
        static let vendorSpecific: UInt8 = 3
        static let extended: UInt8 = 7
        static let videoCapability: UInt8 = 0
        static let video420: UInt8 = 14
        static let extensionCount: UInt8 = 0x78
        // Data blocks of DisplayID.
        static let product: UInt8 = 0x00
        static let parameters: UInt8 = 0x01
        static let typeOneTimings: UInt8 = 0x03
        static let interface: UInt8 = 0x0f
        static let typeSevenTimings: UInt8 = 0x22
        static let ctaInDisplayID: UInt8 = 0x81
    }

    /// The identifier of HDMI's vendor-specific data block, low byte first.
    static let hdmi: [UInt8] = [0x03, 0x0c, 0x00]

    /// What `parse` would remark on.
    package static func remarks(on bytes: [UInt8]) -> [String] {
        bytes.isEmpty ? [] : (try? parse(bytes))?.remarks ?? []
    }

    /// The byte that makes the sum of a block zero.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        0 &- bytes.reduce(0, &+)
    }
}

/// The reason that bytes are not a valid EDID: the position, the error and the allowed values.
public struct EDIDError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
