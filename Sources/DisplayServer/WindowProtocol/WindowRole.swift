// The protocol object of a window, and what it is notified of.

import MullionWayland
import WindowModel

extension DisplayServer {
    /// The protocol object of a window.
    package enum WindowRole {
        case window(WindowResource)
        case toplevel(PlainWindow)
        case layer(LayerSurfaceResource)
        case lock(LockSurfaceResource)
    }
}

extension DisplayServer.WindowRole {
    func didBecomeVisible() {
        switch self {
        case .window(let object): object.send(MullionWindowV1.Event.didBecomeVisible)
        case .layer(let object): object.visibilityDidChange()
        case .toplevel(let object): object.visibilityDidChange()
        case .lock: break
        }
    }

    func didBecomeHidden() {
        switch self {
        case .window(let object): object.send(MullionWindowV1.Event.didBecomeHidden)
        case .layer(let object): object.visibilityDidChange()
        case .toplevel(let object): object.visibilityDidChange()
        case .lock: break
        }
    }

    func didBecomeKey() {
        switch self {
        case .window(let object): object.send(MullionWindowV1.Event.didBecomeKey)
        case .toplevel(let object): object.keyDidChange()
        case .layer, .lock: break
        }
    }

    func didResignKey() {
        switch self {
        case .window(let object): object.send(MullionWindowV1.Event.didResignKey)
        case .toplevel(let object): object.keyDidChange()
        case .layer, .lock: break
        }
    }

    func screenDidChange(_ screen: Screen.ID?) {
        switch self {
        case .window(let object): object.screenDidChange(screen)
        case .toplevel(let object): object.stateDidChange()
        case .layer(let object): object.screenDidChange(screen)
        case .lock: break  // It ends with its screen.
        }
    }

    func frameDidChange() {
        switch self {
        case .window(let object): object.frameDidChange()
        case .toplevel(let object): object.stateDidChange()
        case .layer(let object): object.server.popupsWillFollow(object)
        case .lock(let object): object.configure()
        }
    }
}
