// Windows that programs begin to show.

/// Lets a few new windows of each program be read and sent to the server at a time. What is asked about the windows of
/// one that makes very many delays neither other programs' windows nor the request that ends it.
public final class NewWindows<Surface> {
    public struct Entry {
        public let window: XWindowID
        public let isUnmanaged: Bool
        /// What it shows, as far as that is known.
        public var surface: Surface?

        public init(_ window: XWindowID, isUnmanaged: Bool, surface: Surface? = nil) {
            self.window = window
            self.isUnmanaged = isUnmanaged
            self.surface = surface
        }
    }

    /// The most windows of one program that are added at a time.
    public static var mostAdded: Int { 8 }

    private struct Program {
        var adding = 0
        /// Each with its number, counted per program.
        var waiting: [XWindowID: (number: Int, entry: Entry)] = [:]
        /// In the order in which they came; also those that have gone since.
        var order: [(number: Int, window: XWindowID)] = []
        /// How many of them have had their turn.
        var passed = 0

        mutating func add(_ entry: Entry) {
            // A program can map and unmap the same window all the time.
            if order.count > 64 + 4 * waiting.count {
                order = waiting.map { ($1.number, $0) }.sorted { $0.number < $1.number }
                passed = 0
            }
            let number = (order.last?.number ?? 0) + 1
            waiting[entry.window] = (number, entry)
            order.append((number, entry.window))
        }

        mutating func next() -> Entry? {
            while passed < order.count {
                let (number, window) = order[passed]
                passed += 1
                guard let found = waiting[window], found.number == number else { continue }
                waiting[window] = nil
                return found.entry
            }
            order = []
            passed = 0
            return nil
        }
    }

    /// By their connections.
    private var programs: [UInt32: Program] = [:]
    /// The program whose windows are not added for the time being.
    private var held: UInt32?

    public init() {}

    /// A program begins to show a window.
    /// - Returns: whether to add it now.
    public func add(_ entry: Entry, of client: UInt32) -> Bool {
        var program = programs.removeValue(forKey: client) ?? Program()
        defer { programs[client] = program }
        if program.adding < Self.mostAdded, client != held {
            program.adding += 1
            return true
        }
        if program.waiting[entry.window] == nil { program.add(entry) }
        return false
    }

    /// The X server names the surface of a window.
    /// - Returns: whether that waits.
    public func setSurface(_ surface: Surface, of window: XWindowID, of client: UInt32) -> Bool {
        guard programs[client]?.waiting[window] != nil else { return false }
        programs[client]?.waiting[window]?.entry.surface = surface
        return true
    }

    /// A window has been read, and the server knows it.
    /// - Returns: the program's window to add next.
    public func didAdd(of client: UInt32) -> Entry? {
        if client != held, let next = programs[client]?.next() { return next }
        programs[client]?.adding -= 1
        removeIfEmpty(client)
        return nil
    }

    /// Lets a program's windows wait until `release`, because it may be ended.
    public func hold(_ client: UInt32) { held = client }

    /// Ends `hold`.
    /// - Returns: the windows to add now.
    public func release() -> [Entry] {
        guard let client = held else { return [] }
        held = nil
        var entries: [Entry] = []
        while let program = programs[client], program.adding < Self.mostAdded, let next = programs[client]?.next() {
            programs[client]?.adding += 1
            entries.append(next)
        }
        removeIfEmpty(client)
        return entries
    }

    private func removeIfEmpty(_ client: UInt32) {
        if let program = programs[client], program.adding == 0, program.waiting.isEmpty { programs[client] = nil }
    }

    /// Forgets a window that has gone.
    public func remove(_ window: XWindowID, of client: UInt32) { programs[client]?.waiting[window] = nil }

    /// Forgets the windows of a program that wait.
    public func removeAll(of client: UInt32) { programs[client]?.waiting = [:] }
}
