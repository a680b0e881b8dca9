// Responses of HTTP/1.1, read piece by piece.

/// Why a response cannot be understood, as a phrase.
package struct MalformedResponse: Error, Equatable {
    package let reason: String
}

/// Reads a response as it arrives, in pieces of any size (RFC 9112).
package struct ResponseReader {
    /// The most bytes that the status line and the header fields may have together; the same for the lines between chunks.
    package static let maximumText = 1 << 16

    /// The status of the response; nil until its header fields have arrived.
    package private(set) var status: Int?
    package var isComplete: Bool { part == .end }

    private enum Part {
        case statusLine
        case fields
        /// A body with a Content-Length.
        case body
        /// A body that ends with the connection.
        case rest
        case chunkSize
        case chunk
        case chunkEnd
        case trailers
        case end
    }
    private var part = Part.statusLine
    /// The number in the status line.
    private var number = 0
    /// How many bytes of the body or the chunk are missing.
    private var missing = 0
    private var hasLength = false
    private var isChunked = false
    /// The beginning of a line.
    private var line: [UInt8] = []
    /// How many bytes of lines have arrived since the last of the body.
    private var textLength = 0

    package init() {}

    /// Parses received bytes and passes on those of the body.
    /// - Parameter body: takes the status and a piece of the body; returns false to stop reading.
    /// - Returns: false when `body` has returned it.
    /// - Throws: when this is no response of HTTP/1.1, or when something follows its end.
    package mutating func take(
        _ bytes: ArraySlice<UInt8>, body: (_ status: Int, _ piece: ArraySlice<UInt8>) -> Bool
    ) throws(MalformedResponse) -> Bool {
        var bytes = bytes
        while !bytes.isEmpty {
            switch part {
            case .body, .chunk:
                let piece = bytes.prefix(missing)
                bytes = bytes.dropFirst(piece.count)
                missing -= piece.count
                textLength = 0
                if missing == 0 { part = part == .chunk ? .chunkEnd : .end }
                guard body(number, piece) else { return false }
            case .rest:
                guard body(number, bytes) else { return false }
                bytes = []
            case .end:
                throw MalformedResponse(reason: "\(bytes.count) bytes follow the end")
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers:
                let end = bytes.firstIndex(of: 10)
                line += bytes[..<(end ?? bytes.endIndex)]
                textLength += end.map { $0 + 1 - bytes.startIndex } ?? bytes.count
                guard textLength <= Self.maximumText else { throw MalformedResponse(reason: "a line is too long") }
                bytes = end.map { bytes[($0 + 1)...] } ?? []
                guard end != nil else { break }
                if line.last == 13 { line.removeLast() }
                let text = String(decoding: line, as: UTF8.self)
                line.removeAll(keepingCapacity: true)
                try read(text)
            }
        }
        return true
    }

    /// Called when the connection is closed: a body of unknown length ends with it.
    package mutating func close() {
        if part == .rest { part = .end }
    }

    private mutating func read(_ text: String) throws(MalformedResponse) {
        switch part {
        case .statusLine:
            let words = text.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let number = Int(words[1]),
                (100...599).contains(number)
            else { throw MalformedResponse(reason: "it begins with \"\(text.prefix(40))\"") }
            self.number = number
            part = .fields
        case .fields where text.isEmpty:
            try endFields()
        case .fields:
            guard let colon = text.utf8.firstIndex(of: 58) else {
                throw MalformedResponse(reason: "a header is \"\(text.prefix(40))\"")
            }
            let value = text[text.utf8.index(after: colon)...].trimmed
            switch text[..<colon].lowercased() {
            case "content-length":
                guard let length = Self.length(value, radix: 10), !hasLength || length == missing else {
                    throw MalformedResponse(reason: "its length is \"\(value.prefix(40))\"")
                }
                (missing, hasLength) = (length, true)
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else {
                    throw MalformedResponse(reason: "its encoding is \"\(value.prefix(40))\"")
                }
                isChunked = true
            default: break
            }
        case .chunkSize:
            let digits = text.prefix { $0 != ";" }.trimmed
            guard let size = Self.length(digits, radix: 16) else {
                throw MalformedResponse(reason: "a chunk's size is \"\(digits.prefix(40))\"")
            }
            missing = size
            part = size == 0 ? .trailers : .chunk
        case .chunkEnd:
            guard text.isEmpty else { throw MalformedResponse(reason: "a chunk is longer than its size") }
            part = .chunkSize
        case .trailers:
            if text.isEmpty { part = .end }
        case .body, .chunk, .rest, .end: break
        }
    }

    private mutating func endFields() throws(MalformedResponse) {
        guard number >= 200 else {
            // Another response follows.
            self = ResponseReader()
            return
        }
        status = number
        if number == 204 || number == 304 {
            part = .end
        } else if isChunked {
            // Which of two contradicting lengths a server means is a guess.
            guard !hasLength else { throw MalformedResponse(reason: "it has a length and chunks") }
            part = .chunkSize
        } else if hasLength {
            part = missing == 0 ? .end : .body
        } else {
            part = .rest
        }
    }

    /// A number of bytes, without a sign.
    private static func length(_ text: Substring, radix: Int) -> Int? {
        text.utf8.first.map { $0 != 43 && $0 != 45 } == true ? Int(text, radix: radix) : nil
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = self[...]
        rest = rest.drop(while: isBlank)
        while rest.last.map(isBlank) == true { rest.removeLast() }
        return rest
    }
}
