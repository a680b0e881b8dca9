// Generates an EDID from a display model: the base block.

import WindowModel

extension EDID {
    /// The EDID of a display model, version 1.4, or 1.3 on HDMI, which requires that. Each mode is listed once, in the
    /// shortest form that represents it exactly; modes that not even DisplayID can represent are omitted. When the base
    /// block cannot represent the preferred mode, it begins with the largest mode it can, and DisplayID gives the
    /// preferred one.
    public static func generate(for model: DisplayModel) -> [UInt8] {
        let plan = Plan(model)
        let extensions = plan.extensions
        var base = header
        base += vendorBytes(vendorID(of: model))
        base += productCode(of: model)
        // No serial number here: it has a descriptor. Week unknown, and always 2024 (counted from 1990), so that a
        // model's bytes never change.
        base += [0, 0, 0, 0, 0, year]
        let isNative = plan.first == plan.preferred
        let size = plan.centimetres
        if plan.isOld {
            // 1.3: digital; size in cm; gamma 2.2; a colour display, sRGB, and the first timing is preferred.
            base += [1, 3, 0x80, size.width, size.height, 120, 0x0e]
        } else {
            // 1.4: digital, 8 bits per colour; RGB only, sRGB, and whether the first timing is the panel's own.
            base += [1, 4, 0xa0 | model.effectiveConnector.code, size.width, size.height, 120, isNative ? 0x06 : 0x04]
        }
        base += chromaticity
        base += plan.established
        base += [UInt8](repeating: 1, count: 16)
        base += plan.descriptors
        base.append(UInt8(extensions.count))
        base.append(checksum(base))
        return base + extensions.joined()
    }

    /// The year of manufacture, counted from 1990.
    static let year: UInt8 = 34

    static func vendorID(of model: DisplayModel) -> String { model.pnp ?? pnpID(of: model.vendor) }

    /// A number specific to the model, low byte first: FNV-1a of its names.
    static func productCode(of model: DisplayModel) -> [UInt8] {
        let names = model.vendor + "\n" + model.model
        let code = names.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
    }

    /// Three letters for a vendor without a PNP id: its first three, padded with X.
    package static func pnpID(of vendor: String) -> String {
        let letters = vendor.uppercased().unicodeScalars.filter { ("A"..."Z").contains($0) }
        return String((String(String.UnicodeScalarView(letters)) + "XXX").prefix(3))
    }

    /// Five bits per letter, A is 1.
    private static func vendorBytes(_ id: String) -> [UInt8] {
        let packed = id.utf8.reduce(0) { $0 << 5 | (Int($1) - 64) & 31 }
        return [UInt8(packed >> 8 & 0x7f), UInt8(packed & 0xff)]
    }

    /// sRGB's primaries and D65, in 1024ths: the low bits of red and green, of blue and white, then the high ones.
    private static let chromaticity: [UInt8] = {
        let parts = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329].map { Int(($0 * 1024).rounded()) }
        let low = stride(from: 0, to: 8, by: 4).map { parts[$0..<($0 + 4)].reduce(0) { $0 << 2 | $1 & 3 } }
        return (low + parts.map { $0 >> 2 }).map { UInt8(truncatingIfNeeded: $0) }
    }()
}
