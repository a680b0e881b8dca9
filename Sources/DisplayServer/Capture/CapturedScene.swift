// What a picture is to show.

import Compositor
import Wayland
import WindowModel

/// What a screen shows at one moment, collected for a picture in steps.
///
/// A program with very many surfaces is not looked at all at once: it is not served until it was, so that nothing in its
/// windows changes meanwhile. Others do not notice.
struct CapturedScene {
    /// Surfaces of one program, and of all, that are collected at once.
    private static let (stepsOfClient, stepsAtOnce) = (128, 4096)
    /// Surfaces between two looks at the time.
    private static let steps = 32

    /// Without the layers.
    var frame: Frame { walk.frame }
    /// Whether there is a cursor in it.
    var hasCursor: Bool { !cursor.isEmpty }
    /// Who is not to be served until all is collected.
    private(set) var clients: [Client] = []

    private var walk: FrameWalk
    /// In the order in which they were collected.
    private var layers: [Layer] = []
    private var found: [Renderer.Contents?] = []
    /// Where in `layers` those of each part are: the first, and the rest of them.
    private var places: [(first: Range<Int>, rest: Range<Int>)] = []
    /// The parts that could not be collected at once; the next one comes last.
    private var pending: [Int] = []
    private var cursor: [(layer: Layer, contents: Renderer.Contents?)] = []
    /// The next of `places`, and how many of its layers the renderer has.
    private var part = 0
    private var count = 0

    /// What a connected screen shows now.
    init?(_ view: ScreenCapture.View, _ server: DisplayServer) {
        guard let walk = server.model.walk(over: view.screen) else { return nil }
        self.walk = walk
        places.reserveCapacity(walk.parts.count)
        var left = Self.stepsAtOnce
        var leftOf: [Application.ID: Int] = [:]
        for part in walk.parts.indices {
            let client = walk.parts[part].surface.flatMap { server.surfaces[$0]?.client }
            let share = min(left, client.map { leftOf[$0.application, default: Self.stepsOfClient] } ?? 1)
            var unused = share
            places.append((collect(part, &unused, server), 0..<0))
            left -= share - unused
            if let client { leftOf[client.application, default: Self.stepsOfClient] -= share - unused }
            guard !self.walk.parts[part].isDone else { continue }
            pending.append(part)
            if let client, !clients.contains(where: { $0 === client }) { clients.append(client) }
        }
        pending.reverse()
        guard view.hasCursor else { return }
        cursor = server.cursorLayers(on: view.screen).map { ($0, Self.contents(of: $0, server)) }
    }

    /// Goes on collecting.
    /// - Returns: false when time is over before all is.
    mutating func collect(_ server: DisplayServer, until isOver: () -> Bool) -> Bool {
        while let part = pending.last {
            let start = places[part].rest.isEmpty ? layers.count : places[part].rest.lowerBound
            while !walk.parts[part].isDone {
                var steps = Self.steps
                places[part].rest = start..<collect(part, &steps, server).upperBound
                if isOver() { return false }
            }
            pending.removeLast()
        }
        clients = []
        return true
    }

    /// Hands over what was collected, back to front.
    /// - Returns: false when time is over before the renderer has all.
    mutating func add(to renderer: Renderer, until isOver: () -> Bool) -> Bool {
        while part < places.count {
            let (first, rest) = places[part]
            while count < first.count + rest.count {
                let index = count < first.count ? first.lowerBound + count : rest.lowerBound + count - first.count
                renderer.add(layers[index], found[index])
                found[index] = nil
                count += 1
                if count % Self.steps == 0, isOver() { return false }
            }
            (part, count) = (part + 1, 0)
            if part % Self.steps == 0, isOver() { return false }
        }
        for (layer, contents) in cursor { renderer.add(layer, contents) }
        cursor = []
        return true
    }

    /// - Returns: where the layers that were found are.
    private mutating func collect(_ part: Int, _ steps: inout Int, _ server: DisplayServer) -> Range<Int> {
        let start = layers.count
        server.model.collect(&walk.parts[part], steps: &steps, into: &layers)
        for index in start..<layers.count { found.append(Self.contents(of: layers[index], server)) }
        return start..<layers.count
    }

    private static func contents(of layer: Layer, _ server: DisplayServer) -> Renderer.Contents? {
        guard case .surface(let id) = layer.content else { return nil }
        if id == Cursor.arrowID { return (server.arrow, DamageHistory()) }
        guard let surface = server.surfaces[id], let contents = surface.contents else { return nil }
        return (contents, surface.damage)
    }
}
