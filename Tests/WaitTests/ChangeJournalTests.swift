// What has changed while waits are open.

import Testing

@testable import ControlAPI

@Suite struct ChangeJournalTests {
    private func rest(_ journal: ChangeJournal<Int>, after place: inout UInt64) -> [Int] {
        var rest: [Int] = []
        while let next = journal.next(after: &place) { rest.append(next) }
        return rest
    }

    @Test("every reader receives each object once, in the order of its latest change")
    func order() {
        var journal = ChangeJournal<Int>()
        var (early, late): (UInt64, UInt64) = (0, 0)
        for id in [1, 2, 1, 3] { journal.note(id) }
        #expect(rest(journal, after: &early) == [2, 1, 3] && early == journal.end)
        journal.note(2)
        #expect(rest(journal, after: &early) == [2] && rest(journal, after: &late) == [1, 3, 2])
        #expect(journal.next(after: &late) == nil)
    }

    @Test("it stays as small as the number of objects, and is empty once all have read it")
    func size() {
        var journal = ChangeJournal<Int>()
        var place: UInt64 = 0
        for number in 0..<10_000 { journal.note(number % 10) }
        #expect(journal.count <= 84)
        #expect(journal.next(after: &place) == 0)
        journal.forget(through: place)
        #expect(rest(journal, after: &place) == Array(1...9))
        journal.forget(through: place)
        #expect(journal.count == 0)
        journal.note(5)
        #expect(rest(journal, after: &place) == [5])
    }
}
