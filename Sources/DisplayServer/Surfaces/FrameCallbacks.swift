// The wl_callbacks of a surface's frame requests.

import MullionWayland

/// Frame callbacks in the order of the requests. A single one, the usual case, needs no heap memory.
enum FrameCallbacks {
    case none
    case one(ObjectID)
    case several([ObjectID])

    init(_ all: [ObjectID]) { self = all.isEmpty ? .none : all.count == 1 ? .one(all[0]) : .several(all) }

    var isEmpty: Bool { if case .none = self { true } else { false } }

    var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .several(let all): all.count
        }
    }

    var all: [ObjectID] {
        switch self {
        case .none: []
        case .one(let callback): [callback]
        case .several(let all): all
        }
    }

    mutating func append(_ callback: ObjectID) {
        switch consume self {
        case .none: self = .one(callback)
        case .one(let first): self = .several([first, callback])
        case .several(var all):
            all.append(callback)
            self = .several(all)
        }
    }

    mutating func append(_ others: FrameCallbacks) {
        if isEmpty { self = others } else { others.forEach { append($0) } }
    }

    func forEach(_ body: (ObjectID) -> Void) {
        switch self {
        case .none: break
        case .one(let callback): body(callback)
        case .several(let all): for callback in all { body(callback) }
        }
    }
}
