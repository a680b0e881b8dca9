// W3: what a family of windows costs, counted: new places in an order, and changes of what is under a pointer.

import MullionGeometry
import Testing

@testable import WindowModel

@Suite struct FamilyCostTests {
    enum Shape: CaseIterable { case chain, star }

    /// A family of the maximum size among other windows.
    private func family(_ shape: Shape, others: Int, _ fixture: ModelFixture) throws -> [Window.ID] {
        for _ in 0...others { _ = try fixture.shown(of: fixture.other) }
        let windows = try (0..<WindowModel.maximumFamily).map { _ in try fixture.shown() }
        for index in 1..<windows.count {
            try fixture.model.setParent(shape == .chain ? windows[index - 1] : windows[0], of: windows[index])
        }
        for _ in 0..<others { _ = try fixture.shown(of: fixture.other) }
        return windows
    }

    /// How many places in an order a change gives out, and how often it has what is under a pointer looked up again.
    private func cost(_ model: WindowModel, _ change: () throws -> Void) rethrows -> (places: UInt64, changes: UInt64) {
        let (places, changes) = (model.counts.entries, model.structureVersion)
        try change()
        return (model.counts.entries - places, model.structureVersion - changes)
    }

    @Test("W3: each window of a family gets one new place, however many others there are", arguments: Shape.allCases)
    func front(_ shape: Shape) throws {
        let most = UInt64(WindowModel.maximumFamily)
        for others in [0, 500] {
            let fixture = try ModelFixture()
            let model = fixture.model
            let windows = try family(shape, others: others, fixture)
            let wall = try model.connect(ModelFixture.wall)
            let other = try #require(model.windows.first)
            for id in [windows[0], windows[31], windows[63]] {
                try model.bringToFront(other)
                let raised = try cost(model) { try model.bringToFront(id) }
                #expect(raised.places == most && raised.changes <= 2 * most, "\(raised)")
            }
            try model.bringToFront(other)
            let lifted = try cost(model) { try model.setLevel(1000, of: windows[0]) }
            #expect(lifted.places == most && lifted.changes <= 2 * most, "\(lifted)")
            try model.bringToFront(other)
            let moved = try cost(model) { try model.move(windows[0], to: wall) }
            #expect(moved.places == most && moved.changes <= 8 * most, "\(moved)")
            #expect(Set(model.windows(on: wall)) == Set(windows))
            #expect(model.checkInvariants() == [])
        }
    }

    @Test("W3: a window that gets a parent, or loses it, has only its own descendants change places")
    func parents() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let windows = try family(.star, others: 500, fixture)
        #expect(try cost(model) { try model.setParent(nil, of: windows[40]) } == (0, 0))
        #expect(try cost(model) { try model.setParent(windows[3], of: windows[40]) } == (0, 0), "it is in front")
        let alone = try cost(model) { try model.setParent(windows[40], of: windows[20]) }
        #expect(alone.places == 1 && alone.changes <= 2, "\(alone)")
        let withChild = try cost(model) { try model.setParent(windows[50], of: windows[40]) }
        #expect(withChild.places == 2 && withChild.changes <= 4, "\(withChild)")
    }

    @Test("W3, W7: the windows of a family that ends one by one keep their places", arguments: Shape.allCases)
    func ends(_ shape: Shape) throws {
        let most = UInt64(WindowModel.maximumFamily)
        let fixture = try ModelFixture()
        let model = fixture.model
        let windows = try family(shape, others: 100, fixture)
        let destroyed = try cost(model) { for id in windows[..<32] { try model.destroyWindow(id) } }
        #expect(destroyed.places == 0 && destroyed.changes <= 4 * most, "\(destroyed)")
        let ended = try cost(model) { try model.removeApplication(fixture.app) }
        #expect(ended.places == 0 && ended.changes <= 4 * most, "\(ended)")
        #expect(model.checkInvariants() == [])
    }
}
