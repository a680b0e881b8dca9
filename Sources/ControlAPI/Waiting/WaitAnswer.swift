// What fulfilled the conditions of a wait.

import ControlProtocol
import DisplayServer
import WindowModel

extension API.Waited {
    /// How many windows and applications are listed.
    private static var mostObjects: Int { 256 }

    /// - Parameter elapsed: in microseconds.
    init(_ checks: [ConditionCheck], elapsed: UInt64, on server: DisplayServer) {
        let model = server.model
        self.init(condition: Self.text(checks), elapsed: Double(elapsed) / 1000)
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
                API.Window($0, in: server)
            }
        }
        if applications != nil {
            applications = owners.least(Self.mostObjects).compactMap { model.application($0) }.map {
                API.Application($0, server.client($0.id), in: model)
            }
        }
    }

    static func text(_ checks: [ConditionCheck]) -> String {
        checks.map { "\($0.condition)" }.joined(separator: " and ")
    }

    private static func screen(_ reference: ScreenReference?, _ server: DisplayServer) -> API.Screen? {
        server.screen(reference).map { API.Screen($0, in: server.model) }
    }
}
