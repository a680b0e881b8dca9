// Changes that a client requests for a window of the extension.

import MullionGeometry
import MullionWayland
import WindowModel

/// A request of mullion_window_v1 in the model's terms. It waits for the commit of the window's surface (C4).
enum WindowChange: Codable {
    /// In points of the screen.
    case frame(Rect)
    case level(Double)
    case hidden(Bool)
    /// 0…1.
    case alpha(Double)
    case backgroundColor(Color?)
    case transform(AffineTransform)
    case userInteractionEnabled(Bool)
    case autoresizing(Window.Autoresizing)
    case clipsToBounds(Bool)
    case canBecomeKey(Bool)
    /// Nil: to the main screen.
    case screen(Screen.ID?)
    /// S9: to a screen that was unplugged before the request; the window stays.
    case lostScreen
    case makeKey
    case makeKeyAndVisible
    case resignKey
    case beginEditing
}

extension WindowResource {
    /// Hands a committed change to the model, if the policy allows it.
    func apply(_ change: WindowChange, to window: Window.ID) throws(ModelError) {
        let model = server.model
        switch change {
        case .frame(let frame):
            known.frame = frame
            try model.setFrame(frame, of: window)
        case .level(let level):
            known.level = level
            guard allows({ () throws(ModelError) in try client.checkLevel(level) }) else {
                return propertyDidChange(.level)
            }
            try model.setLevel(level, of: window)
        case .hidden(let isHidden):
            known.isHidden = isHidden
            try model.setHidden(isHidden, of: window)
        case .alpha(let alpha):
            known.alpha = alpha
            try model.setAlpha(alpha, of: window)
        case .backgroundColor(let color): try model.setBackgroundColor(color, of: window)
        case .transform(let transform): try model.setTransform(transform, of: window)
        case .userInteractionEnabled(let isEnabled):
            known.isUserInteractionEnabled = isEnabled
            try model.setUserInteractionEnabled(isEnabled, of: window)
        case .autoresizing(let mask):
            known.autoresizing = mask
            try model.setAutoresizing(mask, of: window)
        case .clipsToBounds(let clips): try model.setClipsToBounds(clips, of: window)
        case .canBecomeKey(let canBecomeKey): try model.setCanBecomeKey(canBecomeKey, of: window)
        case .screen(nil):
            let old = model.screen(of: window)
            try model.move(window, to: nil)
            // The client cannot know which screen is main at this moment.
            if model.screen(of: window) == old { screenDidChange(old) }
        case .screen(let screen?):
            // S9: ignore a screen that was unplugged since the request.
            guard model.screen(screen) != nil,
                allows({ () throws(ModelError) in try client.checkScreens(adding: screen) })
            else { return screenDidChange(model.screen(of: window)) }
            try model.move(window, to: screen)
        case .lostScreen: screenDidChange(model.screen(of: window))
        case .makeKey: try model.makeKey(window)
        case .makeKeyAndVisible:
            known.isHidden = false
            try model.makeKeyAndVisible(window)
        case .resignKey: try model.resignKey(window)
        case .beginEditing: try model.beginEditing(window)
        }
    }

    /// Whether the policy allows a change; if not, notifies the client and logs the reason.
    private func allows(_ check: () throws(ModelError) -> Void) -> Bool {
        do throws(ModelError) {
            try check()
            return true
        } catch {
            server.logRefusal(.policy, client.description, "\(error)", about: client.subject(rule: error.rule))
            send(MullionWindowV1.Event.refused(reason: "\(error)"))
            return false
        }
    }
}
