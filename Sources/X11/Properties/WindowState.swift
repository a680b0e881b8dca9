// _NET_WM_STATE: what programs request, and what is reported to them.

/// States of a window that the server knows.
public struct WindowStates: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let maximized = WindowStates(rawValue: 1)
    public static let fullscreen = WindowStates(rawValue: 2)
    public static let minimized = WindowStates(rawValue: 4)
    public static let resizing = WindowStates(rawValue: 8)
}

/// What _NET_WM_STATE does with states.
public enum StateAction: UInt32, Sendable {
    case remove = 0
    case add = 1
    case toggle = 2
}

/// A change of states that a program requests.
public struct StateChange: Hashable, Sendable {
    public var mask: WindowStates
    public var states: WindowStates

    public init(mask: WindowStates, states: WindowStates) {
        self.mask = mask
        self.states = states
    }

    /// - Parameter requested: nil for states that the server does not know; a window is maximized if it is so in one
    ///   direction.
    public init?(_ action: StateAction, _ requested: [WindowStates?], current: WindowStates) {
        let mask = requested.reduce(into: WindowStates()) { $0.formUnion($1 ?? []) }
        guard !mask.isEmpty else { return nil }
        self.mask = mask
        switch action {
        case .remove: states = []
        case .add: states = mask
        case .toggle: states = mask.subtracting(current)
        }
    }
}

/// _NET_WM_MOVERESIZE: what is dragged.
public enum DragRequest: Hashable, Sendable {
    case move
    /// An edge or a corner, as in xdg_toplevel.resize_edge.
    case resize(edges: UInt32)
    case cancel

    /// - Parameter direction: 0 to 7 are the corners and edges, clockwise from the top left one; nil for others and for
    ///   those that the keyboard moves.
    public init?(direction: UInt32) {
        let edges: [UInt32] = [5, 1, 9, 8, 10, 2, 6, 4]
        switch direction {
        case 0..<8: self = .resize(edges: edges[Int(direction)])
        case 8: self = .move
        case 11: self = .cancel
        default: return nil
        }
    }
}
