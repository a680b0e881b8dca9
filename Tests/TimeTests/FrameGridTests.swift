// The times of a screen's frames, without waiting for them.

import TestSupport
import Testing

@testable import DisplayServer

@Suite struct FrameGridTests {
    /// The times of the ticks for requests at given times, each made while no other waits.
    private func ticks(_ grid: inout FrameGrid, requests: [UInt64]) -> [UInt64] {
        requests.map { now in
            grid.resume(at: now)
            defer { grid.didTick() }
            return grid.deadline
        }
    }

    @Test("a request waits for the next tick, and one after a missed tick is served at once")
    func adaptive() {
        var grid = FrameGrid(isAdaptive: true, refresh: 50_000, now: 7)
        let start: UInt64 = 1_000_000
        let requests = [start, start + 100, start + 20_100]
        #expect(ticks(&grid, requests: requests) == [start, start + 20_000, start + 40_000])
        // A tick would have come 20,000 later: the grid ends.
        let late = start + 60_001
        #expect(ticks(&grid, requests: [late, late + 19_999, late + 40_000]) == [late, late + 20_000, late + 40_000])
    }

    @Test("whatever the requests, ticks are a period apart at least, come at most a period late, and count up")
    func distances() {
        var random = SeededRandom()
        for refresh: UInt64 in [1, 999, 24_000, 59_940, 60_000, 143_856, 1_000_000_000] {
            let period = Double(1_000_000_000) / Double(refresh)
            var grid = FrameGrid(isAdaptive: true, refresh: refresh, now: 0)
            var now: UInt64 = 5_000_000
            var last: (time: UInt64, sequence: UInt64)?
            for _ in 0..<1000 {
                grid.resume(at: now)
                let (time, sequence) = (grid.deadline, grid.firstFrame + grid.next)
                #expect(time >= now && Double(time - now) <= period + 1)
                if let last {
                    // Times are rounded to microseconds.
                    #expect(Double(time - last.time) > period - 1)
                    #expect(sequence > last.sequence)
                }
                last = (time, sequence)
                grid.didTick()
                now = time + UInt64(Double.random(in: 0...3, using: &random) * period)
            }
        }
    }

    @Test("what was requested before for a time that is a tick's is in time for it, and other requests are not")
    func timed() {
        for (now, isTimed, deadline) in [
            (50_000, true, 50_000), (50_000, false, 60_000), (50_001, true, 60_000), (10_000, true, 20_000),
        ] as [(UInt64, Bool, UInt64)] {
            var grid = FrameGrid(isAdaptive: false, refresh: 100_000, now: 0)
            // The first tick is over.
            grid.didTick()
            grid.resume(at: now, isTimed: isTimed)
            #expect(grid.deadline == deadline, "\(now), \(isTimed)")
        }
    }

    @Test("ticks of a rate that is no whole number of microseconds add up exactly")
    func exact() {
        var grid = FrameGrid(isAdaptive: true, refresh: 59_940, now: 0)
        grid.resume(at: 1_000_000)
        for _ in 0..<59_940 { grid.didTick() }
        #expect(grid.deadline == 1_001_000_000)
    }

    @Test("a tick that is late by a period or more starts a new grid, so that the next keeps its distance")
    func late() {
        for (late, next) in [(19_999, 20_000), (20_000, 40_000), (50_000, 70_000)] as [(UInt64, UInt64)] {
            var grid = FrameGrid(isAdaptive: true, refresh: 50_000, now: 0)
            grid.resume(at: 1_000_000)
            let before = grid.firstFrame + grid.next
            grid.willTick(at: 1_000_000 + late)
            #expect(grid.firstFrame + grid.next == before + late / 20_000)
            grid.didTick()
            #expect(grid.deadline == 1_000_000 + next)
        }
    }

    @Test("manual time keeps its grid")
    func manual() {
        var grid = FrameGrid(isAdaptive: false, refresh: 50_000, now: 1_000_000)
        #expect(ticks(&grid, requests: [1_000_000, 1_000_000, 1_090_000]) == [1_020_000, 1_040_000, 1_100_000])
    }

    @Test("a change of the rate restarts the grid, and frames are counted on")
    func rateChange() {
        var grid = FrameGrid(isAdaptive: true, refresh: 50_000, now: 0)
        _ = ticks(&grid, requests: [1_000_000, 1_010_000])
        let before = grid.firstFrame + grid.next
        grid.setRefresh(100_000, now: 1_030_000)
        #expect(grid.deadline == 1_040_000)
        #expect(grid.firstFrame + grid.next >= before)
    }
}
