// Windows and applications in JSON (W1, W4).

import ControlProtocol
import DisplayServer
import WindowModel

extension API.Window {
    init(_ window: Window, in server: DisplayServer) {
        let model = server.model
        let toplevel: PlainWindow? =
            if case .toplevel(let toplevel) = server.windows[window.id] { toplevel } else { nil }
        let matrix = window.transform
        self.init(
            id: window.id.rawValue, application: window.application.rawValue,
            applicationName: model.application(window.application)?.name ?? "", title: window.title,
            applicationID: server.applicationID(of: window.id), plain: window.needsContent,
            screen: window.screen?.rawValue, screenName: window.screen.flatMap { model.screen($0)?.name },
            awaitedScreen: window.awaitedScreen?.name, parent: window.parent?.rawValue,
            modal: (toplevel as? ToplevelResource)?.isModal == true,
            icon: toplevel?.icon.flatMap { $0.name.isEmpty ? nil : $0.name }, frame: API.Rect(window.frame),
            level: window.level, hidden: window.isHidden, visible: window.isVisible, key: window.isKey,
            keySeat: model.keySeat(of: window), alpha: window.alpha, backgroundColor: window.backgroundColor?.text,
            transform: [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty],
            userInteractionEnabled: window.takesInteraction, canBecomeKey: window.canBecomeKey,
            clipsToBounds: window.clipsToBounds,
            autoresizing: Window.Autoresizing.names.filter { window.autoresizing.contains($0.part) }.map(\.name),
            surface: window.root?.text)
    }
}

extension WindowModel {
    /// K1: the name of the seat whose key window it is, if any.
    func keySeat(of window: Window) -> String? {
        window.isKey ? seat(of: window.id).flatMap { seat($0)?.name } : nil
    }
}

extension DisplayServer {
    /// The application id that a plain program has given its window; nil without one.
    func applicationID(of window: Window.ID) -> String? {
        guard case .toplevel(let toplevel) = windows[window], !toplevel.applicationID.isEmpty else { return nil }
        return toplevel.applicationID
    }
}

/// The body of `PATCH /v1/windows/{id}`.
struct WindowPatch: Decodable, StrictlyDecodable {
    var level: LevelPayload?
    var hidden: Bool?
    var frame: Strict<RectPayload>?
    var alpha: Double?
    var screen: ScreenReference?
    var title: String?
    var key: Bool?
    var front: Bool?
    var userInteractionEnabled: Bool?
    var autoresizing: AutoresizingPayload?

    typealias CodingKeys = API.Keys.WindowPatch
    typealias Keys = CodingKeys
}

extension API.Application {
    /// A connected program.
    init(_ application: Application, _ client: Client?, in model: WindowModel) {
        self.init(
            id: application.id.rawValue, name: application.name, pid: client?.credentials.pid ?? 0,
            uid: client?.credentials.uid ?? .max, system: application.isSystem, ignoring: application.ignoringDepth,
            rotationPolicy: API.RotationPolicy(rawValue: application.rotationPolicy.rawValue),
            windows: model.windows(of: application.id).map(\.rawValue), surfaces: client?.surfaceCount ?? 0,
            queuedBytes: client?.transport.queuedBytes ?? 0)
    }
}

extension Color {
    /// "#AARRGGBB".
    var text: String {
        "#"
            + [alpha, red, green, blue].map { component in
                let digits = String(UInt8((component * 255).rounded()), radix: 16, uppercase: true)
                return digits.count < 2 ? "0" + digits : digits
            }.joined()
    }
}
