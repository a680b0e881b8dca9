// What a drop does, in XDND and in Wayland.

/// An action of XDND.
public enum DragAction: String, CaseIterable, Sendable {
    case copy = "XdndActionCopy"
    case move = "XdndActionMove"
    case ask = "XdndActionAsk"
    case link = "XdndActionLink"
    case `private` = "XdndActionPrivate"

    /// What people choose from, where a target asks them.
    public var title: String {
        switch self {
        case .copy: "Copy"
        case .move: "Move"
        case .ask: "Ask"
        case .link: "Link"
        case .private: "Private"
        }
    }

    /// Wayland knows neither links nor private actions. After both, the source has what it had, as after a copy.
    public var mask: DragActionMask {
        switch self {
        case .copy, .link, .private: .copy
        case .move: .move
        case .ask: .ask
        }
    }
}

/// Actions of Wayland, with the numbers of wl_data_device_manager.dnd_action.
public struct DragActionMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let copy = DragActionMask(rawValue: 1)
    public static let move = DragActionMask(rawValue: 2)
    public static let ask = DragActionMask(rawValue: 4)

    /// The actions of XDND to offer for these.
    public var actions: [DragAction] { [.copy, .move, .ask].filter { contains($0.mask) } }
}

/// The actions that the source of a drag in X11 offers.
public struct OfferedActions: Hashable, Sendable {
    private let all: [DragAction]

    /// - Parameters:
    ///   - list: XdndActionList; sources with a single action have none.
    ///   - requested: the action of a position.
    public init(list: [DragAction], requested: DragAction?) {
        all = list + (requested.map { list.contains($0) ? [] : [$0] } ?? [])
    }

    public var mask: DragActionMask { all.reduce(into: []) { $0.formUnion($1.mask) } }

    /// The action to report to the source for one of Wayland.
    public func action(for mask: DragActionMask) -> DragAction? {
        (mask.actions + [.link, .private]).first { mask.contains($0.mask) && all.contains($0) }
    }
}
