// Bytes in a server's state.

/// Bytes that are one value of the state (`StateTag.data`). Other coders see a list of numbers.
package struct StateBytes: Equatable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension StateBytes: Codable {
    package init(from decoder: any Decoder) throws { bytes = try [UInt8](from: decoder) }
    package func encode(to encoder: any Encoder) throws { try bytes.encode(to: encoder) }
}
