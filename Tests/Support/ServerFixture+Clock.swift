// Settling and stepping in a test's own process.

import DisplayServer

extension ServerFixture {
    /// Waits until every client has settled, at most so many seconds; what is still open then.
    public func settle(seconds: Double = 20) throws -> [String] {
        var reasons: [String]?
        server.settler.settle(within: UInt64(seconds * 1e6)) { outcome in
            switch outcome {
            case .settled: reasons = []
            case .unsettled(let open): reasons = open
            }
        }
        try wait(for: "clients to settle", seconds: seconds + 20) { reasons != nil }
        return reasons ?? []
    }
}
