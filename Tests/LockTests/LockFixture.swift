// What the tests of locking share.

import DisplayServer
import MullionWayland
import TestSupport
import WindowModel

/// A program with a red window that is key and covers the first screen, and a client that can lock.
struct LockFixture {
    let fixture: ServerFixture
    let editor: TestClient
    let window: TestWindow
    let locker: TestClient

    init(_ fixture: ServerFixture? = nil) throws {
        self.fixture = try fixture ?? ServerFixture()
        editor = try self.fixture.connect("editor")
        window = editor.window("w").color(0xffff0000).frame(0, 0, 800, 600)
        window.makeKeyAndVisible()
        locker = try self.fixture.connect("locker")
    }

    var model: WindowModel { fixture.model }

    /// A lock with a green surface on the client's first output.
    func lock(_ client: TestClient? = nil) throws -> (lock: TestLock, surface: TestLockSurface) {
        let client = client ?? locker
        let lock = try TestLock(client)
        let surface = lock.surface(on: try client.bind(WlOutput.self))
        try surface.map(fixture)
        return (lock, surface)
    }

    func isColor(_ color: UInt32, _ screen: Screen.ID? = nil) throws -> Bool {
        try fixture.screenshot(screen).pixels.allSatisfy { $0 & 0xffffff == color }
    }
}
