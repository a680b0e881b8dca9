// An X server that has almost what it may have, because of one of its programs.

import MullionWayland

extension X11ServerResource {
    typealias Amount = MullionX11ServerV1.Resource

    /// The share of the limits of one client at which the manager is asked to end a program.
    static let firstCrowding = 0.75

    /// Called when the X server was served, and when it has another window. The manager is asked again when the share has
    /// grown, and once it was small.
    func checkCrowding() {
        guard version >= 2, let managed else { return }
        let (share, amount, limit) = managed.largestShare
        if share < Self.firstCrowding / 2 { nextCrowding = Self.firstCrowding }
        guard share >= nextCrowding else { return }
        nextCrowding = share + 0.05
        send(MullionX11ServerV1.Event.crowded(resource: amount, limit: UInt32(clamping: limit)))
    }
}

extension Client {
    /// For an X server, what it gets instead of memory that it may not have: an error would end all its programs.
    var blankMemory: SharedMemory? { x11Server == nil ? nil : server.pools.blank }

    /// What the client has most of, as a share of one client's limit, and that limit in the unit of the protocol.
    var largestShare: (share: Double, amount: X11ServerResource.Amount, limit: Int) {
        let limits = server.limits
        var largest = (share: 0.0, amount: X11ServerResource.Amount.windows, limit: 0)
        func compare(_ count: Int, _ limit: Int, _ amount: X11ServerResource.Amount, unit: Int = 1, isTold: Bool = true)
        {
            let share = Double(count) / Double(max(1, limit))
            if share > largest.share { largest = (share, amount, isTold ? max(1, limit / unit) : 0) }
        }
        compare(server.model.windowCount(of: application), min(limits.windows, permissions.windows), .windows)
        compare(pools.pools, limits.pools, .buffers)
        compare(account.pools.pools, limits.allPools.bounds(for: credentials.trustedUser).own, .buffers)
        compare(pools.bytes, limits.allPoolBytes, .memory, unit: 1 << 20)
        compare(account.pixels, permissions.pixels, .memory, unit: 1 << 18)
        compare(surfaceCount, limits.surfaces, .buffers)
        compare(objectCount, limits.objects, .buffers, isTold: false)
        compare(regionCount, limits.regions, .buffers, isTold: false)
        compare(countedMemory, limits.clientBytes, .buffers, isTold: false)
        return largest
    }
}
