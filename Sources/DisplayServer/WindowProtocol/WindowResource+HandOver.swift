// mullion_window_v1 and mullion_screen_v1 for a server that takes over.

import Geometry
import Wayland
import WindowModel

extension WindowResource: HandedOver {
    struct Record: Codable {
        enum Change: Codable {
            /// A request as it is on the wire, without its header.
            case request(opcode: UInt16, words: [UInt32])
            case screen(ObjectID?)
        }

        var surface: ObjectID?
        var window: Window.ID?
        var pending: [Change]
        var pendingTitle: String?
        var lastFrame: Rect

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try WindowResource(reader.client, id: id, version: version)
            if let surface: SurfaceResource = try reader.resource(surface) {
                try surface.setRole(object, errorOn: id, code: 0)
                object.surface = surface
            }
            if let window {
                try reader.checkWindow(window)
                object.window = window
                reader.server.windows[window] = .window(object)
            }
            object.pendingTitle = pendingTitle
            object.lastFrame = lastFrame
            object.pending = try pending.map { change in
                switch change {
                case .screen(let id): .screen(try reader.resource(id))
                case .request(let opcode, let words): .request(try words.request(opcode, version))
                }
            }
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .window(
            Record(
                surface: surface.flatMap { $0.isAlive ? $0.id : nil }, window: window,
                pending: pending.map { change in
                    switch change {
                    case .screen(let screen): return .screen(screen.flatMap { $0.isAlive ? $0.id : nil })
                    case .request(let request):
                        let out = OutputBuffer(capacity: 16)
                        request.encode(to: out, object: id)
                        let words = out.contents
                        return .request(
                            opcode: UInt16(truncatingIfNeeded: words[1]), words: Array(words.dropFirst(2)))
                    }
                }, pendingTitle: pendingTitle, lastFrame: lastFrame))
    }
}

extension [UInt32] {
    fileprivate func request(_ opcode: UInt16, _ version: UInt32) throws -> MullionWindowV1.Request {
        try unsafe withUnsafeBufferPointer { words in
            var reader = unsafe MessageReader(words: words, descriptors: DescriptorQueue())
            return try MullionWindowV1.Request(opcode: opcode, version: version, from: &reader)
        }
    }
}

extension ScreenResource: HandedOver {
    struct Record: Codable {
        var screen: Screen.ID?
        var identity: Screen.Identity

        func make(_ version: UInt32, _ reader: HandOverReader) throws {
            _ = ScreenResource(
                reader.client, version: version, screen: try reader.screen(screen)?.id, identity: identity)
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .screen(Record(screen: screen, identity: identity))
    }
}
