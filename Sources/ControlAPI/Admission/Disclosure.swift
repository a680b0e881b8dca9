// What the sender of a request may read of other programs.

import DisplayServer
import WindowModel

/// What an answer may say about programs and their windows. A route that does not need the right to view makes each name,
/// title and place of its answers, and of its refusals, with this value: without that right, only ids are left.
struct Disclosure: Sendable {
    private let rights: Rights

    /// For readers whose routes need the right to view.
    static let all = Disclosure(.all)

    init(_ rights: Rights) { self.rights = rights }

    /// Whether more than the ids of windows and applications may be read.
    var includesWindows: Bool { rights.contains(.view) }

    /// Whether the pixels that a program shows may be read.
    var includesPixels: Bool { rights.contains(.capture) }

    /// Something that describes a window or an application; nil without the right.
    func ofWindows<Value>(_ value: @autoclosure () -> Value) -> Value? { includesWindows ? value() : nil }

    /// What programs have not finished; without the right, only how much it is.
    func sentence(about unfinished: [Unfinished]) -> String {
        guard includesWindows else {
            let reasons = unfinished.count == 1 ? "reason" : "reasons"
            return "\(unfinished.count) \(reasons), which only the right view lets you read"
        }
        return unfinished.map(\.description).joined(separator: "; ")
    }
}
