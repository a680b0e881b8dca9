// The server's windows, as far as widgets are concerned.

import ControlProtocol
import JSON5
import MullionClient
import MullionControl

/// A window with the surfaces that widgets can be in.
struct WindowPlace {
    /// A surface in the window's points.
    struct Surface {
        var id: String
        /// Whether it belongs to a pop-up and not to the window's own content.
        var isPopup: Bool
        var frame: Rect
    }

    let id: Int
    let application: Int
    let applicationName: String
    /// The client's process.
    let pid: Int32
    let title: String
    let isVisible: Bool
    let isKey: Bool
    /// The screen's name; nil while the window waits for one.
    let screen: String?
    /// The size of that screen, in points.
    let screenSize: Size
    /// What the screen can show of the window, in the window's points; nil: everything.
    private(set) var area: Rect?
    /// That of its screen.
    let scale: Double
    /// In the screen's points.
    let frame: Rect
    /// Front to back, the root among them.
    let surfaces: [Surface]
    let root: Surface?

    /// The window's own space.
    var bounds: Rect { Rect(origin: .zero, size: frame.size) }
    var popups: [Surface] { surfaces.filter(\.isPopup) }

    /// All windows, front to back on each screen.
    static func all(_ client: ControlClient) throws(CommandError) -> [WindowPlace] {
        let tree = try client.send(.getTree())
        let applications = try client.send(.getApplications()).applications
        let pids = Dictionary(applications.map { ($0.id, $0.pid) }) { $1 }
        var all = tree.screens.flatMap { screen in
            (screen.windows + screen.hidden).map { WindowPlace($0, on: screen, pids) }
        }
        all += tree.waiting.map { WindowPlace($0, on: nil, pids) }
        try limit(&all, client)
        return all
    }

    /// Finds out what screens can show of the windows that extend beyond them, or whose pop-ups do.
    private static func limit(_ windows: inout [WindowPlace], _ client: ControlClient) throws(CommandError) {
        let places = windows.map { Rect(origin: .zero, size: $0.screenSize) }
        let beyond = windows.indices.filter { index in
            let (window, origin) = (windows[index], windows[index].frame.origin)
            let popups = window.popups.map { $0.frame.offsetBy(x: origin.x, y: origin.y) }
            return window.isVisible && !([window.frame] + popups).allSatisfy(places[index].contains)
        }
        guard !beyond.isEmpty else { return }
        let all = try client.send(.getWindows()).windows
        for index in beyond {
            // Those that are turned or scaled have their edges elsewhere.
            let transform = all.first { Int($0.id) == windows[index].id }?.transform
            guard transform == [1, 0, 0, 1, 0, 0] else { continue }
            let corner = windows[index].frame.origin
            windows[index].area = places[index].offsetBy(x: -corner.x, y: -corner.y)
        }
    }

    private init(_ window: API.WindowBranch, on screen: API.ScreenBranch?, _ pids: [UInt32: Int32]) {
        (id, application) = (Int(window.id), Int(window.application))
        (applicationName, pid) = (window.applicationName, pids[window.application] ?? 0)
        (title, isVisible, isKey) = (window.title, window.visible, window.key)
        (self.screen, scale) = (screen?.name, screen?.scale ?? 1)
        screenSize = screen.map { Size(width: $0.bounds.width, height: $0.bounds.height) } ?? .zero
        frame = Rect(
            x: window.frame.x, y: window.frame.y, width: window.frame.width, height: window.frame.height)
        surfaces = window.surfaces.flatMap { Self.surfaces($0, at: .zero, isPopup: $0.role != .root) }
        root = window.surfaces.last { $0.role == .root }.map {
            Surface(id: $0.id, isPopup: false, frame: Self.frame($0, at: .zero))
        }
    }

    private static func surfaces(_ surface: API.Surface, at origin: Point, isPopup: Bool) -> [Surface] {
        let frame = frame(surface, at: origin)
        let own = Surface(id: surface.id, isPopup: isPopup, frame: frame)
        return surface.children.flatMap { surfaces($0, at: frame.origin, isPopup: isPopup) } + [own]
    }

    private static func frame(_ surface: API.Surface, at origin: Point) -> Rect {
        Rect(
            x: origin.x + surface.position.x, y: origin.y + surface.position.y, width: surface.size?.width ?? 0,
            height: surface.size?.height ?? 0)
    }

    /// "PANEL (800×600)", the screen.
    var screenText: String {
        "\(screen ?? "none") (\(JSON.text(screenSize.width))×\(JSON.text(screenSize.height)))"
    }

    /// "window 3 "Title"".
    var text: String { "window \(id)" + (title.isEmpty ? "" : " \"\(title.printable())\"") }
}
