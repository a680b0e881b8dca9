// Notifies the client of a window of changes that it did not request.

import MullionGeometry
import MullionWayland
import WindowModel

/// The properties of a window that not only its client changes, with the values that the client set or received last.
struct KnownProperties: Codable {
    /// In points of the screen.
    var frame = Rect.zero
    var level = Window.Level.normal
    var isHidden = true
    var alpha = 1.0
    var title = ""
    var isUserInteractionEnabled = true
    var autoresizing: Window.Autoresizing = []
}

/// Lets a client decide whether a change by the server came before or after its own request.
struct CommitCount: Codable {
    /// The commits of the window's surface; wraps around.
    var count: UInt32 = 0
    var sent: UInt32 = 0
}

extension WindowResource {
    /// S8, and moves by the control API. Sends the client's first object for that screen; any would do.
    func screenDidChange(_ screen: Screen.ID?) {
        let object = screen.flatMap { screen in client.screens.first { $0.screen == screen } }
        guard screen == nil || object != nil else { return }
        sendCommits()
        send(MullionWindowV1.Event.screenDidChange(screen: object?.id))
    }

    /// Sends a frame that the client did not set itself.
    func frameDidChange() {
        guard let window, let frame = server.model.frame(of: window), learns(\.frame, frame) else { return }
        send(
            MullionWindowV1.Event.frameDidChange(
                x: Fixed(rounding: frame.minX), y: Fixed(rounding: frame.minY),
                width: Fixed(rounding: frame.size.width), height: Fixed(rounding: frame.size.height)))
    }

    /// W3.
    func cameToFront() {
        guard version >= 2 else { return }
        send(MullionWindowV1.Event.cameToFront)
    }

    /// Sends a property unless the client set the present value itself.
    func propertyDidChange(_ property: Window.Property) {
        guard version >= 2, let window = window.flatMap({ server.model.window($0) }) else { return }
        switch property {
        case .level:
            guard learns(\.level, window.level) else { return }
            send(MullionWindowV1.Event.levelDidChange(level: Fixed(rounding: window.level)))
        case .hidden:
            guard learns(\.isHidden, window.isHidden) else { return }
            send(MullionWindowV1.Event.hiddenDidChange(hidden: window.isHidden ? 1 : 0))
        case .alpha:
            guard learns(\.alpha, window.alpha) else { return }
            let alpha = UInt32((window.alpha * Double(UInt32.max)).rounded())
            send(MullionWindowV1.Event.alphaDidChange(alpha: alpha))
        case .title:
            guard learns(\.title, window.title) else { return }
            // libwayland takes messages of up to 4096 bytes.
            send(MullionWindowV1.Event.titleDidChange(title: window.title.cut(toBytes: 4080)))
        case .userInteractionEnabled:
            guard learns(\.isUserInteractionEnabled, window.isUserInteractionEnabled) else { return }
            let isEnabled: UInt32 = window.isUserInteractionEnabled ? 1 : 0
            send(MullionWindowV1.Event.userInteractionEnabledDidChange(enabled: isEnabled))
        case .autoresizing:
            guard learns(\.autoresizing, window.autoresizing) else { return }
            // Both use UIKit's bits.
            let mask = MullionWindowV1.Autoresizing(rawValue: UInt32(window.autoresizing.rawValue))
            send(MullionWindowV1.Event.autoresizingDidChange(mask: mask))
        case .applicationID: break  // Only plain programs set one.
        }
    }

    /// Returns whether a value must be sent to the client; if so, sends what has to precede it.
    private func learns<Value: Equatable>(_ property: WritableKeyPath<KnownProperties, Value>, _ value: Value) -> Bool {
        guard known[keyPath: property] != value else { return false }
        known[keyPath: property] = value
        sendCommits()
        return true
    }

    private func sendCommits() {
        guard version >= 2, commits.count != commits.sent else { return }
        commits.sent = commits.count
        send(MullionWindowV1.Event.committed(commits: commits.count))
    }
}
