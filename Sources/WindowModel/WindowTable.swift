// The model's windows by id.

/// Finds windows by their ids. A commit looks up its window several times, so the last one found is cached.
final class WindowTable {
    private var nodes: [Window.ID: WindowNode] = [:]
    private var latest: WindowNode?

    subscript(id: Window.ID) -> WindowNode? {
        get {
            if let latest, latest.id == id { return latest }
            guard let node = nodes[id] else { return nil }
            latest = node
            return node
        }
        set {
            latest = nil
            nodes[id] = newValue
        }
    }

    var count: Int { nodes.count }
    /// In no special order.
    var ids: Dictionary<Window.ID, WindowNode>.Keys { nodes.keys }
    var values: Dictionary<Window.ID, WindowNode>.Values { nodes.values }
}
