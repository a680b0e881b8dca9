// A program whose commits wait for frames and times.

import DisplayServer
import MullionWayland
import TestSupport
import WindowModel

/// A surface whose commits are numbered: each has the colour of its number, a frame callback and presentation feedback.
final class NumberedSurface {
    let client: TestClient
    let surface: Proxy<WlSurface>
    let fifo: Proxy<WpFifoV1>
    let timer: Proxy<WpCommitTimerV1>
    private let presentation: Proxy<WpPresentation>
    private let size: (width: Int32, height: Int32)
    /// The numbers whose frame callbacks were done, with the time in milliseconds.
    private(set) var done: [[Int]] = []
    /// The numbers that were presented, with the time in milliseconds.
    private(set) var presented: [[Int]] = []
    private(set) var discarded: [Int] = []
    private(set) var released: [Int] = []

    init(_ client: TestClient, _ surface: Proxy<WlSurface>, width: Int32 = 20, height: Int32 = 20) throws {
        self.client = client
        self.surface = surface
        size = (width, height)
        presentation = try client.bind(WpPresentation.self)
        let fifos = try client.bind(WpFifoManagerV1.self)
        let timers = try client.bind(WpCommitTimingManagerV1.self)
        fifo = Proxy(client.connection, version: 1)
        fifos.send(.getFifo(id: fifo.id, surface: surface.id))
        timer = Proxy(client.connection, version: 1)
        timers.send(.getTimer(id: timer.id, surface: surface.id))
    }

    /// - Parameters:
    ///   - sets: whether it sets a barrier.
    ///   - waits: whether it waits for one.
    ///   - time: when it is due, in microseconds.
    func commit(_ number: Int, sets: Bool = false, waits: Bool = false, at time: UInt64? = nil) throws {
        let buffer = try client.attach(
            0xff00_0000 | UInt32(number), width: size.width, height: size.height, to: surface)
        buffer.onEvent = { [unowned self] in if case .release = $0 { released.append(number) } }
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        callback.onEvent = { [unowned self] in
            guard case .done(let time) = $0 else { return }
            done.append([number, Int(time)])
        }
        surface.send(.frame(callback: callback.id))
        let feedback = Proxy<WpPresentationFeedback>(client.connection, version: presentation.version)
        feedback.onEvent = { [unowned self] event in
            switch event {
            case .presented(_, let seconds, let nanoseconds, _, _, _, _):
                presented.append([number, Int(seconds) * 1000 + Int(nanoseconds) / 1_000_000])
            case .discarded: discarded.append(number)
            case .syncOutput: break
            }
        }
        presentation.send(.feedback(surface: surface.id, callback: feedback.id))
        if sets { fifo.send(.setBarrier) }
        if waits { fifo.send(.waitBarrier) }
        if let time { setTime(time) }
        surface.send(.commit)
    }

    /// Requests a time for the next commit, in microseconds.
    func setTime(_ time: UInt64, nanoseconds: UInt32 = 0) {
        timer.send(
            .setTimestamp(
                tvSecHi: UInt32((time / 1_000_000) >> 32), tvSecLo: UInt32(truncatingIfNeeded: time / 1_000_000),
                tvNsec: UInt32(time % 1_000_000) * 1000 + nanoseconds))
    }
}

/// A server with the manual clock, which begins at 1 s, and a numbered surface in a window at (0, 0).
struct QueueFixture {
    let fixture: ServerFixture
    let client: TestClient
    let window: TestWindow
    let numbered: NumberedSurface

    init(clock: ClockMode = .manual, screens: [String] = ["640x480@50"]) throws {
        fixture = try ServerFixture.handingOver(screens: screens, clock: clock)
        client = try fixture.connect("queue")
        client.application.send(.setName(name: "queue"))
        window = client.window("w", on: client.screens.last).frame(0, 0, 20, 20)
        window.show()
        numbered = try NumberedSurface(client, window.surface)
        try fixture.pump()
    }

    /// The number of the last commit that was applied.
    func shown() throws -> Int { Int(try fixture.color(x: 5, y: 5, on: fixture.model.screens.last)) }
}
