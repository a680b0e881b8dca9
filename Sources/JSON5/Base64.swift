// Bytes as text.

/// Bytes as a base64 text (RFC 4648, section 4).
package struct Base64: Codable, Equatable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var text: String { Self.encode(bytes) }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        if let bytes = Self.decode(text) {
            self.bytes = bytes
            return
        }
        let found = text.count > 40 ? "\(text.prefix(40))…" : text
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "expected base64, found \"\(found)\""))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each digit; 64 for other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    private static func encode(_ bytes: [UInt8]) -> String {
        let size = (bytes.count + 2) / 3 * 4
        return unsafe String(unsafeUninitializedCapacity: size) { text in
            for group in 0..<size / 4 {
                let start = group * 3
                let count = min(3, bytes.count - start)
                var bits: UInt32 = 0
                for index in 0..<3 { bits = bits << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
                for index in 0..<4 {
                    let digit = digits[Int(bits >> UInt32(18 - 6 * index)) & 63]
                    unsafe text[group * 4 + index] = index <= count ? digit : padding
                }
            }
            return size
        }
    }

    /// - Returns: nil unless the text is padded base64 without whitespace.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { unsafe decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard !text.isEmpty else { return [] }
        // Padding anywhere else is not a digit.
        let missing = unsafe text[text.count - 1] != padding ? 0 : text[text.count - 2] != padding ? 1 : 2
        var isValid = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
            unsafe values.withUnsafeBufferPointer { values in
                for start in stride(from: 0, to: text.count, by: 4) {
                    let isLast = start == text.count - 4
                    let third = unsafe isLast && missing == 2 ? 0 : values[Int(text[start + 2])]
                    let fourth = unsafe isLast && missing > 0 ? 0 : values[Int(text[start + 3])]
                    let (first, second) = unsafe (values[Int(text[start])], values[Int(text[start + 1])])
                    isValid = isValid && (first | second | third | fourth) < 64
                    unsafe bytes[count] = first << 2 | second >> 4 & 3
                    unsafe bytes[count + 1] = second << 4 | third >> 2 & 15
                    unsafe bytes[count + 2] = third << 6 | fourth
                    count += 3
                }
            }
        }
        return isValid ? Array(bytes.dropLast(missing)) : nil
    }
}
