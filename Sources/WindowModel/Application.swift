// Applications: one per client connection (UIKit: UIApplication).

import MullionGeometry

/// The state of an application at one moment.
public struct Application: Hashable, Sendable, Codable {
    /// Identifies an application; counts up from 1 and is never reused.
    public struct ID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
        public var description: String { "\(rawValue)" }
    }

    /// R3: what happens to an application's windows when their screen rotates.
    public enum RotationPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The bounds swap; windows that filled the screen fill it again (iOS 8 and later).
        case rotating
        /// Frames stay portrait, in the fixed coordinate space, and are drawn rotated (iOS 7).
        case fixed
    }

    /// K2: the process that opened an application's connection. Applications of one process are the same program.
    public struct Process: Hashable, Sendable, Codable {
        let id: Int32
        /// When it started: the kernel uses the ids of ended processes again.
        let start: UInt64
        let user: UInt32

        public init(id: Int32, start: UInt64, user: UInt32) { (self.id, self.start, self.user) = (id, start, user) }
    }

    public let id: ID
    public internal(set) var name: String
    /// Nil when it is not known.
    public let process: Process?
    /// Whether the policy marks it as a system application (status bar, on-screen keyboard).
    public let isSystem: Bool
    /// How many calls of `beginIgnoringInteractionEvents` have not been ended (E7).
    public internal(set) var ignoringDepth = 0
    /// E4: whether the application asked for remote-control events.
    public internal(set) var receivesRemoteControlEvents = false
    public internal(set) var rotationPolicy = RotationPolicy.rotating
}

/// The model's internal record of an application.
final class ApplicationNode {
    var value: Application
    /// In order of creation.
    var windows: [WindowNode] = []
    /// W7: set while its windows are destroyed one by one, so that none of them inherits key.
    var isEnding = false

    init(_ value: Application) { self.value = value }

    /// The coordinate space of its windows' frames on a screen: the bounds, or (R3) the fixed ones.
    func space(on screen: ScreenNode) -> Rect {
        value.rotationPolicy == .fixed ? screen.value.fixedBounds : screen.bounds
    }
}
