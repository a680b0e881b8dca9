// What D-Bus messages consist of.

/// A value in a message, without the size of its type: programs differ in that.
package enum BusValue: Equatable {
    case integer(Int64)
    case double(Double)
    case bool(Bool)
    /// Also an object's path.
    case string(String)
    /// An array or a structure.
    case list([BusValue])
    /// What trees of widgets do not consist of.
    case other

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }

    /// About how many bytes of memory it occupies.
    var size: Int {
        switch self {
        case .integer, .double, .bool, .other: 32
        case .string(let text): 32 + text.utf8.count
        case .list(let values): values.reduce(32) { $0 + $1.size }
        }
    }

    /// A whole number, or another one.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

/// The outcome of a call.
package enum BusReply: Equatable {
    /// The first value of the answer; that in a variant is the value itself.
    case answer(BusValue)
    /// The name of the error.
    case error(String)
    /// The program did not answer in time.
    case silence
    /// The program's answers are larger than its budget.
    case excess

    /// The answer; nil without one.
    package var value: BusValue? { if case .answer(let value) = self { value } else { nil } }
}
