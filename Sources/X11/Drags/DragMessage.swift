// XDND: the messages between the source of a drag and its target.

/// A message of version 3, 4 or 5 of XDND.
public enum DragMessage: Hashable, Sendable {
    /// The versions that are spoken.
    public static let versions: ClosedRange<UInt32> = 3...5

    /// The names of the messages' types.
    public enum Kind: String, CaseIterable, Sendable {
        case enter = "XdndEnter"
        case position = "XdndPosition"
        case status = "XdndStatus"
        case leave = "XdndLeave"
        case drop = "XdndDrop"
        case finished = "XdndFinished"
    }

    /// - types: at most three; `hasMore`: all are in a property of the source.
    case enter(source: XWindowID, version: UInt32, types: [XAtom], hasMore: Bool)
    /// - x: in the root window, as y.
    case position(source: XWindowID, x: Int, y: Int, time: XTime, action: XAtom)
    case status(target: XWindowID, isAccepted: Bool, action: XAtom)
    case leave(source: XWindowID)
    case drop(source: XWindowID, time: XTime)
    /// Before version 5 it says only that the target needs nothing more.
    case finished(target: XWindowID, isAccepted: Bool, action: XAtom)

    public init(_ kind: Kind, _ data: [UInt32]) {
        let data = Array((data + [0, 0, 0, 0, 0]).prefix(5))
        let window = XWindowID(rawValue: data[0])
        switch kind {
        case .enter:
            self = .enter(
                source: window, version: data[1] >> 24,
                types: data[2...].filter { $0 != 0 }.map(XAtom.init(rawValue:)), hasMore: data[1] & 1 != 0)
        case .position:
            self = .position(
                source: window, x: Int(Int16(truncatingIfNeeded: data[2] >> 16)),
                y: Int(Int16(truncatingIfNeeded: data[2])), time: data[3], action: XAtom(rawValue: data[4]))
        case .status:
            self = .status(target: window, isAccepted: data[1] & 1 != 0, action: XAtom(rawValue: data[4]))
        case .leave: self = .leave(source: window)
        case .drop: self = .drop(source: window, time: data[2])
        case .finished:
            self = .finished(target: window, isAccepted: data[1] & 1 != 0, action: XAtom(rawValue: data[2]))
        }
    }

    public var kind: Kind {
        switch self {
        case .enter: .enter
        case .position: .position
        case .status: .status
        case .leave: .leave
        case .drop: .drop
        case .finished: .finished
        }
    }

    /// The words of the message.
    public var data: [UInt32] {
        switch self {
        case .enter(let source, let version, let types, let hasMore):
            [source.rawValue, version << 24 | (hasMore ? 1 : 0)] + types.prefix(3).map(\.rawValue)
        case .position(let source, let x, let y, let time, let action):
            [
                source.rawValue, 0,
                UInt32(UInt16(truncatingIfNeeded: x)) << 16 | UInt32(UInt16(truncatingIfNeeded: y)), time,
                action.rawValue,
            ]
        case .status(let target, let isAccepted, let action):
            // Without a rectangle, and with all positions.
            [target.rawValue, (isAccepted ? 1 : 0) | 2, 0, 0, action.rawValue]
        case .leave(let source): [source.rawValue]
        case .drop(let source, let time): [source.rawValue, 0, time]
        case .finished(let target, let isAccepted, let action):
            [target.rawValue, isAccepted ? 1 : 0, action.rawValue]
        }
    }
}
