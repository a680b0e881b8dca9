// The contents of a picture.

import Compositor
import MullionWayland
import WindowModel

/// What a view shows at one moment, collected for a picture in steps.
///
/// A client with more surfaces than can be collected at once is not served until the rest are collected, so that nothing in
/// its windows changes in between. Other clients are not affected.
struct CapturedScene {
    /// The most surfaces collected immediately: of one client, and of all clients together.
    private static let (stepsOfClient, stepsAtOnce) = (128, 4096)
    /// Surfaces collected between two checks of the time.
    private static let steps = 32

    /// The frame, without its layers.
    var frame: Frame { walk.frame }
    /// The number of layers of cursors.
    var cursorCount: Int { cursor.count }
    /// The layers of cursors, back to front, until they are added to the renderer.
    var cursorLayers: [Layer] { cursor.map(\.layer) }

    private var walk: FrameWalk
    /// The layers in the order of collection; `found` has the contents of each.
    private var layers: [Layer] = []
    private var found: [Renderer.Contents?] = []
    /// For each part, its ranges of `layers`: those collected immediately, and the rest.
    private var places: [(first: Range<Int>, rest: [Range<Int>])] = []
    /// The parts that are not completely collected, the next one last.
    private var pending: [(part: Int, client: Client?)] = []
    /// How many of the pending parts each frozen client has.
    private var frozen: [Application.ID: Int] = [:]
    private var cursor: [(layer: Layer, contents: Renderer.Contents?)] = []
    /// Where the next layer to be added to the renderer is: its part, the part's range, and its place in that.
    private var part = 0
    private var range = 0
    private var place = 0

    /// What the view shows now; nil when that is nothing. Freezes the clients that have pending parts.
    /// - Parameter expected: how many layers the previous picture had. Room for them is reserved, since growing a long list
    ///   copies all of it at once.
    init?(_ view: CaptureView, expected: Int, _ server: DisplayServer) {
        guard let walk = server.walk(over: view) else { return nil }
        let count = walk.parts.count
        self.walk = consume walk
        places.reserveCapacity(count)
        layers.reserveCapacity(max(count, expected))
        found.reserveCapacity(max(count, expected))
        var left = Self.stepsAtOnce
        var used: [Application.ID: Int] = [:]
        for part in 0..<count {
            let client = self.walk.parts[part].surface.flatMap { Self.client(showing: $0, server) }
            let share = min(left, client.map { Self.stepsOfClient - used[$0.application, default: 0] } ?? 1)
            var unused = share
            places.append((collect(part, &unused, server), []))
            left -= share - unused
            if let client { used[client.application, default: 0] += share - unused }
            if !self.walk.parts[part].isDone { pending.append((part, client)) }
        }
        if !pending.isEmpty { freeze(used, server) }
        cursor = server.shownCursorLayers(in: view).map { ($0, Self.contents(of: $0, server)) }
    }

    /// Freezes the clients with pending parts. Those with the fewest surfaces collected so far come first, so that a
    /// client with few surfaces does not wait for one with thousands.
    private mutating func freeze(_ used: [Application.ID: Int], _ server: DisplayServer) {
        func use(_ entry: (part: Int, client: Client?)) -> Int { entry.client.flatMap { used[$0.application] } ?? 0 }
        pending.sort { use($0) > use($1) }
        for case (_, let client?) in pending {
            if frozen[client.application] == nil { server.turns.freeze(client) }
            frozen[client.application, default: 0] += 1
        }
    }

    /// Whether all parts are collected. Until then clients are frozen.
    var isCollected: Bool { pending.isEmpty }

    func isFrozen(_ client: Client) -> Bool { frozen[client.application] != nil }

    /// Continues collecting, and unfreezes each client as soon as all its parts are collected.
    /// - Returns: false if time ran out before everything was collected.
    mutating func collect(_ server: DisplayServer, until isOver: () -> Bool) -> Bool {
        while let (part, client) = pending.last {
            guard finish(part, server, until: isOver) else { return false }
            pending.removeLast()
            didCollect(client, server)
            guard pending.isEmpty || !isOver() else { return false }
        }
        return true
    }

    /// Collects the rest of a client that is about to close.
    mutating func collect(_ closing: Client, _ server: DisplayServer) {
        for (part, client) in pending where client === closing {
            _ = finish(part, server, until: { false })
            didCollect(client, server)
        }
        pending.removeAll { $0.client === closing }
    }

    private mutating func finish(_ part: Int, _ server: DisplayServer, until isOver: () -> Bool) -> Bool {
        while !walk.parts[part].isDone {
            var steps = Self.steps
            let added = collect(part, &steps, server)
            if let last = places[part].rest.last, last.upperBound == added.lowerBound {
                places[part].rest[places[part].rest.count - 1] = last.lowerBound..<added.upperBound
            } else {
                places[part].rest.append(added)
            }
            if isOver() { return walk.parts[part].isDone }
        }
        return true
    }

    private mutating func didCollect(_ client: Client?, _ server: DisplayServer) {
        guard let client, let parts = frozen[client.application] else { return }
        frozen[client.application] = parts > 1 ? parts - 1 : nil
        if parts == 1 { server.turns.unfreeze(client) }
    }

    /// Adds the collected layers to the renderer, back to front.
    /// - Returns: false if time ran out before all were added.
    mutating func add(to renderer: Renderer, until isOver: () -> Bool) -> Bool {
        while part < places.count {
            while range <= places[part].rest.count {
                let indices = range == 0 ? places[part].first : places[part].rest[range - 1]
                while place < indices.count {
                    let index = indices.lowerBound + place
                    renderer.add(layers[index], found[index])
                    found[index] = nil
                    place += 1
                    if place % Self.steps == 0, isOver() { return false }
                }
                (range, place) = (range + 1, 0)
            }
            (part, range) = (part + 1, 0)
            if part % Self.steps == 0, isOver() { return false }
        }
        for (layer, contents) in cursor { renderer.add(layer, contents) }
        cursor = []
        return true
    }

    /// - Returns: the range of `layers` that was added.
    private mutating func collect(_ part: Int, _ steps: inout Int, _ server: DisplayServer) -> Range<Int> {
        let start = layers.count
        server.model.collect(&walk.parts[part], steps: &steps, into: &layers)
        for index in start..<layers.count { found.append(Self.contents(of: layers[index], server)) }
        return start..<layers.count
    }

    private static func contents(of layer: Layer, _ server: DisplayServer) -> Renderer.Contents? {
        if case .surface(let id) = layer.content { contents(of: id, server) } else { nil }
    }

    static func contents(of id: Surface.ID, _ server: DisplayServer) -> Renderer.Contents? {
        if let cursor = server.cursorPictures.contents(of: id) { return (cursor, DamageHistory()) }
        guard let surface = server.surfaces[id] else { return server.titleBars[id]?.contents(of: id) }
        guard let contents = surface.contents else { return nil }
        return (contents, surface.damage)
    }

    private static func client(showing id: Surface.ID, _ server: DisplayServer) -> Client? {
        server.surfaces[id]?.client ?? server.titleBars[id]?.toplevel.owner
    }
}
