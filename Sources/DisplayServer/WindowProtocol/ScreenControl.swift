// mullion_screen_v1's set_ requests: which changes of a screen applications may make.

import MullionWayland
import WindowModel

/// Which applications may change a screen through mullion_screen_v1. The control API is for administrators.
public enum ScreenControl: String, Sendable, CaseIterable {
    /// The only application with visible windows on it, not counting system applications.
    case owner
    case everyone
    case nobody
}

extension DisplayServer {
    /// Throws the reason when an application may not change a screen.
    func checkControl(of screen: Screen.ID, by application: Application.ID) throws(ModelError) {
        func refusal(_ message: String) -> ModelError { ModelError(kind: .notAllowed, rule: .s1, message: message) }
        switch screenControl {
        case .everyone: return
        case .nobody: throw refusal("the policy lets no application change screens")
        case .owner:
            let owners = model.windows(on: screen).compactMap { model.application(of: $0) }
            guard owners.contains(application) else {
                throw refusal("only an application with a visible window on the screen may change it")
            }
            let others = owners.filter { $0 != application && model.application($0)?.isSystem == false }
            guard others.isEmpty else {
                throw refusal("another application has visible windows on the screen as well")
            }
        }
    }
}

extension ScreenResource {
    /// Makes a change, or sends the reason why not. S9: does nothing on an unplugged screen.
    func change(_ body: (Screen) throws(ModelError) -> Void) {
        guard let screen = screen.flatMap({ server.model.screen($0) }) else { return }
        do throws(ModelError) {
            try server.checkControl(of: screen.id, by: client.application)
            try body(screen)
        } catch {
            let name = server.model.application(client.application)?.name ?? ""
            let subject = client.subject(rule: error.rule)
            server.log(.info, "\(name) may not change screen \(screen.name): \(error)", about: subject)
            send(MullionScreenV1.Event.refused(reason: "\(error)"))
        }
    }

    func setMode(width: Int32, height: Int32, refresh: Int32) {
        change { (screen) throws(ModelError) in
            let modes = screen.properties.modes
            let found = modes.first {
                $0.width == Int(width) && $0.height == Int(height) && (refresh == 0 || $0.refresh == Int(refresh))
            }
            let wanted = found ?? Screen.Mode(width: Int(width), height: Int(height), refresh: Int(refresh))
            try server.model.setMode(wanted, of: screen.id)
        }
    }

    func setMirroring(_ mirroring: MullionScreenV1.Mirroring, name: String?) throws(ProtocolError) {
        let wanted: Screen.Mirroring
        switch mirroring {
        case .automatic: wanted = .automatic
        case .off: wanted = .off
        case .screen: wanted = .screen(name ?? "")
        default: throw invalid("mirroring", mirroring.rawValue, "automatic (0), off (1) or screen (2)")
        }
        change { (screen) throws(ModelError) in try server.model.setMirroring(wanted, of: screen.id) }
    }

    func setOrientation(_ orientation: MullionScreenV1.Orientation) throws(ProtocolError) {
        guard let wanted = Screen.Orientation.allCases.first(where: { $0.wire == orientation }) else {
            throw invalid("orientation", orientation.rawValue, "0 to 3")
        }
        change { (screen) throws(ModelError) in try server.rotate(screen.id, to: wanted) }
    }

    func setOverscan(_ overscan: MullionScreenV1.Overscan) throws(ProtocolError) {
        guard let wanted = Screen.Overscan.allCases.first(where: { $0.wire == overscan }) else {
            throw invalid("overscan", overscan.rawValue, "scale (0), inset_bounds (1) or none (2)")
        }
        change { (screen) throws(ModelError) in try server.model.setOverscan(wanted, of: screen.id) }
    }

    private func invalid(_ what: String, _ value: UInt32, _ allowed: String) -> ProtocolError {
        ProtocolError(
            object: id, code: MullionScreenV1.Error.invalidValue.rawValue,
            message: "\(value) is not a value of \(what); use \(allowed)")
    }
}
