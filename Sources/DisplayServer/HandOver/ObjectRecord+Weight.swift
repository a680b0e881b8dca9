// How long the words for an object are.

import Compositor
import Keymaps

extension ObjectRecord.State {
    /// About how many bytes; what the model says of it counts too. What a client can have much of is counted, and
    /// nothing else.
    var weight: Int { Self.ofEach + details }

    /// Numbers and names of an object, or of a change that waits.
    private static let ofEach = 200
    private var details: Int {
        switch self {
        case .region(let rectangles): rectangles.weight
        case .surface(let record):
            // The model has the input region as well.
            (record.opaque?.weight ?? 0) + 3 * (record.input?.weight ?? 0) + record.pendingWeight
        case .window(let record): record.pending.count * Self.ofEach / 2 + (record.pendingTitle?.utf8.count ?? 0) * 2
        case .toplevel(let record): record.title.utf8.count * 2 + record.applicationID.utf8.count
        case .dataSource(let record): record.types.reduce(0) { $0 + $1.utf8.count }
        case .primarySource(let types): types.reduce(0) { $0 + $1.utf8.count }
        case .events(let record): record.types.count * Self.ofEach / 2
        case .input(_, let record): record.weight
        default: 0
        }
    }
}

extension [IntRect] {
    fileprivate var weight: Int { count * 60 }
}

extension SurfaceResource.Record {
    fileprivate var pendingWeight: Int {
        frameCallbacks.count * 8 + [pending, cached].reduce(0) { $0 + ($1?.weight ?? 0) }
    }
}

extension SurfaceState.Record {
    fileprivate var weight: Int {
        let regions = [opaque, input] + constraints.map(\.region)
        return 400 + regions.reduce(0) { $0 + $1.weight } + frameCallbacks.count * 8 + children.count * 60
    }
}

extension SurfaceState.Record.Region {
    fileprivate var weight: Int {
        if case .region(let rectangles) = self { rectangles.weight } else { 0 }
    }
}

extension InputRecord {
    fileprivate var weight: Int {
        switch self {
        case .virtualKeyboard(let keymap, _, _): (keymap?.utf8.count ?? 0) + KeySet.count / 4
        case .constraint(let record): record.region?.weight ?? 0
        case .textInput(let record):
            [record.state, record.pending].reduce(0) { $0 + ($1.surrounding?.text.utf8.count ?? 0) }
        default: 0
        }
    }
}
