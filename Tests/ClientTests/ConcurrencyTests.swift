// Swift concurrency and Dispatch.

import Dispatch
import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ConcurrencyTests {
    @MainActor private final class Log {
        var lines: [String] = []
    }

    @Test("run() lets tasks, the main queue, timers and other threads change windows, and commits what they changed")
    func driven() async throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let window = Window(application)
        let log = Log()
        let task = Task { @MainActor in
            await Task.yield()
            window.makeKeyAndVisible()
            for await event in window.events {
                if case .didBecomeKey = event { break }
            }
            log.lines.append("key")
            DispatchQueue.main.async {
                log.lines.append("main queue")
                window.title = "changed"
                DispatchQueue.global().async {
                    DispatchQueue.main.async {
                        log.lines.append("thread")
                        application.after(0.01) {
                            log.lines.append("timer")
                            window.isHidden = true
                        }
                    }
                }
            }
        }
        let notifications = Task { @MainActor in
            for await event in application.notifications {
                if case .windowDidBecomeHidden = event { application.stop() }
            }
            log.lines.append("ended")
        }
        try await application.run()
        await task.value
        #expect(log.lines == ["key", "main queue", "thread", "timer"])
        #expect(try fixture.request("GET", "/windows").contains("\"title\":\"changed\""))
        application.disconnect()
        await notifications.value
        #expect(log.lines.last == "ended")
    }

    @Test("A screen's events are a sequence, which ends when the screen is unplugged")
    func screenEvents() async throws {
        let fixture = try ClientFixture(screens: ["800x600", "640x480,external,name=TV"])
        let application = fixture.application
        let screen = try #require(application.screens.last)
        var seen: [String] = []
        let task = Task { @MainActor in
            for await event in screen.events { seen.append("\(event)".prefix { $0 != "(" }.description) }
            application.stop()
        }
        await Task.yield()
        try fixture.request("PATCH", "/screens/TV", #"{"scale": 2}"#)
        try fixture.request("DELETE", "/screens/TV")
        try await application.run()
        await task.value
        #expect(seen == ["didChange", "didDisconnect"])
    }

    @Test("Sequences end with what they are about, also when they are asked for afterwards or the server goes")
    func sequences() async throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let closed = Window(application)
        closed.close()
        for await _ in closed.events {}
        let window = Window(application)
        let windowTask = Task { @MainActor in for await _ in window.events {} }
        let task = Task { @MainActor in for await _ in application.notifications {} }
        await Task.yield()
        try fixture.server.stop()
        await #expect(throws: ApplicationError.self) { try await application.run() }
        await windowTask.value
        await task.value
        for await _ in application.notifications {}
        #expect(window.isClosed && application.windows.isEmpty)
    }

    @Test("run() returns when its task is cancelled, and when a callback disconnects")
    func returning() async throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let run = Task { @MainActor in try await application.run() }
        await Task.yield()
        run.cancel()
        try await run.value
        application.after(0.01) { application.disconnect() }
        try await application.run()
        let other = try fixture.connect()
        other.after(0.01) { other.disconnect() }
        func runSynchronously() throws { try other.run() }
        try runSynchronously()
    }

    @Test("Timers in the far future never fire")
    func farTimers() async throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        application.after(1e15) { Issue.record("fired") }
        application.after(.infinity) { Issue.record("fired") }
        let task = Task { @MainActor in
            await Task.yield()
            application.stop()
        }
        try await application.run()
        await task.value
    }
}
