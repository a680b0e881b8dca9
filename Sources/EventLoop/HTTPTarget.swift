// The decoded path and query of a request.

/// Splits before decoding, so that an encoded slash stays inside its segment.
struct HTTPTarget: Equatable {
    struct Item: Equatable {
        var name: String
        var value: String
    }

    var segments: [String] = []
    var query: [Item] = []

    /// Nil when an escape is malformed, or the result is not UTF-8 or contains a NUL.
    init?(path: String, query: String) {
        segments.reserveCapacity(4)
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard let segment = Self.decode(part, plus: false) else { return nil }
            segments.append(segment)
        }
        guard !query.isEmpty else { return }
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(pair[0], plus: true),
                let value = pair.count > 1 ? Self.decode(pair[1], plus: true) : ""
            else { return nil }
            self.query.append(Item(name: name, value: value))
        }
    }

    private static func decode(_ text: Substring.UTF8View.SubSequence, plus: Bool) -> String? {
        if text.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") }) {
            return String(Substring(text))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit),
                    high | low != 0
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                guard byte != 0 else { return nil }
                bytes.append(plus && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
