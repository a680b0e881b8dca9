// xdg_positioner

import MullionGeometry
import MullionWayland
import WindowModel

/// Collects the rules for placing a pop-up.
final class PositionerResource: Resource {
    var rules = PopupRules()
    var hasSize = false
    var hasAnchor = false

    /// The rules, if size and anchor rectangle are set.
    var complete: PopupRules? { hasSize && hasAnchor ? rules : nil }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgPositioner.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setSize(let width, let height):
            guard width > 0, height > 0 else { throw error("\(width)x\(height) is not a size; use at least 1x1") }
            rules.size = Size(width: Double(width), height: Double(height))
            hasSize = true
        case .setAnchorRect(let x, let y, let width, let height):
            guard width >= 0, height >= 0 else { throw error("the anchor rectangle's size is negative") }
            rules.anchorRect = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
            hasAnchor = true
        case .setAnchor(let anchor):
            guard let edges = PopupRules.Edges(wire: anchor.rawValue) else { throw error("unknown anchor") }
            rules.anchor = edges
        case .setGravity(let gravity):
            guard let edges = PopupRules.Edges(wire: gravity.rawValue) else { throw error("unknown gravity") }
            rules.gravity = edges
        case .setConstraintAdjustment(let adjustment):
            rules.adjustment = XdgPositioner.ConstraintAdjustment(rawValue: adjustment)
        case .setOffset(let x, let y): rules.offset = Point(x: Double(x), y: Double(y))
        case .setReactive: rules.isReactive = true
        case .setParentSize, .setParentConfigure:
            break  // Not needed: pop-ups are placed by the parent's current state, and again by it when reactive.
        }
    }

    private func error(_ message: String) -> ProtocolError {
        ProtocolError(object: id, code: XdgPositioner.Error.invalidInput.rawValue, message: message)
    }
}

/// Where a pop-up is placed relative to its parent, and how it may be adjusted when it does not fit.
struct PopupRules: Codable {
    /// A point of a rectangle: -1 left or top, 0 centre, 1 right or bottom.
    struct Edges: Codable {
        var x = 0.0
        var y = 0.0

        init() {}

        /// none, top, bottom, left, right, top_left, bottom_left, top_right, bottom_right
        init?(wire: UInt32) {
            let table: [(Double, Double)] = [
                (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1),
            ]
            guard wire < 9 else { return nil }
            (x, y) = table[Int(wire)]
        }
    }

    var size = Size.zero
    var anchorRect = Rect.zero
    var anchor = Edges()
    var gravity = Edges()
    var adjustment: XdgPositioner.ConstraintAdjustment = []
    var offset = Point.zero
    /// Whether the pop-up is placed again when its surroundings change.
    var isReactive = false

    /// The pop-up's rectangle in the parent's geometry, kept within `limits` (the same coordinates) as far as allowed:
    /// flipped, then slid, then resized, each axis separately.
    func place(within limits: Rect) -> Rect {
        let x = solve(
            Axis(
                anchorStart: anchorRect.minX, anchorLength: anchorRect.size.width, anchor: anchor.x,
                gravity: gravity.x, length: size.width, offset: offset.x),
            limits.minX, limits.maxX, flips: adjustment.contains(.flipX), slides: adjustment.contains(.slideX),
            resizes: adjustment.contains(.resizeX))
        let y = solve(
            Axis(
                anchorStart: anchorRect.minY, anchorLength: anchorRect.size.height, anchor: anchor.y,
                gravity: gravity.y, length: size.height, offset: offset.y),
            limits.minY, limits.maxY, flips: adjustment.contains(.flipY), slides: adjustment.contains(.slideY),
            resizes: adjustment.contains(.resizeY))
        return Rect(x: x.start, y: y.start, width: x.length, height: y.length)
    }

    private struct Axis {
        var anchorStart, anchorLength, anchor, gravity, length, offset: Double

        var start: Double {
            anchorStart + anchorLength * (anchor + 1) / 2 + offset + length * (gravity - 1) / 2
        }

        var flipped: Axis {
            var other = self
            other.anchor = -anchor
            other.gravity = -gravity
            other.offset = -offset
            return other
        }
    }

    private func solve(
        _ axis: Axis, _ low: Double, _ high: Double, flips: Bool, slides: Bool, resizes: Bool
    ) -> (start: Double, length: Double) {
        func fits(_ start: Double) -> Bool { start >= low && start + axis.length <= high }
        var start = axis.start.rounded(.down)
        if fits(start) { return (start, axis.length) }
        if flips {
            let other = axis.flipped.start.rounded(.down)
            if fits(other) { return (other, axis.length) }
        }
        if slides {
            // First towards the gravity, moving the far edge inside; then the near edge takes precedence.
            if axis.gravity >= 0 {
                start = max(min(start, high - axis.length), low)
            } else {
                start = min(max(start, low), max(high - axis.length, low))
            }
            if fits(start) { return (start, axis.length) }
        }
        if resizes {
            let from = max(start, low)
            let to = min(start + axis.length, high)
            if to - from >= 1 { return (from, to - from) }
        }
        return (start, axis.length)
    }
}
