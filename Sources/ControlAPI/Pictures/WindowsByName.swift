// Finds windows by id or title.

import DisplayServer
import WindowModel

extension DisplayServer {
    /// The windows with these ids or titles, in the model's order; names without a window are absent. All names are looked
    /// up at once, because there may be thousands of windows.
    func windows(named names: Set<String>) -> [String: [Window]] {
        guard !names.isEmpty else { return [:] }
        let ids = Dictionary(
            names.compactMap { name in UInt32(name).flatMap { "\($0)" == name ? ($0, name) : nil } },
            uniquingKeysWith: { first, _ in first })
        var found: [String: [Window]] = [:]
        for id in model.windows {
            guard let window = model.window(id) else { continue }
            if let name = ids[id.rawValue] { found[name, default: []].append(window) }
            if names.contains(window.title), ids[id.rawValue] != window.title {
                found[window.title, default: []].append(window)
            }
        }
        return found
    }
}
