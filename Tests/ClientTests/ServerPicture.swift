// What the control API says of the windows of one program, and of the screens.

import FoundationEssentials
import TestSupport

/// The server's state at one moment.
struct ServerPicture {
    private let tree: Tree
    private let windows: [UInt32: Window]
    private let screens: [Screen]
    private let applications: [Application]

    struct Rect: Decodable { var x, y, width, height: Double }
    struct Point: Decodable { var x, y: Double }
    struct Size: Decodable { var width, height: Double }

    struct Tree: Decodable {
        struct Branch: Decodable {
            struct Window: Decodable { var id: UInt32 }
            var name: String
            var main: Bool
            var windows: [Window]
        }
        var screens: [Branch]
        var keyWindow: UInt32?
    }
    struct WindowList: Decodable { var windows: [Window] }
    struct Window: Decodable {
        var id: UInt32
        var title: String
        var screenName: String?
        var frame: Rect
        var level: Double
        var hidden, visible, key: Bool
        var alpha: Double
        var userInteractionEnabled: Bool
        var autoresizing: [String]
    }
    struct ScreenList: Decodable { var screens: [Screen] }
    struct Screen: Decodable {
        var name: String
        var enabled: Bool
        var kind: String
        var bounds: Rect
        var nativeSize: Size
        var scale: Double
        var orientation: String
        var mode: String
        var position: Point
        var brightness: Double
        var mirrors: String?
    }
    struct ApplicationList: Decodable { var applications: [Application] }
    struct Application: Decodable {
        var name: String
        var windows: [UInt32]
    }

    init(_ server: ServerProcess) throws {
        tree = try Self.get("/tree", of: server)
        let windows: WindowList = try Self.get("/windows", of: server)
        self.windows = Dictionary(uniqueKeysWithValues: windows.windows.map { ($0.id, $0) })
        screens = try Self.screens(of: server)
        applications = try Self.applications(of: server)
    }

    /// All screens that are plugged in, also those that are switched off.
    static func screens(of server: ServerProcess) throws -> [Screen] {
        let list: ScreenList = try get("/screens", of: server)
        return list.screens
    }

    static func applications(of server: ServerProcess) throws -> [Application] {
        let list: ApplicationList = try get("/applications", of: server)
        return list.applications
    }

    private static func get<Value: Decodable>(_ path: String, of server: ServerProcess) throws -> Value {
        let answer = try server.request("GET", "/v1" + path)
        guard answer.status == 200 else { throw FixtureError("GET \(path): \(answer.body)") }
        return try JSONDecoder().decode(Value.self, from: Data(answer.body.utf8))
    }

    /// The ids of an application's windows, back to front (W4).
    private func windows(of application: String) -> [UInt32] {
        applications.first { $0.name == application }?.windows ?? []
    }

    /// What the library of an application should believe.
    /// - Parameter numbers: those that the program gave its windows.
    func picture(of application: String, _ numbers: [UInt32: Int]) throws -> Picture {
        let own = windows(of: application)
        var picture = Picture(windows: [], keyWindow: nil, foundKeyWindow: nil, screens: [])
        for id in own {
            guard let window = windows[id] else { throw FixtureError("window \(id) is not in the list") }
            picture.windows.append(
                Picture.Window(
                    number: numbers[id] ?? -1, title: window.title, level: window.level, isHidden: window.hidden,
                    isVisible: window.visible, isKeyWindow: window.key, frame: Self.numbers(window.frame),
                    screen: window.screenName, alpha: window.alpha,
                    isUserInteractionEnabled: window.userInteractionEnabled,
                    autoresizing: Self.mask(window.autoresizing)
                ))
        }
        picture.keyWindow = tree.keyWindow.flatMap { own.contains($0) ? numbers[$0] : nil }
        let main = tree.screens.first { $0.main }
        // The tree has the order in which windows are drawn, front to back.
        let found = main?.windows.first {
            own.contains($0.id) && windows[$0.id].map { $0.level == 0 && $0.alpha > 0 } == true
        }
        picture.foundKeyWindow = found.flatMap { numbers[$0.id] }
        for branch in tree.screens {
            guard let screen = screens.first(where: { $0.name == branch.name }) else {
                throw FixtureError("screen \(branch.name) is not in the list")
            }
            picture.screens.append(
                Picture.Screen(
                    name: screen.name, isMain: branch.main, isBuiltIn: screen.kind == "builtIn",
                    bounds: Self.numbers(screen.bounds),
                    nativeSize: [screen.nativeSize.width, screen.nativeSize.height],
                    scale: screen.scale, orientation: screen.orientation, mode: Self.mode(screen.mode),
                    position: [screen.position.x, screen.position.y], brightness: screen.brightness,
                    mirroredScreen: screen.mirrors))
        }
        return picture
    }

    /// The visible windows of an application on each screen as they are drawn, back to front (W3).
    func drawn(_ application: String, _ numbers: [UInt32: Int]) -> [[Int]] {
        let own = windows(of: application)
        return tree.screens.map { $0.windows.reversed().filter { own.contains($0.id) }.compactMap { numbers[$0.id] } }
    }

    private static func numbers(_ rect: Rect) -> [Double] { [rect.x, rect.y, rect.width, rect.height] }

    /// "1920x1080@59.94~16:15": width, height and refresh rate in mHz.
    private static func mode(_ text: String) -> [Int] {
        let parts = text.split { "x@~".contains($0) }.map { Double($0) ?? 0 }
        return [Int(parts[0]), Int(parts[1]), Int((parts[2] * 1000).rounded())]
    }

    private static func mask(_ parts: [String]) -> UInt8 {
        let names = ["leftMargin", "width", "rightMargin", "topMargin", "height", "bottomMargin"]
        return parts.reduce(0) { mask, part in mask | (names.firstIndex(of: part).map { 1 << UInt8($0) } ?? 0) }
    }
}
