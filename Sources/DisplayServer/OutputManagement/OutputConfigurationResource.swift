// zwlr_output_configuration_v1

import MullionWayland
import WindowModel

/// A client's requested configuration of all screens, applied atomically.
final class OutputConfigurationResource: Resource {
    /// The requested configuration per head; nil to disable it.
    private var wanted: [String: OutputConfigurationHeadResource?] = [:]
    /// All head objects, destroyed with the configuration.
    var heads: [OutputConfigurationHeadResource] = []
    var isUsed = false
    private let serial: UInt32

    init(_ client: Client, id: ObjectID, version: UInt32, serial: UInt32) throws(ProtocolError) {
        self.serial = serial
        try super.init(client, id: id, version: version)
    }

    /// Whether screens have changed since the state the configuration is based on. It will be cancelled, so its heads,
    /// which may be gone, are no longer examined (S9).
    var isOutdated: Bool { serial != server.outputManagement.serial }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputConfigurationV1.Request.self, opcode, &reader) {
        case .enableHead(let id, let head):
            try checkUnused()
            let resource = try OutputConfigurationHeadResource(client, id: id, version: version, self)
            heads.append(resource)
            try configure(head, resource)
        case .disableHead(let head):
            try checkUnused()
            try configure(head, nil)
        case .apply: try use(applying: true)
        case .test: try use(applying: false)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        for head in heads { head.destroy() }
    }

    /// - Throws: `already_used` after it was tested or applied.
    func checkUnused() throws(ProtocolError) {
        guard isUsed else { return }
        throw error(.alreadyUsed, "the configuration was already tested or applied and can only be destroyed")
    }

    private func configure(_ head: ObjectID, _ change: OutputConfigurationHeadResource?) throws(ProtocolError) {
        guard !isOutdated else { return }
        let resource = try connection.resource(head, as: OutputHeadResource.self)
        guard !resource.isFinished else { return }
        let name = resource.sent.display.name
        guard wanted.updateValue(change, forKey: name) == nil else {
            throw error(.alreadyConfiguredHead, "head \(name) is already enabled or disabled")
        }
        change?.head = name
    }

    private func use(applying: Bool) throws(ProtocolError) {
        try checkUnused()
        isUsed = true
        // Include this turn's changes: a screen just connected must not be disabled unseen.
        server.deliverEffects()
        server.outputManagement.update()
        guard !isOutdated else { return send(ZwlrOutputConfigurationV1.Event.cancelled) }
        let missing = server.outputManagement.heads.map(\.display.name).filter { wanted[$0] == nil }
        guard missing.isEmpty else {
            throw error(
                .unconfiguredHead, "enable or disable every head; missing: \(missing.joined(separator: ", "))")
        }
        do throws(ModelError) {
            let settings = try settings()
            if applying { try server.apply(settings) } else { try server.check(settings) }
            send(ZwlrOutputConfigurationV1.Event.succeeded)
        } catch {
            server.log(
                .info, "client \(client.description): output configuration failed: \(error)",
                about: client.subject(rule: error.rule))
            send(ZwlrOutputConfigurationV1.Event.failed)
        }
    }

    /// The requested settings of all screens; throws if they are invalid.
    private func settings() throws(ModelError) -> [ScreenSetting] {
        var result: [ScreenSetting] = []
        let screens = server.model.pluggedScreens
        // Programs send the position of every screen, whichever property they change. If none is new, none is set.
        let isLayout = screens.contains { screen in (wanted[screen.name] ?? nil)?.moves(screen) == true }
        for screen in screens {
            let change = wanted[screen.name] ?? nil
            result.append(
                ScreenSetting(
                    screen: screen, isEnabled: change != nil,
                    properties: try change?.properties(of: screen, isLayout: isLayout) ?? screen.properties))
        }
        return result
    }

    private func error(_ code: ZwlrOutputConfigurationV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
