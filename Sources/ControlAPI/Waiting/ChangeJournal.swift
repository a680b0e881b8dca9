// Changes while waits are open.

import WindowModel

/// Objects in the order of their latest changes. Every reader has a place of its own in it, so that noting a change costs
/// the same however many readers there are.
struct ChangeJournal<ID: Hashable> {
    private var entries: [(number: UInt64, id: ID)] = []
    /// The number of each object's latest entry. Earlier ones are skipped.
    private var latest: [ID: UInt64] = [:]
    /// The number of the last entry: the place of a reader that knows everything.
    private(set) var end: UInt64 = 0

    mutating func note(_ id: ID) {
        end += 1
        entries.append((end, id))
        latest[id] = end
        if entries.count > 2 * latest.count + 64 { entries.removeAll { latest[$0.id] != $0.number } }
    }

    /// The next object that has changed after a place, which moves on; nil at the end.
    func next(after place: inout UInt64) -> ID? {
        guard place < end else { return nil }
        var index = firstIndex(after: place)
        while index < entries.count {
            let (number, id) = entries[index]
            if latest[id] == number {
                place = number
                return id
            }
            index += 1
        }
        place = end
        return nil
    }

    /// Whether an object has changed after a place.
    func hasChange(of id: ID, after place: UInt64) -> Bool { latest[id].map { $0 > place } ?? false }

    /// Drops what all readers have read.
    mutating func forget(through place: UInt64) {
        let count = firstIndex(after: place)
        guard count > 0 else { return }
        for (number, id) in entries[..<count] where latest[id] == number { latest[id] = nil }
        entries.removeFirst(count)
    }

    /// How many entries are kept.
    var count: Int { entries.count }

    private func firstIndex(after place: UInt64) -> Int {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if entries[middle].number <= place {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

/// What may change whether conditions hold.
struct ConditionChanges {
    private(set) var windows = ChangeJournal<Window.ID>()
    /// Those that came, went or changed their names.
    private(set) var applications = ChangeJournal<Application.ID>()
    /// How often screens came or went.
    private(set) var screens: UInt64 = 0

    /// Grows with every change.
    var count: UInt64 { windows.end + applications.end + screens }

    mutating func note(_ effect: Effect) {
        switch effect {
        // Who waits for a name looks for its windows: there can be many, and a program can change its name often.
        case .applicationDidConnect(let id), .applicationDidDisconnect(let id), .applicationNameDidChange(let id):
            applications.note(id)
        case .windowDidOpen(let id, _), .windowDidClose(let id, _), .windowDidChange(let id, _, .applicationID),
            .didBecomeVisible(let id, _), .didBecomeHidden(let id, _), .didBecomeKey(let id, _, _),
            .didResignKey(let id, _, _), .screenDidChange(let id, _, _), .windowDidChange(let id, _, .title),
            .windowDidChange(let id, _, .hidden):
            windows.note(id)
        case .screenDidConnect, .screenDidDisconnect, .mainScreenDidChange: screens += 1
        default: break
        }
    }

    /// Drops what all readers have read.
    mutating func forget(windows place: UInt64?, applications other: UInt64?) {
        windows.forget(through: place ?? windows.end)
        applications.forget(through: other ?? applications.end)
    }
}
