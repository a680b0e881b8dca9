// The output: a Markdown table or JSON.

import DisplayServer
import FoundationEssentials
import Glibc

/// One line of the table.
struct Row: Encodable {
    /// A description of what was measured.
    let what: String
    let measured: Double
    let unit: String
    /// A description of the reference; nil if there is none.
    var reference: String?
    /// In `referenceUnit`.
    var referenceMeasured: Double?
    var referenceUnit: String?
    /// The median of the ratios of neighbouring windows; nil without a reference, or when it is 0.
    var ratio: Double?

    /// A figure without a reference.
    init(_ what: String, _ measured: Double, _ unit: String) {
        self.what = what
        self.measured = measured
        self.unit = unit
    }

    /// A figure and its reference.
    init(_ what: String, _ measured: Double, _ unit: String, per reference: String, _ value: Double) {
        self.init(what, measured, unit)
        self.reference = reference
        referenceMeasured = value
        referenceUnit = unit
        ratio = value > 0 ? measured / value : nil
    }

    /// The medians of two interleaved series, scaled to the unit.
    init(
        _ what: String, _ samples: [Double], _ unit: String, scale: Double = 1, per reference: String,
        _ bare: [Double]
    ) {
        self.init(
            what, Statistics.median(samples) * scale, unit, per: reference, Statistics.median(bare) * scale)
        let ratios = zip(samples, bare).filter { $0.1 > 0 }.map { $0.0 / $0.1 }
        ratio = ratios.isEmpty ? nil : Statistics.median(ratios)
    }
}

/// All rows, and the machine they were measured on.
struct Report: Encodable {
    let version = DisplayServer.version
    let kernel = Report.kernelRelease
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var rows: [Row] = []

    private enum CodingKeys: CodingKey { case version, kernel, processors, rows }

    /// As Markdown, for README.
    var markdown: String {
        var text = "| what | measured | reference | ratio |\n|---|---:|---:|---:|\n"
        for row in rows {
            var reference = "–"
            if let name = row.reference, let value = row.referenceMeasured {
                reference = "\(name): \(Self.text(value)) \(row.referenceUnit ?? "")"
            }
            let ratio = row.ratio.map { Self.text($0) } ?? "–"
            text += "| \(row.what) | \(Self.text(row.measured)) \(row.unit) | \(reference) | \(ratio) |\n"
        }
        return text + "\nMullion \(version), Linux \(kernel), \(processors) processors.\n"
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// Three significant digits, never an exponent: 0.0123, 1.23, 123, 12,345.
    static func text(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "–" }
        let digits = max(0, min(6, 2 - Int(log10(abs(value)).rounded(.down))))
        let power = pow(10, Double(digits))
        let scaled = Int((abs(value) * power).rounded())
        var fraction = String(scaled % Int(power))
        fraction = String(repeating: "0", count: max(0, digits - fraction.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        var whole = ""
        for (index, digit) in String(scaled / Int(power)).reversed().enumerated() {
            whole = (index > 0 && index % 3 == 0 ? "\(digit)," : "\(digit)") + whole
        }
        return (value < 0 ? "-" : "") + whole + (digits > 0 && !fraction.isEmpty ? "." + fraction : "")
    }

    private static var kernelRelease: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: names.release) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
