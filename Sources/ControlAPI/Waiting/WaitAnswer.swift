// What fulfilled the conditions of a wait.

import DisplayServer
import WindowModel

/// The answer to `GET /v1/wait`.
struct WaitAnswer: Encodable {
    /// The conditions as on the command line, joined by "and".
    var condition: String
    /// Milliseconds of real time.
    var elapsed: Double
    /// The windows that match, in order of creation, at most `mostObjects`; absent without a condition of windows.
    var windows: [WindowPayload]?
    /// The applications that match; absent without a condition of applications or clients.
    var applications: [ApplicationPayload]?
    /// The screen of the first condition of a screen or its pixels, if connected.
    var screen: ScreenPayload?
    /// What the first expected pixel shows.
    var pixel: Pixel?

    struct Pixel: Encodable {
        var x: Int
        var y: Int
        /// "#rrggbb".
        var color: String
    }

    /// How many windows and applications are listed.
    private static let mostObjects = 256

    /// - Parameter elapsed: in microseconds.
    init(_ checks: [ConditionCheck], elapsed: UInt64, on server: DisplayServer) {
        let model = server.model
        condition = Self.text(checks)
        self.elapsed = Double(elapsed) / 1000
        var found: Set<Window.ID> = []
        var owners: Set<Application.ID> = []
        for check in checks {
            switch check.condition {
            case .window, .gone:
                found.formUnion(check.windows)
                windows = []
            case .application, .client:
                owners.formUnion(check.applications)
                applications = []
            case .screen(let reference, _, _): screen = screen ?? Self.screen(reference, server)
            case .still(let reference, _): screen = screen ?? Self.screen(reference, server)
            case .pixel(let pixel): screen = screen ?? Self.screen(pixel.screen, server)
            case .idle: break
            }
        }
        if windows != nil {
            windows = found.least(Self.mostObjects).compactMap { model.window($0) }.map {
                WindowPayload($0, in: server)
            }
        }
        if applications != nil {
            applications = owners.least(Self.mostObjects).compactMap { model.application($0) }.map {
                ApplicationPayload($0, server.client($0.id), in: model)
            }
        }
    }

    static func text(_ checks: [ConditionCheck]) -> String {
        checks.map { "\($0.condition)" }.joined(separator: " and ")
    }

    private static func screen(_ reference: ScreenReference?, _ server: DisplayServer) -> ScreenPayload? {
        server.screen(reference).map { ScreenPayload($0, in: server.model) }
    }
}
