// The window model: screens, windows, levels, the key window, hit-testing and routing, in one place.

/// The model of one server. Every change is a method, which records its effects in order; if it throws, nothing has
/// changed. Uses no clock and no randomness: the same calls have the same effects. For use on one thread.
public final class WindowModel {
    /// Applies from the next call on.
    public var policy: Policy
    /// E3: the number of presses and motions dropped for lack of a key window.
    public internal(set) var droppedPresses: UInt64 = 0
    /// E7: the number of touches, clicks, steps of scrolling, gestures and pointer motions that were blocked because the
    /// application ignores interaction.
    public internal(set) var ignoredEvents: UInt64 = 0

    /// S2: the main screen, then the others in order of connection.
    var screenNodes: [ScreenNode] = []
    /// The screens that are switched off, in their last states.
    var switchedOff: [Screen] = []
    var applicationNodes: [Application.ID: ApplicationNode] = [:]
    let windowNodes = WindowTable()
    var surfaces = SurfaceTree()

    /// K1: in order of id; the first always exists.
    var seatNodes = [SeatNode(Seat(id: .first, name: "seat0", screens: []))]
    /// E1, E3, E5: the input state of the seats.
    public internal(set) var input = InputState(seatCount: 1) { didSet { inputDidChange = true } }
    /// Whether `input` may have changed since the last `takeInputChange`.
    var inputDidChange = true
    /// K2: how many times a window was made key by request, or asked for that while invisible, on any seat.
    var keyRequests: UInt64 = 0
    /// K8: how many windows hold key while they are visible.
    var keyHolderCount = 0
    /// S8: while windows return to a screen, those that became visible there and are notified of it afterwards. Until
    /// then none is made key, so that no notification comes early (V2). Nil otherwise.
    var returning: [WindowNode]?
    /// L1: nil while the server is not locked.
    var lock: Lock?
    /// L4: the application for which input is reserved.
    var inputOwner: Application.ID?
    /// E4: the applications that receive remote-control events, in the order of asking.
    var remoteReceivers: [ApplicationNode] = []
    /// E9: the time of the latest event, microseconds.
    public internal(set) var now: UInt64 = 0
    /// E9: the serial of the latest event.
    var lastSerial: UInt64 = 0
    /// Set while simultaneous touches are delivered: the serial of the first, 0 before that. Nil for single touches.
    var touchGroup: UInt64?

    var effects: [Effect] = []
    /// Windows whose hit box must be recomputed before the next hit-test.
    var staleBoxes: [WindowNode] = []
    /// R1: screens that are rotating.
    var rotating: [ScreenNode] = []
    /// Surfaces dragged over the windows.
    var overlays: [Overlay] = []
    /// S7: the number of screens that mirror another.
    var mirrorCount = 0
    /// Whether something has changed since the last drain that could affect what is under the pointer.
    var structureChanged = false { didSet { if structureChanged { structureVersion &+= 1 } } }
    /// Changes whenever a hit test may have another result.
    var structureVersion: UInt64 = 0

    /// Whether invisible windows have changed.
    var hiddenWindowsChanged = false
    /// Watched windows that have changed.
    var changedWatchedWindows: Set<Window.ID> = [] {
        didSet { hasChangedWindows = !changedWatchedWindows.isEmpty }
    }
    /// Whether `takeChangedWindows` returns any.
    public private(set) var hasChangedWindows = false

    var counts = Counts()

    /// The counters whose values are never reused.
    struct Counts: Hashable, Codable {
        var screens: UInt32 = 0
        var applications: UInt32 = 0
        var windows: UInt32 = 0
        /// W3.
        var entries: UInt64 = 0
        /// E8.
        var tokens: UInt64 = 0
    }

    public init(policy: Policy = Policy()) {
        self.policy = policy
    }

    /// E1: limits the number of active touches on all seats, from the next touch on.
    public func setMaximumTouches(_ count: Int) { input.maximumTouches = count }

    /// Whether there are effects to drain.
    public var hasEffects: Bool { !effects.isEmpty || structureChanged }

    /// How many effects were recorded since the last drain.
    public var effectCount: Int { effects.count }

    /// Takes the effects recorded since the last drain, in order. Allocates nothing when there are none.
    public func drainEffects() -> [Effect] {
        recordCoalescedEffects()
        guard !effects.isEmpty else { return [] }
        let drained = effects
        effects.removeAll(keepingCapacity: true)
        return drained
    }

    /// Like `drainEffects()`, but swaps with an array that the caller keeps, so that none is allocated.
    public func drainEffects(into drained: inout [Effect]) {
        drained.removeAll(keepingCapacity: true)
        recordCoalescedEffects()
        swap(&effects, &drained)
    }

    /// Records the effects that occur at most once per drain.
    private func recordCoalescedEffects() {
        if structureChanged {
            structureChanged = false
            for seat in seatNodes {
                followPointer(of: seat)
                followPencils(of: seat)
            }
        }
        // Boxes are computed on demand; without hit-tests, the list must not keep destroyed windows alive.
        if staleBoxes.count > 256 { refreshBoxes() }
        markMirrors()
        for screen in screenNodes where screen.needsDisplay {
            screen.needsDisplay = false
            effects.append(.needsDisplay(screen.id))
        }
    }

    func record(_ effect: Effect) { effects.append(effect) }

    /// Called when what a screen shows or what is under the pointer may have changed.
    func changed(_ screen: ScreenNode?) {
        guard let screen else { return }
        screen.needsDisplay = true
        structureChanged = true
    }

    func nextScreenID() -> Screen.ID {
        counts.screens += 1
        return Screen.ID(rawValue: counts.screens)
    }

    func nextApplicationID() -> Application.ID {
        counts.applications += 1
        return Application.ID(rawValue: counts.applications)
    }

    func nextWindowID() -> Window.ID {
        counts.windows += 1
        return Window.ID(rawValue: counts.windows)
    }

    /// W3: a place in front of every window of the same level or, with the time of another entry, of those that entered
    /// then.
    func nextEntry(at time: UInt64? = nil) -> WindowNode.Entry {
        counts.entries += 1
        return WindowNode.Entry(time: time ?? counts.entries, number: counts.entries)
    }

    func nextToken() -> UInt64 {
        counts.tokens += 1
        return counts.tokens
    }

    func node(_ id: Screen.ID) throws(ModelError) -> ScreenNode {
        guard let node = screenNode(id) else { throw .unknown(id) }
        return node
    }

    func screenNode(_ id: Screen.ID) -> ScreenNode? { screenNodes.first { $0.id == id } }

    func node(_ id: Application.ID) throws(ModelError) -> ApplicationNode {
        guard let node = applicationNodes[id] else { throw .unknown(id) }
        return node
    }

    func node(_ id: Window.ID) throws(ModelError) -> WindowNode {
        guard let node = windowNodes[id] else { throw .unknown(id) }
        return node
    }

    func index(_ id: Surface.ID) throws(ModelError) -> UInt32 {
        guard let index = surfaces.index(id) else { throw .unknown(id) }
        return index
    }
}
