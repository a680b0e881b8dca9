// The server's windows, as far as widgets are concerned.

import JSON5
import MullionClient

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
        let tree = try JSON(parsing: client.send("GET", "/tree", accept: "application/json").text)
        let applications = try JSON(parsing: client.send("GET", "/applications").text)["applications"].elements
        var pids: [Int: Int32] = [:]
        for application in applications {
            pids[application["id"].integer] = Int32(exactly: application["pid"].integer) ?? 0
        }
        var all = tree["screens"].elements.flatMap { screen in
            (screen["windows"].elements + screen["hidden"].elements).map { WindowPlace($0, on: screen, pids) }
        }
        all += tree["waiting"].elements.map { WindowPlace($0, on: .null, pids) }
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
        let all = try JSON(parsing: client.send("GET", "/windows").text)["windows"].elements
        for index in beyond {
            let transform = all.first { $0["id"].integer == windows[index].id }?["transform"].elements ?? []
            // Those that are turned or scaled have their edges elsewhere.
            guard transform.compactMap(\.number) == [1, 0, 0, 1, 0, 0] else { continue }
            let corner = windows[index].frame.origin
            windows[index].area = places[index].offsetBy(x: -corner.x, y: -corner.y)
        }
    }

    private init(_ window: JSON, on screen: JSON, _ pids: [Int: Int32]) {
        id = window["id"].integer
        application = window["application"].integer
        applicationName = window["applicationName"].string ?? ""
        pid = pids[application] ?? 0
        title = window["title"].string ?? ""
        isVisible = window["visible"].isTrue
        isKey = window["key"].isTrue
        self.screen = screen["name"].string
        screenSize = screen["bounds"].rect.size
        scale = screen["scale"].number ?? 1
        frame = window["frame"].rect
        var found: [Surface] = []
        var root: Surface?
        for surface in window["surfaces"].elements {
            let isPopup = surface["role"].text != "root"
            found += Self.surfaces(surface, at: .zero, isPopup: isPopup)
            if !isPopup {
                root = Surface(id: surface["id"].text, isPopup: false, frame: Self.frame(surface, at: .zero))
            }
        }
        surfaces = found
        self.root = root
    }

    private static func surfaces(_ surface: JSON, at origin: Point, isPopup: Bool) -> [Surface] {
        let frame = frame(surface, at: origin)
        let own = Surface(id: surface["id"].text, isPopup: isPopup, frame: frame)
        return surface["children"].elements.flatMap { surfaces($0, at: frame.origin, isPopup: isPopup) } + [own]
    }

    private static func frame(_ surface: JSON, at origin: Point) -> Rect {
        let (position, size) = (surface["position"], surface["size"])
        return Rect(
            x: origin.x + (position["x"].number ?? 0), y: origin.y + (position["y"].number ?? 0),
            width: size["width"].number ?? 0, height: size["height"].number ?? 0)
    }

    /// "PANEL (800×600)", the screen.
    var screenText: String {
        "\(screen ?? "none") (\(JSON.text(screenSize.width))×\(JSON.text(screenSize.height)))"
    }

    /// "window 3 "Title"".
    var text: String { "window \(id)" + (title.isEmpty ? "" : " \"\(title.printable())\"") }
}

extension JSON {
    /// A whole number; 0 for anything else.
    fileprivate var integer: Int { number.flatMap { Int(exactly: $0) } ?? 0 }

    fileprivate var rect: Rect {
        Rect(
            x: self["x"].number ?? 0, y: self["y"].number ?? 0, width: self["width"].number ?? 0,
            height: self["height"].number ?? 0)
    }
}
