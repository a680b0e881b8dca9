// Surfaces: pieces of content inside a window (UIKit: views), in a tree per window (C1).

import MullionGeometry

/// The state of a surface at one moment.
public struct Surface: Hashable, Sendable {
    /// A slot and its generation: looked up in constant time; a stale id yields nil.
    public struct ID: Hashable, Sendable, Codable {
        public let index: UInt32
        public let generation: UInt32
        public init(index: UInt32, generation: UInt32) {
            self.index = index
            self.generation = generation
        }
    }

    /// W5: the purpose of a surface; permanent once given.
    public enum Role: UInt8, Hashable, Sendable, Codable { case none, root, subsurface, popup }

    public let id: ID
    public let role: Role
    /// The parent of a sub-surface.
    public let parent: ID?
    /// The window that contains it, if any.
    public let window: Window.ID?
    /// In the parent surface's points; for a root surface or a pop-up, in the window's.
    public let position: Point
    /// The size of its content in points, nil without content.
    public let size: Size?
    /// Back to front, starting with those below its own content.
    public let children: [ID]
    /// How many of `children` are below its own content (C1).
    public let childrenBelow: Int
}
