// Windows and applications in JSON (W1, W4).

import DisplayServer
import WindowModel

/// A window.
struct WindowPayload: Encodable, Sendable {
    var id: UInt32
    var application: UInt32
    var applicationName: String
    var title: String
    /// The application id that a plain program has given it, if any.
    var applicationID: String?
    /// Whether it belongs to a plain Wayland program (xdg-shell) rather than to one that uses the extension.
    var plain: Bool
    /// Absent while it waits for a screen (S2, S8).
    var screen: UInt32?
    var screenName: String?
    /// S8: the name of the unplugged screen that it waits for.
    var awaitedScreen: String?
    /// W3: the window that it is always in front of.
    var parent: UInt32?
    /// Whether the parent waits for it, as its program says (xdg-dialog).
    var modal: Bool
    /// The name of its icon, if the program has set one (xdg-toplevel-icon).
    var icon: String?
    /// In the screen's points.
    var frame: RectPayload
    var level: Double
    /// As requested by the application.
    var hidden: Bool
    /// V1: the actual state.
    var visible: Bool
    var key: Bool
    /// K1: the name of the seat whose key window it is, if any.
    var keySeat: String?
    var alpha: Double
    /// "#AARRGGBB", not premultiplied.
    var backgroundColor: String?
    /// a, b, c, d, tx, ty about the frame's centre.
    var transform: [Double]
    var userInteractionEnabled: Bool
    var canBecomeKey: Bool
    var clipsToBounds: Bool
    var autoresizing: [String]
    /// The root surface.
    var surface: String?

    init(_ window: Window, in server: DisplayServer) {
        let model = server.model
        id = window.id.rawValue
        application = window.application.rawValue
        applicationName = model.application(window.application)?.name ?? ""
        title = window.title
        applicationID = server.applicationID(of: window.id)
        plain = window.needsContent
        screen = window.screen?.rawValue
        screenName = window.screen.flatMap { model.screen($0)?.name }
        awaitedScreen = window.awaitedScreen?.name
        parent = window.parent?.rawValue
        if case .toplevel(let toplevel) = server.windows[window.id] {
            modal = (toplevel as? ToplevelResource)?.isModal == true
            icon = toplevel.icon.flatMap { $0.name.isEmpty ? nil : $0.name }
        } else {
            modal = false
        }
        frame = RectPayload(window.frame)
        level = window.level
        hidden = window.isHidden
        visible = window.isVisible
        key = window.isKey
        keySeat = window.isKey ? model.seat(of: window.id).flatMap { model.seat($0)?.name } : nil
        alpha = window.alpha
        backgroundColor = window.backgroundColor?.text
        let matrix = window.transform
        transform = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        userInteractionEnabled = window.takesInteraction
        canBecomeKey = window.canBecomeKey
        clipsToBounds = window.clipsToBounds
        autoresizing = Window.Autoresizing.names.filter { window.autoresizing.contains($0.part) }.map(\.name)
        surface = window.root?.text
    }
}

extension DisplayServer {
    /// The application id that a plain program has given its window; nil without one.
    func applicationID(of window: Window.ID) -> String? {
        guard case .toplevel(let toplevel) = windows[window], !toplevel.applicationID.isEmpty else { return nil }
        return toplevel.applicationID
    }
}

struct WindowList: Encodable, Sendable { var windows: [WindowPayload] }

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

    enum CodingKeys: String, CodingKey, CaseIterable {
        case level, hidden, frame, alpha, screen, title, key, front, userInteractionEnabled, autoresizing
    }
    typealias Keys = CodingKeys
}

/// A connected program.
struct ApplicationPayload: Encodable {
    var id: UInt32
    var name: String
    var pid: Int32
    var uid: UInt32
    var system: Bool
    /// E7: the number of open beginIgnoringInteractionEvents.
    var ignoring: Int
    /// R3: rotating or fixed.
    var rotationPolicy: String
    /// W4: back to front.
    var windows: [UInt32]
    var surfaces: Int
    /// Bytes queued for it.
    var queuedBytes: Int

    init(_ application: Application, _ client: Client?, in model: WindowModel) {
        id = application.id.rawValue
        name = application.name
        pid = client?.credentials.pid ?? 0
        uid = client?.credentials.uid ?? .max
        system = application.isSystem
        ignoring = application.ignoringDepth
        rotationPolicy = application.rotationPolicy.rawValue
        windows = model.windows(of: application.id).map(\.rawValue)
        surfaces = client?.surfaceCount ?? 0
        queuedBytes = client?.transport.queuedBytes ?? 0
    }
}

struct ApplicationList: Encodable { var applications: [ApplicationPayload] }

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
