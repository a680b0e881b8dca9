// Copying and pasting with the client library.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct PasteboardTests {
    /// Two programs, of which the first has the keyboard.
    private struct Pair {
        let fixture: ClientFixture
        let other: Application
        let window: Window
        let otherWindow: Window
        var application: Application { fixture.application }

        @MainActor init() throws {
            fixture = try ClientFixture()
            other = try fixture.connect()
            window = Window(fixture.application)
            otherWindow = Window(other)
            window.makeKeyAndVisible()
            otherWindow.isHidden = false
            try other.roundTrip()
            try fixture.application.roundTrip()
        }

        /// Gives the keyboard to the other program.
        @MainActor func switchPrograms() throws {
            try application.roundTrip()
            otherWindow.makeKey()
            try other.roundTrip()
        }

        /// Runs both programs while `body` runs.
        @MainActor func running(_ body: () async throws -> Void) async throws {
            let loops = [application, other].map { application in
                Task { @MainActor in try await application.run() }
            }
            try await body()
            application.stop()
            other.stop()
            for loop in loops { try await loop.value }
        }
    }

    private func pasteboards(_ pair: Pair) -> [(own: Pasteboard, other: Pasteboard)] {
        [
            (pair.application.pasteboard, pair.other.pasteboard),
            (pair.application.primaryPasteboard, pair.other.primaryPasteboard),
        ]
    }

    @Test("What a program set itself is read without the server")
    func own() throws {
        let pair = try Pair()
        for (pasteboard, _) in pasteboards(pair) {
            var changes = 0
            let token = pasteboard.onChange { changes += 1 }
            #expect(pasteboard.string == nil && !pasteboard.hasStrings && pasteboard.changeCount == 0)
            pasteboard.string = "Grüße 😀"
            #expect(pasteboard.string == "Grüße 😀" && pasteboard.hasStrings && pasteboard.changeCount == 1)
            try pair.application.roundTrip()
            // The server offers it to this program as well, which changes nothing.
            #expect(pasteboard.string == "Grüße 😀" && pasteboard.changeCount == 1 && changes == 1)
            pasteboard.setData([1, 2, 3], forType: "image/x-test")
            #expect(pasteboard.types == ["image/x-test"] && pasteboard.string == nil && !pasteboard.hasStrings)
            #expect(pasteboard.data(forType: "image/x-test") == [1, 2, 3])
            #expect(pasteboard.data(forType: "image/png") == nil)
            pasteboard.string = nil
            #expect(pasteboard.types == [])
            try pair.application.roundTrip()
            #expect(changes == 3)
            token.cancel()
        }
    }

    @Test("Text and large data of another program arrive; the general and the primary pasteboard are two")
    func fromOther() async throws {
        let pair = try Pair()
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for (index, (pasteboard, other)) in pasteboards(pair).enumerated() {
            pair.window.makeKey()
            try pair.application.roundTrip()
            pasteboard.setData(["text/plain;charset=utf-8": [UInt8]("text \(index) ü".utf8), "image/x-test": large])
            try pair.switchPrograms()
            #expect(other.hasStrings)
            #expect(other.types == ["text/plain;charset=utf-8", "image/x-test"])
            try await pair.running {
                // Other tests hold up the main actor of this process, which the writing program needs.
                #expect(await other.loadString(patience: 600) == "text \(index) ü")
                #expect(await other.loadData(forType: "image/x-test", patience: 600) == large)
                #expect(await other.loadData(forType: "image/png") == nil)
            }
        }
        #expect(pair.other.pasteboard.types != [])
        // Another copy replaces the first program's.
        pair.other.pasteboard.string = "mine"
        try pair.other.roundTrip()
        try pair.application.roundTrip()
        #expect(pair.application.pasteboard.types == [])
        #expect(pair.application.primaryPasteboard.types != [])
    }

    @Test("A program that writes nothing holds up nobody: reading gives up, or is cancelled")
    func silent() async throws {
        let pair = try Pair()
        let (pasteboard, other) = (pair.application.pasteboard, pair.other.pasteboard)
        pasteboard.string = "never written"
        try pair.switchPrograms()
        let start = ContinuousClock.now
        #expect(other.string == nil)
        #expect(ContinuousClock.now - start >= .seconds(Pasteboard.blockingPatience))
        let reading = Task { await other.loadString() }
        await Task.yield()
        reading.cancel()
        #expect(await reading.value == nil)
    }

    @Test("A reader that goes away in the middle does not end the program that writes")
    func deserter() async throws {
        let pair = try Pair()
        let (pasteboard, other) = (pair.application.pasteboard, pair.other.pasteboard)
        let large = [UInt8](repeating: 7, count: 2_000_000)
        pasteboard.setData(large, forType: "image/x-test")
        try pair.switchPrograms()
        let readings = (0..<10).map { _ in Task { await other.loadData(forType: "image/x-test") } }
        await Task.yield()
        for reading in readings { reading.cancel() }
        for reading in readings { #expect(await reading.value == nil) }
        try await pair.running {
            #expect(await other.loadData(forType: "image/x-test", patience: 600) == large)
        }
    }

    @Test("Without keyboard focus, others' content cannot be read, and what is set is taken back")
    func unfocused() throws {
        let pair = try Pair()
        pair.application.pasteboard.string = "secret"
        try pair.application.roundTrip()
        let pasteboard = pair.other.pasteboard
        #expect(pasteboard.string == nil && pasteboard.types == [])
        var changes = 0
        pasteboard.onChange { changes += 1 }
        pasteboard.string = "refused"
        #expect(pasteboard.string == "refused")
        try pair.other.roundTrip()
        #expect(pasteboard.string == nil && changes == 2)
        #expect(pair.application.pasteboard.string == "secret")
    }

    @Test("A program that ends before it has written anything gives nothing, rather than an empty text")
    func dead() async throws {
        let pair = try Pair()
        let (pasteboard, other) = (pair.application.pasteboard, pair.other.pasteboard)
        pasteboard.string = "never written"
        try pair.switchPrograms()
        let reading = Task { await other.loadString(patience: 60) }
        await Task.yield()
        pair.application.disconnect()
        #expect(await reading.value == nil)
        try pair.other.roundTrip()
        #expect(!other.hasStrings)
    }
}
