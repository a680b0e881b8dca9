// Names of users, groups, rights and permissions.

/// One name or several: "kiosk", 1000, ["kiosk", "demo"].
package struct Names: Decodable {
    package let values: [String]

    package init(from decoder: any Decoder) throws {
        func one(_ container: any SingleValueDecodingContainer) throws -> String {
            if let number = try? container.decode(UInt32.self) { return "\(number)" }
            return try container.decode(String.self)
        }
        if var list = try? decoder.unkeyedContainer() {
            var values: [String] = []
            while !list.isAtEnd { values.append(contentsOf: try list.decode(Names.self).values) }
            self.values = values
        } else {
            values = [try one(try decoder.singleValueContainer())]
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a list of names.
    /// - Returns: their union; nil when there is no list.
    package func decodeNames<S: OptionSet>(_ known: KeyValuePairs<String, S>, forKey key: Key) throws -> S?
    where S.Element == S {
        guard let names = try decodeIfPresent([String].self, forKey: key) else { return nil }
        return S(
            try names.map { name in
                guard let value = known.first(where: { $0.key == name })?.value else {
                    let all = known.map { "\"\($0.key)\"" }.joined(separator: ", ")
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: self, debugDescription: "\"\(name)\" is not one of \(all)")
                }
                return value
            })
    }
}
