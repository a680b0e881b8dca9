// The order in which new windows are added.

import Testing
import X11

@Suite struct NewWindowTests {
    private typealias Windows = NewWindows<Int>
    private let storm: UInt32 = 0x20_0000
    private let other: UInt32 = 0x40_0000

    private func entry(_ id: UInt32) -> Windows.Entry { Windows.Entry(XWindowID(rawValue: id), isUnmanaged: false) }

    /// Windows of which as many are added at once as may be.
    private func windows(_ ids: ClosedRange<UInt32>) -> Windows {
        let windows = Windows()
        let added = ids.filter { windows.add(entry($0), of: storm) }
        #expect(added == Array(ids.prefix(Windows.mostAdded)))
        return windows
    }

    /// Adds all windows.
    /// - Returns: those that were added after the first ones, in order.
    private func rest(_ windows: Windows) -> [UInt32] {
        var added: [UInt32] = []
        while let next = windows.didAdd(of: storm) { added.append(next.window.rawValue) }
        for _ in 1..<Windows.mostAdded { #expect(windows.didAdd(of: storm) == nil) }
        return added
    }

    @Test("a program that shows ten thousand windows has a few of them added at a time, in order; others do not wait")
    func many() {
        let windows = windows(1...10_000)
        #expect(windows.add(entry(20_000), of: other))
        #expect(windows.didAdd(of: other) == nil)
        #expect(rest(windows) == Array(UInt32(Windows.mostAdded) + 1...10_000))
        #expect(windows.add(entry(1), of: storm))
    }

    @Test("windows that go before they are added are not added")
    func gone() {
        let windows = windows(1...20)
        windows.remove(XWindowID(rawValue: 12), of: storm)
        windows.remove(XWindowID(rawValue: 10), of: storm)
        // It comes back behind the others, once.
        for _ in 0..<2 { #expect(!windows.add(entry(10), of: storm)) }
        #expect(rest(windows) == [9, 11, 13, 14, 15, 16, 17, 18, 19, 20, 10])
    }

    @Test("the windows of a program that is ended are not added")
    func dropped() {
        let windows = windows(1...20)
        windows.removeAll(of: storm)
        #expect(rest(windows) == [])
        #expect(windows.add(entry(21), of: storm))
    }

    @Test("a window that comes and goes all the time is added once")
    func again() {
        let windows = windows(1...12)
        for _ in 0..<10_000 {
            windows.remove(XWindowID(rawValue: 10), of: storm)
            #expect(!windows.add(entry(10), of: storm))
        }
        #expect(rest(windows) == [9, 11, 12, 10])
    }

    @Test("the windows of a program that is held wait for its release, in order, and others do not")
    func held() {
        let windows = windows(1...20)
        windows.hold(storm)
        #expect(windows.add(entry(30), of: other))
        for _ in 0..<Windows.mostAdded { #expect(windows.didAdd(of: storm) == nil) }
        #expect(!windows.add(entry(21), of: storm))
        #expect(windows.release().map(\.window.rawValue) == Array(9...16))
        #expect(windows.release().isEmpty)
        #expect(rest(windows) == Array(17...21))
        // One that has none.
        windows.hold(storm)
        #expect(!windows.add(entry(1), of: storm))
        windows.removeAll(of: storm)
        #expect(windows.release().isEmpty)
        #expect(windows.add(entry(2), of: storm))
    }

    @Test("the surface of a window that waits is known when it is added")
    func surface() {
        let windows = windows(1...9)
        #expect(!windows.setSurface(5, of: XWindowID(rawValue: 1), of: storm))
        #expect(!windows.setSurface(5, of: XWindowID(rawValue: 9), of: other))
        #expect(windows.setSurface(5, of: XWindowID(rawValue: 9), of: storm))
        #expect(windows.didAdd(of: storm)?.surface == 5)
    }
}
