// Bytes to which JSON is appended.

/// A buffer that grows at its end. Text is escaped and numbers are formatted as Foundation's `JSONEncoder` does it.
@safe struct JSONBytes: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity = 1024
    private(set) var count = 0

    init() { unsafe memory = .allocate(capacity: capacity) }

    deinit { unsafe memory.deallocate() }

    /// A copy of everything.
    var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: memory, count: count)) }

    // MARK: Bytes

    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe memory[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (memory + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never) private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Replaces everything from `start` by parts of it in another order, with commas in between.
    mutating func rearrange<Part>(from start: Int, _ parts: ArraySlice<Part>, _ range: (Part) -> Range<Int>) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count - start) { copy in
            guard let first = copy.baseAddress else { return }
            var end = 0
            for part in parts {
                let range = range(part)
                precondition(range.lowerBound >= start && range.upperBound <= count)
                precondition(end + min(end, 1) + range.count <= copy.count)
                if end > 0 {
                    unsafe first[end] = UInt8(ascii: ",")
                    end += 1
                }
                unsafe (first + end).update(from: memory + range.lowerBound, count: range.count)
                end += range.count
            }
            unsafe (memory + start).update(from: first, count: end)
            count = start + end
        }
    }

    // MARK: Text

    mutating func append(text: String) {
        var text = text
        append(UInt8(ascii: "\""))
        text.withUTF8 { unsafe append(escaping: $0) }
        append(UInt8(ascii: "\""))
    }

    /// Appends a key and a colon.
    /// - Returns: the first eight bytes of the key, for comparisons.
    mutating func append(key: String) -> UInt64 {
        var key = key
        append(UInt8(ascii: "\""))
        let order = key.withUTF8 { key in
            unsafe append(escaping: key)
            var order: UInt64 = 0
            for position in 0..<min(key.count, 8) { unsafe order |= UInt64(key[position]) << UInt64(56 - 8 * position) }
            return order
        }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        return order
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        reserve(text.count)
        for position in 0..<text.count {
            let byte = unsafe text[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                append(escape: byte)
                reserve(text.count - position)
            } else {
                unsafe memory[count] = byte
                count += 1
            }
        }
    }

    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 8: append(UInt8(ascii: "b"))
        case 9: append(UInt8(ascii: "t"))
        case 10: append(UInt8(ascii: "n"))
        case 12: append(UInt8(ascii: "f"))
        case 13: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            append("u00")
            append(UInt8(ascii: "0") + byte >> 4)
            append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
        }
    }

    // MARK: Numbers

    mutating func append(number: some FixedWidthInteger) {
        guard number.bitWidth <= 64 else { return append(word: number.description) }
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digits: UInt64(number.magnitude))
    }

    private mutating func append(digits number: UInt64) {
        // As many digits as the largest number has.
        reserve(20)
        var size = 1
        var limit: UInt64 = 10
        while number >= limit {
            size += 1
            let (next, isTooLarge) = limit.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { break }
            limit = next
        }
        var rest = number
        for position in (count..<count + size).reversed() {
            unsafe memory[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += size
    }

    /// The shortest digits that stand for the number, without ".0"; a text if it is not finite.
    mutating func append(number: some BinaryFloatingPoint & CustomStringConvertible) {
        guard number.isFinite else {
            return append(number.isNaN ? "\"nan\"" : number < 0 ? "\"-infinity\"" : "\"infinity\"")
        }
        if number.magnitude < 0x1p24 {
            let whole = Int32(number)
            if number == .init(whole), whole != 0 || number.sign == .plus { return append(number: whole) }
        }
        append(word: number.description)
        if unsafe memory[count - 2] == UInt8(ascii: "."), unsafe memory[count - 1] == UInt8(ascii: "0") { count -= 2 }
    }

    private mutating func append(word: String) {
        var word = word
        word.withUTF8 { unsafe append($0) }
    }
}
