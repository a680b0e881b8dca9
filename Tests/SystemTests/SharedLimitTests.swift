// Limits that all users share, with a share of each and a reserve.

import Glibc
import MullionSystem
import Testing

@Suite struct SharedLimitTests {
    @Test("by default a user has a quarter, and an eighth is reserved for the server's own user and root")
    func bounds() {
        let limit: SharedLimit = 4096
        #expect(limit.bounds(for: 7) == (own: 1024, all: 3584) && limit.bounds(for: nil) == (own: 1024, all: 3584))
        for owner in [0, geteuid()] { #expect(limit.bounds(for: owner) == (own: 4096, all: 4096)) }
        var own = SharedLimit(4, share: 2)
        #expect(own.bounds(for: 7) == (own: 2, all: 3))
        own.trustsOwner = false
        #expect(own.bounds(for: 0) == (own: 2, all: 3))
        // With only one, there is nothing to reserve.
        #expect(SharedLimit(1).bounds(for: 7) == (own: 1, all: 1))
        #expect(SharedLimit(2).bounds(for: 7) == (own: 1, all: 1))
        own.share = 100
        #expect(own.share == 4)
    }

    @Test("a refusal names the limit, and the share or the reserve")
    func reasons() {
        let limit: SharedLimit = 16
        func refusal(_ user: UInt32?, _ own: Int, _ all: Int) -> String? {
            limit.refusal("connections", for: user, own: own, all: all)
        }
        #expect(refusal(7, 3, 13) == nil)
        #expect(refusal(7, 4, 4) == "limit reached: a user has at most 4 connections")
        let reserved =
            "limit reached: 14 connections of all users; the other 2 are reserved for the server's own user and root"
        #expect(refusal(7, 3, 14) == reserved && refusal(nil, 0, 14) == reserved)
        #expect(refusal(0, 15, 15) == nil && refusal(0, 0, 16) == "limit reached: 16 connections")
    }

    @Test("whatever 10,000 random steps of many users take, none exceeds its share, and the owner gets the reserve")
    func random() {
        var random = SystemRandomNumberGenerator()
        for total in [1, 2, 3, 5, 64, 4096] {
            let limit = SharedLimit(total)
            var held: [UInt32: Int] = [:]
            var all: Int { held.values.reduce(0, +) }
            func has(_ user: UInt32) -> Int { held[user] ?? 0 }
            for _ in 0..<10_000 / 6 {
                let user = UInt32.random(in: 1000...1012, using: &random)
                let count = Int.random(in: 1...max(1, total / 9), using: &random)
                if Bool.random(using: &random), has(user) > 0 { held[user] = has(user) - 1 }
                guard limit.refusal("things", adding: count, for: user, own: has(user), all: all) == nil else {
                    continue
                }
                held[user] = has(user) + count
                #expect(has(user) <= limit.share && all <= total - limit.reserve)
                #expect(total == 1 || limit.refusal("things", for: 0, own: 0, all: all) == nil)
            }
        }
    }

    @Test("what is too much together ends with the largest of the user who has the most, and not with the owner's")
    func excess() {
        let items: [(user: UInt32?, size: Int)] = [(7, 30), (8, 20), (8, 15), (0, 900), (nil, 1), (9, 0)]
        let limit: SharedLimit = 100
        func ended(_ surplus: Int, _ items: [(user: UInt32?, size: Int)], more: [UInt32: Int] = [:]) -> [Int] {
            limit.excess(
                surplus, of: items, user: { $0.user }, size: { $0.size }, more: { $0.flatMap { more[$0] } ?? 0 }
            ).map(\.size)
        }
        #expect(ended(0, items) == [] && ended(-1, items) == [] && ended(1, []) == [])
        #expect(ended(20, items) == [20])
        // After that the other has the most.
        #expect(ended(21, items) == [20, 30])
        #expect(ended(1000, items) == [20, 30, 15, 1, 900])
        #expect(ended(1, [(0, 5), (0, 7)]) == [7] && ended(1, [(0, 9), (5, 1)]) == [1])
        // What a user has besides counts, but cannot end.
        #expect(ended(20, items, more: [7: 6]) == [30] && ended(31, items, more: [7: 6, 0: 99]) == [30, 20])
    }
}
