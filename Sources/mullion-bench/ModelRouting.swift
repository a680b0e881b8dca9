// Measures routing an event among many windows, in this process.

enum ModelRouting {
    static func measure() throws -> [Row] {
        let crowds = try [10_000, 10].map { try Crowd($0) }
        return try [
            ("hit-test that only the rearmost takes", { (crowd: Crowd) in try crowd.hitRearmost() }),
            ("a touch begins, moves and ends", { (crowd: Crowd) in try crowd.touch(explain: false) }),
            ("a touch begins, moves and ends, explained", { (crowd: Crowd) in try crowd.touch(explain: true) }),
        ].map { what, step in
            let samples = try interleaved(50, crowds.map { crowd in { try timed(20) { try step(crowd) } } })
            return Row(
                "\(what), 10,000 windows", samples[0], "µs", scale: 1e6, per: "10 windows", samples[1])
        }
    }
}
