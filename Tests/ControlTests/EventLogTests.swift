// The bounded event log, the tree as text, and the worker.

import ControlProtocol
import EventLoop
import MullionGeometry
import MullionSystem
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct EventLogTests {
    @Test("a reader that returns receives what it missed, and is notified of what was dropped")
    func resume() {
        var log = EventLog(capacity: 4)
        #expect(log.entries(after: 0).entries.isEmpty && log.entries(after: 0).missed == 0)
        for number in 1...10 {
            _ = log.append(.effect(.needsDisplay(Screen.ID(rawValue: UInt32(number))), EventNames.Subject()), time: 0)
        }
        #expect(log.entries(after: 8).entries.map(\.number) == [9, 10])
        #expect(log.entries(after: 8).missed == 0)
        #expect(log.entries(after: 2).entries.map(\.number) == [7, 8, 9, 10])
        #expect(log.entries(after: 2).missed == 4)
        #expect(log.entries(after: 10).entries.isEmpty)
        for entry in log.entries(after: 0).entries {
            #expect(entry.effect == .needsDisplay(Screen.ID(rawValue: UInt32(entry.number))))
        }
    }

    @Test("the tree shows windows front to back by level, and its output cannot control a terminal")
    func tree() throws {
        let server = DisplayServer(loop: try EventLoop())
        try server.plug(ScreenSpecification(model: "800x600"))
        let model = server.model
        let application = model.addApplication(name: "app")
        var options = Window.Options(frame: Rect(x: 0, y: 0, width: 10, height: 10), title: "low\u{1b}[2J")
        let low = try model.createWindow(application: application, options: options)
        options = Window.Options(frame: Rect(x: 1.5, y: 0, width: 10, height: 10), level: 2000, title: "high")
        let high = try model.createWindow(application: application, options: options)
        for window in [high, low] { try model.setHidden(false, of: window) }
        try model.makeKey(low)
        let surface = model.createSurface()
        try model.setContent(surface, size: Size(width: 10, height: 10))
        try model.setRoot(surface, of: high)
        #expect(
            TreeText(API.Tree(model)).text == """
                screen 1 BUILTIN-1               800x600@60 ×1  0,0 800×600  main
                  level 2000 alert
                    window 2 app "high"          1.5,0 10×10
                      surface 0.0                0,0 10×10      root
                  level 0 normal
                    window 1 app "low\\u001b[2J"  0,0 10×10      key

                """)
        try server.disconnect(model.screens[0])
        #expect(TreeText(API.Tree(model)).text.hasPrefix("waiting for a screen\n  window 1"))
    }

    @Test("the worker runs its jobs in order, on another thread, and starts again when idle")
    func worker() throws {
        let loop = try EventLoop()
        let worker = Worker()
        var results: [Int] = []
        for round in 0..<2 {
            for number in 0..<5 {
                let done = loop.completion { results.append($0) }
                worker.perform { done(round * 5 + number) }
            }
            while results.count < (round + 1) * 5 { try loop.runOnce() }
        }
        #expect(results == Array(0..<10))
    }
}
