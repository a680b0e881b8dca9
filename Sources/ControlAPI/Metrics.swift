// Prometheus' text format, version 0.0.4.

/// Writes families of samples.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    enum Kind: String { case counter, gauge, histogram }

    /// Adds a family with one sample.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        line(name, "", value)
    }

    /// Adds a family with a sample for each value of a label.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, by label: String, _ samples: [(String, Double)]
    ) {
        begin(name, kind, help)
        for (value, count) in samples { line(name, "{\(label)=\"\(Self.escape(value))\"}", count) }
    }

    /// Adds a histogram.
    /// - Parameters:
    ///   - bounds: the upper bounds of all buckets but the last.
    ///   - counts: the number in each bucket, not cumulative.
    mutating func add(_ name: String, _ help: String, bounds: [Double], counts: [UInt64], sum: Double) {
        begin(name, .histogram, help)
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
            line(name + "_bucket", "{le=\"\(bound)\"}", Double(total))
        }
        line(name + "_sum", "", sum)
        line(name + "_count", "", Double(total))
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: String, _ value: Double) {
        text += "\(name)\(labels) \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    private static func escape(_ text: String) -> String {
        text.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0 == "\n" ? "\\n" : String($0) }.joined()
    }
}
