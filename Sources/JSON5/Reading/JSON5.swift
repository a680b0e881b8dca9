// Decodes JSON5 files; errors name the position and the allowed values.

import MullionSystem

/// Decodes configuration files.
package enum JSON5 {
    /// The folder of the file being decoded, in a decoder's `userInfo`: other files are named relative to it.
    package static let folder = CodingUserInfoKey(rawValue: "folder")
    /// The most bytes of a file.
    package static let mostBytes = 16 << 20

    package static func decode<T: Decodable>(_ type: T.Type, fromFile path: String) throws(JSON5Error) -> T {
        let bytes: [UInt8]
        do {
            bytes = try NamedFile.contents(of: path, atMost: mostBytes)
        } catch {
            throw JSON5Error(description: "\(path): cannot be read: \(error)")
        }
        return try decode(type, from: bytes, file: path)
    }

    package static func decode<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], file: String
    ) throws(JSON5Error) -> T {
        var userInfo: [CodingUserInfoKey: Any] = [:]
        if let folder { userInfo[folder] = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "" }
        do throws(JSON5Mistake) {
            return try JSON5Document(bytes).decode(type, userInfo: userInfo)
        } catch {
            throw JSON5Error(description: "\(file):\(error.line):\(error.column): \(error.text)")
        }
    }

    /// Throws for unknown keys; call it first in `init(from:)`.
    package static func refuseUnknownKeys<K: CodingKey & CaseIterable>(_ decoder: any Decoder, _ known: K.Type) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let names = Set(K.allCases.map(\.stringValue))
        guard let unknown = container.allKeys.map(\.stringValue).first(where: { !names.contains($0) }) else { return }
        throw unknownKey(unknown, among: names, decoder.codingPath)
    }

    /// The error for a key that an object does not have; its path is that of the object.
    /// - Parameter owner: the object's kind, if that determines the keys.
    package static func unknownKey(
        _ name: String, among known: some Sequence<String>, of owner: String? = nil, _ codingPath: [any CodingKey]
    ) -> DecodingError {
        let known = known.sorted()
        let list = known.joined(separator: ", ")
        let allowed = known.isEmpty ? "none is allowed" : owner.map { "\($0) takes \(list)" } ?? "use one of \(list)"
        return .dataCorrupted(
            .init(
                codingPath: codingPath, debugDescription: "unknown key \"\(name)\"; \(allowed)",
                underlyingError: Part.unknown(name, among: known)))
    }

    /// The error for a member that its object refuses; the other members have a meaning without it.
    package static func refusal(_ key: some CodingKey, _ message: String, _ codingPath: [any CodingKey])
        -> DecodingError
    {
        .dataCorrupted(
            .init(codingPath: codingPath + [key], debugDescription: message, underlyingError: Part.member))
    }

    /// The error for an object that has none of the members of which it needs one. It is no mistake of its own where the
    /// object has unknown keys, which are reported.
    package static func emptiness(_ message: String, _ codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message, underlyingError: Part.nothing))
    }

    /// Gives the errors of a value's type a place: the end of this path.
    package static func locating<T>(
        _ codingPath: @autoclosure () -> [any CodingKey], _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error where error is DecodingError || error is JSON5Trace {
            throw error
        } catch {
            throw Refusal(error: error, codingPath: codingPath())
        }
    }

    /// An error that is no `DecodingError`, and the path to its value.
    struct Refusal: Error, CustomStringConvertible {
        let error: any Error
        let codingPath: [any CodingKey]
        var description: String { "\(error)" }
    }

    /// The part of an object that is mistaken: a marker of decoding errors.
    enum Part: Error {
        /// The last key of the path.
        case member
        case unknown(String, among: [String])
        /// Nothing of it: there is no member that means anything.
        case nothing
    }

    package struct AnyKey: CodingKey {
        package let stringValue: String
        package let intValue: Int?
        package init?(stringValue: String) { self.init(name: stringValue) }
        package init?(intValue: Int) { self.init(index: intValue) }
        package init(index: Int) {
            stringValue = "\(index)"
            intValue = index
        }
        private init(name: String) {
            stringValue = name
            intValue = nil
        }
        init(_ key: JSON5Mistake.Key) {
            switch key {
            case .member(let name): self.init(name: name)
            case .element(let index): self.init(index: index)
            }
        }
    }

    /// The description of a decoding error, after the path to the value.
    package static func explain(_ error: DecodingError) -> String {
        let (context, message) = error.parts
        return JSON5Mistake.text(context.codingPath.map(JSON5Mistake.Key.init), message)
    }
}

/// The file, the position, the error and, if known, what is allowed.
package struct JSON5Error: Error, CustomStringConvertible, Equatable {
    package let description: String

    package init(description: String) { self.description = description }
}
