// Decodes documents, up to the first mistake or with all of them.

extension JSON5Document {
    /// Decodes the value at the end of a path.
    /// - Throws: its first mistake.
    package func decode<T: Decodable>(
        _ type: T.Type, at keys: [JSON5Mistake.Key] = [], userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws(JSON5Mistake) -> T {
        let root = find(keys).value
        do {
            return try JSON5Value(reading: JSON5Reading(self, userInfo), index: root).decode(type)
        } catch {
            throw Fault(error, in: self, root: root).mistake
        }
    }

    /// How many nodes are decoded again and again for the mistakes of a value: a large one has fewer tries.
    private static let maximumWork = 200_000

    /// Decodes the value at the end of a path, and finds all its mistakes: after each one, the value is decoded again
    /// with something else in place of what is mistaken, or without it.
    /// - Parameters:
    ///   - mistakes: its mistakes are added, in order of discovery.
    ///   - limit: no more are looked for when there are this many.
    /// - Returns: nil when there are mistakes.
    package func decode<T: Decodable>(
        _ type: T.Type, at keys: [JSON5Mistake.Key] = [], mistakes: inout [JSON5Mistake], limit: Int
    ) -> T? {
        decode(type, root: find(keys).value, mistakes: &mistakes, limit: limit)
    }

    /// The same for each element of a list; nothing if there is none.
    package func decodeElements<T: Decodable>(
        _ type: T.Type, at keys: [JSON5Mistake.Key], mistakes: inout [JSON5Mistake], limit: Int
    ) -> [T?] {
        let list = find(keys).value
        guard nodes[list].kind == .list else { return [] }
        return parts(of: list).map { decode(type, root: $0, mistakes: &mistakes, limit: limit) }
    }

    private func decode<T: Decodable>(
        _ type: T.Type, root: Int, mistakes: inout [JSON5Mistake], limit: Int
    ) -> T? {
        let reading = JSON5Reading(self, [:])
        let count = mistakes.count
        let size = Int(nodes[root].next) - root
        var budget = max(size, Self.maximumWork)
        // The objects that lack a part which they need; what their types say about that is no mistake.
        var reduced: Set<Int> = []
        // The objects that have unknown keys; without them, they may be empty.
        var emptied: Set<Int> = []
        while mistakes.count < limit, budget >= size {
            budget -= size
            do {
                let value = try JSON5Value(reading: reading, index: root).decode(type)
                return mistakes.count == count ? value : nil
            } catch {
                let fault = Fault(error, in: self, root: root)
                let isKnown =
                    reading.excused.contains(fault.value) || fault.isOfEmptiness && emptied.contains(fault.value)
                if !isKnown, fault.isOfPart || !reduced.contains(fault.value) || isMissing(fault, reading) {
                    mistakes.append(fault.mistake)
                }
                if !fault.isOfPart { reduced.insert(find(self.keys(to: fault.value).dropLast()).value) }
                if fault.isOfKind, !isKnown {
                    reading.excused.insert(fault.value)
                    continue
                }
                guard fault.isOfPart || fault.value != root else { return nil }
                let part = find(fault.isOfPart ? fault.mistake.keys : self.keys(to: fault.value)).part
                guard reading.skipped.insert(part).inserted else { return nil }
                guard fault.isOfPart else { continue }
                if fault.mistake.isAboutKey { emptied.insert(fault.value) } else { reduced.insert(fault.value) }
            }
        }
        return nil
    }

    /// Whether the fault is that a key is missing which was never there.
    private func isMissing(_ fault: Fault, _ reading: JSON5Reading) -> Bool {
        guard let name = fault.missing else { return false }
        return key(name, in: fault.value) == nil
    }

    /// An error that was thrown while a value was decoded.
    private struct Fault {
        let mistake: JSON5Mistake
        /// The innermost value that was being decoded.
        let value: Int
        /// Whether the mistake is only that of a part of the value, whose other parts have a meaning without it.
        var isOfPart = false
        /// Whether the value is of another kind than its type expects.
        var isOfKind = false
        /// Whether the value has none of the parts of which it needs one.
        var isOfEmptiness = false
        /// The missing key.
        var missing: String?

        init(_ error: any Error, in document: JSON5Document, root: Int) {
            let trace = error as? JSON5Trace
            value = trace?.value ?? root
            let cause = trace?.error ?? error
            if let refusal = cause as? JSON5.Refusal {
                let keys = refusal.codingPath.map(JSON5Mistake.Key.init)
                let message = document.misfit(document.find(keys).value) ?? "\(refusal)"
                mistake = document.mistake(at: keys, message, cause: refusal.error)
                return
            }
            guard let error = cause as? DecodingError else {
                mistake = document.mistake(at: document.keys(to: value), "\(cause)", cause: cause)
                return
            }
            let (context, text) = error.parts
            var keys = context.codingPath.map(JSON5Mistake.Key.init)
            // Types that may be something else than a number say what they expect.
            let misfit = document.misfit(document.find(keys).value)
            var kind = error.kind
            var allowed: [String]?
            switch context.underlyingError as? JSON5.Part {
            case .member: isOfPart = true
            case .unknown(let name, let known):
                isOfPart = true
                (kind, allowed) = (.unknownKey, known)
                keys.append(.member(name))
            case .nothing: isOfEmptiness = true
            case nil: break
            }
            if case .typeMismatch = error { isOfKind = true }
            if case .keyNotFound(let key, _) = error { missing = key.stringValue }
            var mistake = document.mistake(at: keys, misfit ?? text)
            (mistake.kind, mistake.allowed) = (misfit == nil ? kind : .wrongType, allowed)
            self.mistake = mistake
        }
    }
}

extension JSON5Mistake.Key {
    init(_ key: any CodingKey) { self = key.intValue.map { .element($0) } ?? .member(key.stringValue) }
}

extension DecodingError {
    /// What is wrong, as far as the error itself tells.
    package var kind: JSON5Mistake.Kind {
        switch self {
        case .keyNotFound: .missingKey
        case .typeMismatch, .valueNotFound: .wrongType
        default: .other
        }
    }

    /// The context, and what is wrong.
    var parts: (Context, String) {
        switch self {
        case .keyNotFound(let key, let context): (context, "the key \"\(key.stringValue)\" is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (context, context.debugDescription)
        @unknown default: (Context(codingPath: [], debugDescription: ""), "\(self)")
        }
    }
}
