// When a client receives wl_buffer.release.

import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct BufferReleaseTests {
    @Test("a replaced buffer is released before the frame callback is done, so that a client with two never stalls")
    func releaseBeforeCallback() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 50, 50)
        var order: [String] = []
        var done = 0
        for number in 0..<6 {
            let buffer = try client.attach(0xffff0000, width: 50, height: 50, to: window.surface)
            buffer.onEvent = { _ in order.append("release \(number)") }
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { _ in
                order.append("done \(number)")
                done += 1
            }
            window.surface.send(.frame(callback: callback.id))
            window.show()
            try fixture.wait(for: "frame \(number)") { done == number + 1 }
        }
        #expect(
            order == [
                "done 0", "release 0", "done 1", "release 1", "done 2", "release 2", "done 3", "release 3", "done 4",
                "release 4", "done 5",
            ])
    }

    @Test("while a drawing reads the replaced buffer, the frame callback waits for its release")
    func releaseAfterDrawing() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let (drawn, other) = (client.window("drawn"), client.window("other"))
        var order: [String] = []
        func commit(_ window: TestWindow, _ name: String) throws {
            let buffer = try client.attach(0xffff0000, width: 50, height: 50, to: window.surface)
            buffer.onEvent = { _ in order.append("release \(name)") }
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { _ in order.append("done \(name)") }
            window.surface.send(.frame(callback: callback.id))
            window.frame(0, 0, 50, 50).show()
            try fixture.pump()
        }
        try commit(drawn, "1")
        try fixture.wait(for: "the first frame") { order == ["done 1"] }
        let surface = try #require(fixture.server.surfaces.all.first { $0.contents != nil })
        // As drawings do.
        var contents = surface.contents
        try commit(drawn, "2")
        for number in 1...3 {
            try commit(other, "other \(number)")
            try fixture.wait(for: "another window's frame") { order.contains("done other \(number)") }
        }
        #expect(contents != nil && !order.contains("done 2") && !order.contains("release 1"))
        contents = nil
        try fixture.wait(for: "the frame") { order.contains("done 2") }
        #expect(order.filter { !$0.contains("other") } == ["done 1", "release 1", "done 2"])
    }

    @Test("without a frame callback a replaced buffer is released at once")
    func releaseAtOnce() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 50, 50)
        var released = false
        let first = try client.attach(0xffff0000, width: 50, height: 50, to: window.surface)
        first.onEvent = { _ in released = true }
        window.show()
        try fixture.pump()
        #expect(!released, "it is still shown")
        try client.attach(0xff00ff00, width: 50, height: 50, to: window.surface)
        window.commit()
        try fixture.pump()
        #expect(released)
    }
}
