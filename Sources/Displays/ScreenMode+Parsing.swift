// Parses and prints display modes.

import MullionSystem
import WindowModel

extension [Screen.Mode] {
    /// The mode that a text specifies; without a rate or a pixel aspect ratio, the first match (S3). `owner` is for the
    /// message.
    package func mode(_ text: String, of owner: String) throws(ModelError) -> Screen.Mode {
        let wanted = try Screen.Mode(parsing: text)
        let fits = first {
            $0.width == wanted.width && $0.height == wanted.height
                && (!text.contains("@") || abs($0.refresh - wanted.refresh) < 10)
                && (!text.contains("~") || $0.pixelAspectRatio == wanted.pixelAspectRatio)
        }
        guard let fits else {
            let all = map(\.text).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: .s3, message: "\(text) is not a mode of \(owner); use one of \(all)")
        }
        return fits
    }
}

extension Screen.Mode {
    /// How a mode is written, for messages.
    static let format = "WIDTHxHEIGHT[@HERTZ][~N:D], where N:D is a pixel's aspect ratio"

    /// Parses "WIDTHxHEIGHT[@HERTZ][~N:D]": native pixels, a rate of 0.001…100000 Hz (default 60), and the width of a
    /// pixel relative to its height (default 1:1).
    public init(parsing text: String) throws(ModelError) {
        let refusal = ModelError(
            kind: .invalidValue, rule: .s1,
            message: "\"\(text)\" is not a mode; use \(Self.format)")
        let halves = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        guard size.count == 2, let width = DecimalText.whole(size[0]), let height = DecimalText.whole(size[1]),
            width > 0, height > 0,
            width <= 65_535, height <= 65_535
        else { throw refusal }
        var hertz = 60.0
        if parts.count == 2 {
            let number = parts[1].hasSuffix("Hz") ? parts[1].dropLast(2) : parts[1]
            guard let value = DecimalText.number(number), value >= 0.001, value <= 100_000 else { throw refusal }
            hertz = value
        }
        var ratio = 1.0
        if halves.count == 2 {
            let parts = halves[1].split(separator: ":", omittingEmptySubsequences: false)
            let terms = parts.compactMap { DecimalText.whole($0) }
            let range = 1...Self.maximumRatioTerm
            guard parts.count == 2, terms.count == 2, terms.allSatisfy(range.contains) else { throw refusal }
            ratio = Double(terms[0]) / Double(terms[1])
        }
        self.init(width: width, height: height, refresh: Int((hertz * 1000).rounded()), pixelAspectRatio: ratio)
    }

    /// In text form, to be parsed again: "1920x1080@60", "720x576@50~16:15".
    package var text: String {
        let hertz = Double(refresh) / 1000
        let text = "\(width)x\(height)@" + (hertz == hertz.rounded() ? String(Int(hertz)) : String(hertz))
        guard pixelAspectRatio != 1 else { return text }
        let aspect = pixelAspect
        return "\(text)~\(aspect.width):\(aspect.height)"
    }

    /// The largest number on either side of N:D.
    private static let maximumRatioTerm = 9999

    /// The pixel aspect ratio in the smallest integers that give or approximate it.
    var pixelAspect: (width: Int, height: Int) {
        let range = 1...Self.maximumRatioTerm
        func width(_ height: Int) -> Int {
            Int(max(1, min(Double(range.upperBound), (pixelAspectRatio * Double(height)).rounded())))
        }
        let exact = range.first { Double(width($0)) / Double($0) == pixelAspectRatio }
        let height = exact ?? range.upperBound
        return (width(height), height)
    }
}
