// GET and PATCH /v1/keyboard

import ConfigurationSections
import ControlProtocol
import DisplayServer
import EventLoop
import MullionKeymaps
import WindowModel

extension ControlServer {
    var keyboardRoutes: [Route] {
        [
            Route(.getKeyboard) { [unowned self] request in
                .reply(.json(API.Keyboard(keyboard(of: try seat(of: request)))))
            },
            Route(.patchKeyboard) { [unowned self] request in
                let seat = try seat(of: request)
                let patch = try request.body(KeyboardPatch.self)
                change(seat, by: patch, to: try patch.applied(to: keyboard(of: seat)), request)
                return .later
            },
        ]
    }

    /// Changes a keyboard as soon as its layouts are compiled, which others do not wait for.
    private func change(
        _ seat: ServerSeat?, by patch: KeyboardPatch, to new: KeyboardConfiguration, _ request: ControlRequest
    ) {
        server.compileLayouts(of: [new]) { [weak self] compiled in
            guard let self else { return }
            do {
                let now = try patch.applied(to: keyboard(of: seat))
                // Another request has changed the keyboard meanwhile.
                guard now == new else { return change(seat, by: patch, to: now, request) }
                try server.setKeyboard(new, of: seat?.id, compiled)
                request.http.reply(.json(API.Keyboard(keyboard(of: seat))))
            } catch {
                refuse(request.http, request.admission, error)
            }
        }
    }

    /// The seat named by a request; nil for all seats.
    private func seat(of request: ControlRequest) throws(ModelError) -> ServerSeat? {
        guard let name = request.http.queryItem("seat") else { return nil }
        return try server.seat(named: name)
    }

    private func keyboard(of seat: ServerSeat?) -> KeyboardConfiguration {
        seat?.keyboard.configuration ?? server.keyboard
    }
}

extension API.KeyboardLayout {
    fileprivate init(_ layout: KeyboardLayout) {
        self.init(
            rules: layout.rules, model: layout.model, layout: layout.layout, variant: layout.variant,
            options: layout.options)
    }
}

extension API.Keyboard {
    init(_ configuration: KeyboardConfiguration) {
        self.init(
            API.KeyboardLayout(configuration.layout),
            repeat: API.KeyRepetition(rate: Int(configuration.repeatRate), delay: Int(configuration.repeatDelay)),
            applications: configuration.applications.mapValues { API.KeyboardLayout($0) })
    }
}

/// The body of `PATCH /v1/keyboard`: the changes, for all applications or for one.
struct KeyboardPatch: StrictlyDecodable {
    var change: KeyboardLayoutChange
    var `repeat`: KeyboardRepeatChange?
    var application: String?

    typealias Keys = API.Keys.KeyboardPatch

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        change = try KeyboardLayoutChange(from: container) { Keys(rawValue: $0.rawValue) }
        `repeat` = try container.decodeIfPresent(KeyboardRepeatChange.self, forKey: .repeat)
        application = try container.decodeIfPresent(String.self, forKey: .application)
    }

    func applied(to old: KeyboardConfiguration) throws(Problem) -> KeyboardConfiguration {
        var new = old
        if let application {
            guard `repeat` == nil else {
                throw Problem(.invalidField, "repeat is the same for all applications; leave application out")
            }
            guard !application.isEmpty, !change.isEmpty else {
                throw Problem(
                    .invalidField, "\"application\" needs a name and one of rules, model, layout, variant or options")
            }
            new.applications[application] = change.applied(to: old.applications[application] ?? old.layout)
        } else {
            new.layout = change.applied(to: old.layout)
        }
        `repeat`?.apply(to: &new)
        return new
    }
}
