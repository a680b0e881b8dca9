// Decodes JSON5 files; errors name the position and the allowed values.

import FoundationEssentials

/// Decodes configuration files.
package enum JSON5 {
    /// The folder of the file being decoded, in a decoder's `userInfo`: other files are named relative to it.
    package static let folder = CodingUserInfoKey(rawValue: "folder")

    package static func decode<T: Decodable>(_ type: T.Type, fromFile path: String) throws(JSON5Error) -> T {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw JSON5Error(description: "\(path): cannot be read")
        }
        return try decode(type, from: data, file: path)
    }

    package static func decode<T: Decodable>(_ type: T.Type, from data: Data, file: String) throws(JSON5Error) -> T {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        if let folder { decoder.userInfo[folder] = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "" }
        if let mistake = JSON5Syntax.firstMistake(in: data) { throw JSON5Error(description: "\(file): \(mistake)") }
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw JSON5Error(description: "\(file): \(explain(error))")
        } catch {
            throw JSON5Error(description: "\(file): \(error)")
        }
    }

    /// Throws for unknown keys; call it first in `init(from:)`.
    package static func refuseUnknownKeys<K: CodingKey & CaseIterable>(_ decoder: any Decoder, _ known: K.Type) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let names = Set(K.allCases.map(\.stringValue))
        guard let unknown = container.allKeys.map(\.stringValue).sorted().first(where: { !names.contains($0) })
        else { return }
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "unknown key \"\(unknown)\"; use one of \(names.sorted().joined(separator: ", "))"))
    }

    package struct AnyKey: CodingKey {
        package let stringValue: String
        package let intValue: Int?
        package init?(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }
        package init?(intValue: Int) { self.init(index: intValue) }
        package init(index: Int) {
            stringValue = "\(index)"
            intValue = index
        }
    }

    /// The description of a decoding error, with its position in the document.
    package static func explain(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(path(context))the key \"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context): "\(path(context))expected \(name(type))\(found(context))"
        case .valueNotFound(let type, let context): "\(path(context))expected \(name(type)), found null"
        case .dataCorrupted(let context): "\(path(context))\(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        let keys = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return keys.isEmpty ? "" : "\(keys.hasPrefix(".") ? String(keys.dropFirst()) : keys): "
    }

    /// What there was instead, from "Expected to decode Double but found a string instead.", which names Swift's types.
    private static func found(_ context: DecodingError.Context) -> String {
        let text = context.debugDescription
        let suffix = " instead."
        guard text.hasSuffix(suffix), let start = text.firstRange(of: "but found ")?.upperBound else {
            return ": \(text)"
        }
        let found = String(text[start...].dropLast(suffix.count))
        let names = ["bool": "true or false", "number": "a number", "an array": "a list", "a dictionary": "an object"]
        return ", found \(names[found] ?? found)"
    }

    private static func name(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type, is UInt32.Type: "a whole number"
        case is Double.Type: "a number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: "another value"
        }
    }
}

/// The file, the position, the error and, if known, what is allowed.
package struct JSON5Error: Error, CustomStringConvertible, Equatable {
    package let description: String

    package init(description: String) { self.description = description }
}
