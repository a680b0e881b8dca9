// A client's list of the windows of all programs.

import MullionWayland
import WindowModel

/// What one object of a client lists. It outlives the object, since handles remain when that is stopped or destroyed.
final class ToplevelWatcher {
    let client: Client
    /// Creates and announces a handle. Nil once the client wants no new windows.
    var announce: ((ForeignToplevel) -> ToplevelHandleResource)?
    /// Handles of listed windows, also those that the client has destroyed: their windows are not announced again.
    private var handles: [Window.ID: ToplevelHandleResource] = [:]
    /// The windows that may differ from what was sent.
    private var changed: Set<Window.ID> = []

    init(_ client: Client) { self.client = client }

    /// Lists all windows with the next update.
    func start() throws(ProtocolError) {
        let toplevels = client.server.foreignToplevels
        try toplevels.add(self)
        changed = Set(toplevels.listed)
    }

    /// Announces no more windows. Without handles nothing is left to do.
    func stop() {
        announce = nil
        changed.formIntersection(handles.keys)
        endIfUnused()
    }

    func handleWasDestroyed() {
        if announce == nil { endIfUnused() }
    }

    private func endIfUnused() {
        if !handles.values.contains(where: \.isAlive) { client.server.foreignToplevels.remove(self) }
    }

    func handle(of window: Window.ID) -> ToplevelHandleResource? { handles[window] }

    func didChange(_ window: Window.ID) {
        if announce == nil, handles[window] == nil { return }
        changed.insert(window)
    }

    /// Sends the changes. A client that does not read gets them when it has caught up.
    func update() {
        guard !changed.isEmpty, !client.isClosed else { return }
        guard !client.transport.isCongested else {
            client.server.watchersWait = true
            return
        }
        let toplevels = client.server.foreignToplevels
        for window in changed {
            guard let handle = handles[window], handle.sent.round != toplevels.toplevel(window)?.round else { continue }
            handle.close()
            handles[window] = nil
            // Its children have another parent.
            for other in handles.values where other.sent.parent == window { changed.insert(other.sent.window) }
        }
        var updated: [ToplevelHandleResource] = []
        for window in changed.sorted() {
            guard let now = toplevels.toplevel(window) else { continue }
            if handles[window] == nil, let announce { handles[window] = announce(now) }
            guard let handle = handles[window] else { continue }
            handle.update(now)
            updated.append(handle)
        }
        changed.removeAll()
        for handle in updated { handle.finishUpdate() }
        if announce == nil { endIfUnused() }
    }

    // MARK: Outputs

    func screenWillDisconnect(_ screen: Screen.ID) {
        for handle in handles.values where handle.sent.screen == screen {
            handle.leave(screen)
            changed.insert(handle.sent.window)
        }
    }

    func didBind(_ output: OutputResource) {
        for handle in handles.values where handle.sent.screen == output.screen { handle.enter(output) }
    }

    // MARK: Hand-over

    var allHandles: [ToplevelHandleResource] { handles.values.sorted { $0.sent.window < $1.sent.window } }

    /// Takes over the handles of another server. What they have not been sent is sent with the next update.
    func adopt(_ all: [ToplevelHandleResource]) {
        for handle in all {
            handle.watcher = self
            handles[handle.sent.window] = handle
            changed.insert(handle.sent.window)
        }
    }
}

/// A listed window, for one client. Subclasses send the changes.
class ToplevelHandleResource: Resource {
    weak var watcher: ToplevelWatcher?
    /// As sent to the client.
    var sent: ForeignToplevel
    /// Whether the window is gone.
    var isClosed = false
    /// Whether changes were sent without `done`.
    var needsDone = false

    init(_ client: Client, version: UInt32, _ toplevel: ForeignToplevel) {
        sent = toplevel
        super.init(serverSideOn: client, version: version)
    }

    override func willDestroy() { watcher?.handleWasDestroyed() }

    /// Sends the differences to what was sent, without the parent.
    func update(_ now: ForeignToplevel) {}
    /// Sends the parent, which has a handle now if it is listed, and `done`.
    func finishUpdate() {}
    /// Called when the window is gone.
    func close() {}
    func enter(_ output: OutputResource) {}
    func leave(_ screen: Screen.ID) {}
}
