// The complete state of a model as a value, for handing over to another server.

import MullionGeometry

extension WindowModel {
    /// A model at rest, with all ids, orders and pending state. Does not include undrained effects.
    public struct Snapshot: Hashable, Codable {
        struct SavedScreen: Hashable, Codable {
            var screen: Screen
            /// R1: set while rotating.
            var turningFrom: Screen.Orientation?
            var turnDeadline: UInt64?
        }

        struct SavedApplication: Hashable, Codable {
            var application: Application
            /// W4: in order of creation.
            var windows: [Window.ID]
        }

        struct SavedWindow: Hashable, Codable {
            var window: Window
            var entry: WindowNode.Entry
            var keyRequest: UInt64?
            var disablers: [UInt64]
            var takesBounds: Bool
            /// Nil in the state of an older server.
            var followsParent: Bool?
            var popups: [UInt32]
            var rootOffset: Point
        }

        struct SavedSurface: Hashable, Codable {
            var generation: UInt32
            var role: Surface.Role
            var size: Size?
            var position: Point
            var inputRegion: [Rect]?
            /// Set for a root surface or a pop-up.
            var window: Window.ID?
            /// Back to front.
            var children: [UInt32]
            /// How many of them are below its own content (C1).
            var childrenBelow: UInt32
            var isAlive: Bool
        }

        var screens: [SavedScreen]
        var rotating: [Screen.ID]
        var switchedOff: [Screen]
        var applications: [SavedApplication]
        var windows: [SavedWindow]
        var surfaces: [SavedSurface]
        var freeSurfaces: [UInt32]
        var seats: [SavedSeat]
        var overlays: [Overlay]
        var remoteReceivers: [Application.ID]
        var counts: Counts
        var keyRequests: UInt64
        var droppedPresses: UInt64
        var ignoredEvents: UInt64
        var lastSerial: UInt64
        var now: UInt64
        // Nil without a lock, and in the state of an older server.
        var lock: Lock?
        var inputOwner: Application.ID?
    }

    /// Takes a snapshot of the current state.
    public func snapshot() -> Snapshot {
        Snapshot(
            screens: screenNodes.map {
                Snapshot.SavedScreen(
                    screen: $0.value, turningFrom: $0.rotation?.from, turnDeadline: $0.rotation?.deadline)
            }, rotating: rotating.map(\.id), switchedOff: switchedOff,
            applications: applicationNodes.values.sorted { $0.value.id < $1.value.id }.map {
                Snapshot.SavedApplication(application: $0.value, windows: $0.windows.map(\.id))
            },
            windows: windowNodes.values.sorted { $0.id < $1.id }.map {
                Snapshot.SavedWindow(
                    window: $0.value, entry: $0.entry, keyRequest: $0.keyRequest, disablers: $0.disablers,
                    takesBounds: $0.takesBounds, followsParent: $0.followsParent ? true : nil, popups: $0.popups,
                    rootOffset: $0.rootOffset)
            }, surfaces: surfaces.nodes.indices.map { saved(ofSurfaceAt: UInt32($0)) }, freeSurfaces: surfaces.free,
            seats: seatNodes.map { Snapshot.SavedSeat($0, input[$0.id]) }, overlays: overlays,
            remoteReceivers: remoteReceivers.map(\.value.id), counts: counts, keyRequests: keyRequests,
            droppedPresses: droppedPresses, ignoredEvents: ignoredEvents, lastSerial: lastSerial, now: now, lock: lock,
            inputOwner: inputOwner)
    }

    /// Every surface, in a window or not.
    public var allSurfaces: [Surface.ID] {
        surfaces.nodes.indices.filter { surfaces.nodes[$0].isAlive }.map { surfaces.id(UInt32($0)) }
    }

    private func saved(ofSurfaceAt index: UInt32) -> Snapshot.SavedSurface {
        let node = surfaces.nodes[Int(index)]
        var children: [UInt32] = []
        var child = node.firstChild
        while child != SurfaceTree.none {
            children.append(child)
            child = surfaces.nodes[Int(child)].next
        }
        return Snapshot.SavedSurface(
            generation: node.generation, role: node.role, size: node.hasContent ? node.size : nil,
            position: node.position, inputRegion: node.inputRegion, window: node.window?.id, children: children,
            childrenBelow: node.belowCount, isAlive: node.isAlive)
    }
}

extension WindowModel.Snapshot {
    /// A seat's input state.
    struct SavedSeat: Hashable, Codable {
        struct Target: Hashable, Codable {
            var window: Window.ID
            var surface: Surface.ID?
        }

        struct Touch: Hashable, Codable {
            var id: Int32
            var screen: Screen.ID
            var target: Target?
            var point: Point
            var attributes: Event.TouchAttributes
        }

        struct Sequence: Hashable, Codable {
            var target: Target?
            var rest: Event.Detail
        }

        var seat: Seat
        var key: Window.ID?
        var lastKeyRequest: UInt64
        var lastWish: UInt64
        /// Nil in the state of an older server.
        var forgotten: UInt64?
        var touches: [Touch]
        var pencils: [Touch]
        var pointerScreen: Screen.ID?
        var pointer: Point
        var buttons: [UInt32]
        var grab: Target?
        var focus: PointerFocus?
        var hover: Target?
        var scroll: Sequence?
        var gesture: Sequence?
        var keys: [UInt32]
        var shake: Sequence?

        init(_ node: SeatNode, _ input: SeatInput) {
            func saved(_ target: SeatNode.Target) -> Target {
                Target(window: target.window.id, surface: target.surface)
            }
            func sequence(_ target: SeatNode.Target?, _ rest: Event.Detail) -> Sequence {
                Sequence(target: target.map(saved), rest: rest)
            }
            seat = node.value
            key = node.key?.id
            lastKeyRequest = node.lastKeyRequest
            lastWish = node.lastWish
            forgotten = node.forgotten
            func touch(_ touch: SeatInput.Touch, _ targets: SeatNode.TouchTargets) -> Touch {
                Touch(
                    id: touch.id, screen: touch.screen, target: targets[touch.id].map(saved), point: touch.point,
                    attributes: touch.attributes)
            }
            touches = input.touches.map { touch($0, node.touchTargets) }
            pencils = input.pencils.map { touch($0, node.pencilTargets) }
            pointerScreen = input.pointerScreen
            pointer = input.pointer
            buttons = input.buttons
            grab = node.grab.map(saved)
            focus = node.focus
            hover = node.hover.map(saved)
            scroll = input.scroll.map { _ in sequence(node.scroll, input.cancelledScroll) }
            gesture = input.gesture.map { _ in sequence(node.gesture, input.cancelledGesture) }
            keys = input.keys
            shake = input.isShaking ? sequence(node.shake, .shake) : nil
        }
    }
}
