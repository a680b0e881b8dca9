// /v1/windows and below

import ControlProtocol
import DisplayServer
import EventLoop
import MullionGeometry
import MullionSystem
import WindowModel

extension ControlServer {
    var windowRoutes: [Route] {
        [
            Route(.getWindows) { [unowned self] request in
                let (server, model) = (server, server.model)
                return try reply(to: request, entries: model.windows.count) {
                    let all = model.windows.compactMap { model.window($0) }
                    return API.WindowList(windows: all.map { API.Window($0, in: server) })
                } encode: { list in
                    .json(list)
                }
            },
            Route(.getWindowsId) { [unowned self] in
                .reply(.json(API.Window(try window($0), in: server)))
            },
            Route(.patchWindowsId) { [unowned self] in
                let window = try window($0)
                try server.change(window, by: try $0.body(WindowPatch.self))
                guard $0.disclosure.includesWindows else { return .reply(HTTPResponse(status: 204)) }
                return .reply(.json(API.Window(try self.window($0), in: server)))
            },
            Route(.deleteWindowsId) { [unowned self] in
                let window = try window($0)
                if case .lock = server.windows[window.id] { throw Problem.lockWindow(window.id) }
                guard try $0.flag("force") else {
                    requestClose(window.id)
                    return .reply(HTTPResponse(status: 202))
                }
                try destroy(window.id)
                return .reply(HTTPResponse(status: 204))
            },
        ]
    }

    func window(_ request: ControlRequest) throws(Problem) -> Window { try window(named: request.parameter("id")) }

    func window(named text: String) throws(Problem) -> Window {
        guard let id = DecimalText.whole(text, as: UInt32.self) else {
            throw Problem(.noWindow, "\"\(text)\" is not a window; use its id")
        }
        guard let window = server.model.window(Window.ID(rawValue: id)) else {
            throw Problem(.noWindow, "there is no window \(id), or it was closed", rule: .w7)
        }
        return window
    }

    /// The client decides.
    private func requestClose(_ id: Window.ID) {
        switch server.windows[id] {
        case .window(let window): window.requestClose()
        case .toplevel(let toplevel): toplevel.requestClose()
        case .layer(let layer): layer.close()
        case .lock, nil: break
        }
    }

    /// W7: hides the window first, so that its client is notified, then destroys it.
    private func destroy(_ id: Window.ID) throws(ModelError) {
        try server.model.setHidden(true, of: id)
        server.deliverAndFlush()
        switch server.windows[id] {
        case .window(let window): window.end()
        case .toplevel(let toplevel): toplevel.remove()
        case .layer(let layer): layer.close()
        case .lock: break
        case nil: if server.model.window(id) != nil { try server.model.destroyWindow(id) }
        }
    }
}

extension DisplayServer {
    /// Checks everything before changing anything.
    func change(_ window: Window, by patch: WindowPatch) throws {
        let id = window.id
        let screen = try patch.screen.map { try self.screen($0.text) }
        try patch.check(titleBytes: limits.titleBytes)
        if patch.key == true, !window.canBecomeKey {
            throw Problem(.notAllowed, "window \(id) cannot become key", rule: .k4)
        }
        if patch.frame != nil, case .toplevel(let toplevel) = windows[id], !toplevel.hasPlace {
            throw Problem(
                .notAllowed,
                "window \(id) of a plain program has no content yet; it gets a frame with its first content",
                rule: .v1)
        }
        if case .lock = windows[id] { throw Problem.lockWindow(id) }
        if patch.frame != nil, case .layer = windows[id] {
            throw Problem(
                .notAllowed, "window \(id) is a layer surface, which its anchors place; change its screen or level",
                rule: .w6)
        }
        if patch.autoresizing != nil, window.needsContent {
            throw Problem(
                .notAllowed, "window \(id) is of a plain program, which has no autoresizing mask", rule: .r2)
        }
        if let screen { try model.move(id, to: screen.id) }
        if let frame = patch.frame?.value.rect { try setFrame(frame, of: id) }
        if let level = patch.level?.level { try model.setLevel(level, of: id) }
        if let mask = patch.autoresizing?.mask { try model.setAutoresizing(mask, of: id) }
        if let alpha = patch.alpha { try model.setAlpha(alpha, of: id) }
        if let title = patch.title { try model.setTitle(title, of: id) }
        if let enabled = patch.userInteractionEnabled { try model.setUserInteractionEnabled(enabled, of: id) }
        // K3's order: shown, brought to the front, made key.
        if let hidden = patch.hidden { try model.setHidden(hidden, of: id) }
        if patch.front == true { try model.bringToFront(id) }
        if let key = patch.key { try key ? model.makeKey(id) : model.resignKey(id) }
    }

    private func setFrame(_ frame: Rect, of id: Window.ID) throws(ModelError) {
        if case .toplevel(let toplevel) = windows[id] { return toplevel.requestFrame(frame) }
        try model.setFrame(frame, of: id)
    }
}

extension WindowPatch {
    /// Throws for values that no window can have.
    /// - Parameter titleBytes: the longest title, in bytes of UTF-8.
    func check(titleBytes: Int) throws(Problem) {
        if let frame = frame?.value.rect {
            guard frame.isFinite, frame.size.width >= 0, frame.size.height >= 0 else {
                throw Problem(.invalidValue, "the frame is not finite, or its size is negative", rule: .w6)
            }
        }
        if let level = level?.level, !Window.Level.isValid(level) {
            throw Problem(.invalidValue, Window.Level.mistake(level), rule: .w2)
        }
        if let alpha, !(0...1).contains(alpha) {
            throw Problem(.invalidValue, "alpha \(alpha) must be within 0…1", rule: .w1)
        }
        if let title, title.utf8.count > titleBytes {
            throw Problem(.invalidValue, "a title has at most \(titleBytes) bytes of UTF-8", rule: .w1)
        }
        // The title is sent to the client, and Wayland's strings end at a NUL.
        if let title, title.utf8.contains(0) {
            throw Problem(.invalidValue, "a title cannot contain NUL", rule: .w1)
        }
        if front == false {
            throw Problem(.invalidValue, "front: false is not supported; bring another window to the front", rule: .w3)
        }
    }
}
