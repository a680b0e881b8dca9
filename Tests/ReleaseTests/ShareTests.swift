// A client with endless costly requests gets no more than its share of the server.

import Glibc
import MullionWayland
import TestSupport
import Testing

/// The server's processor time before it answers another client, which does not depend on how busy the machine is.
@Suite(.serialized) struct ShareTests {
    /// Many times two turns of the loop of a millisecond each, with overhead; each of these attacks took hundreds of
    /// milliseconds while shares were counted in bytes.
    private static let most = Programs.isServerShipped ? 0.015 : 0.15

    @Test("others are served while 8,000 sub-surfaces are put into another surface and taken out again")
    func height() throws {
        let attack = try Attack()
        let (top, tree) = (try attack.client.surface(), try attack.client.surface())
        _ = try attack.children(of: tree, 8000)
        try attack.judge(Self.most) { client in
            let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
            attack.subcompositor.send(.getSubsurface(id: subsurface.id, surface: tree.id, parent: top.id))
            subsurface.send(.destroy)
            top.send(.commit)
        }
    }

    @Test("others are served while one of 8,000 sub-surfaces is moved with each commit")
    func moves() throws {
        let attack = try Attack()
        let window = try attack.client.toplevel(showing: attack.buffer)
        let children = try attack.children(of: window.surface, 8000)
        var turn: Int32 = 0
        try attack.judge(Self.most) { _ in
            turn += 1
            children[Int(turn) % children.count].send(.setPosition(x: turn % 7, y: turn % 5))
            window.surface.send(.commit)
        }
    }

    @Test("others are served while a picture of 1,500 screen-size translucent layers is drawn")
    func layers() throws {
        let attack = try Attack()
        let window = try attack.client.toplevel(showing: attack.buffer)
        let viewporter = try attack.client.bind(WpViewporter.self)
        _ = try attack.children(of: window.surface, 1500) { surface in
            let viewport = Proxy<WpViewport>(attack.client.connection, version: 1)
            viewporter.send(.getViewport(id: viewport.id, surface: surface.id))
            viewport.send(.setDestination(width: 1900, height: 1000))
        }
        window.surface.send(.commit)
        try attack.client.roundTrip()
        let control = try attack.server.openControl()
        let request = "GET /v1/screenshot.png HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(write(control.rawValue, request, request.utf8.count) == request.utf8.count)
        try withExtendedLifetime(control) {
            try attack.judge(Self.most) { _ in window.surface.send(.commit) }
        }
    }
}

/// A client that floods the server, and one that waits for responses.
private final class Attack {
    let server: ServerProcess
    let client: WireClient
    let subcompositor: Proxy<WlSubcompositor>
    let buffer: Proxy<WlBuffer>
    private let other: WireClient
    /// In the server's processor time.
    private var clock = clockid_t()

    init() throws {
        server = try ServerProcess(options: ["--screen", "1920x1080"])
        client = try WireClient(server)
        other = try WireClient(server)
        subcompositor = try client.bind(WlSubcompositor.self)
        let pool = try client.pool(memoryFile(bytes: 64 * 64 * 4), bytes: 64 * 64 * 4)
        buffer = client.buffer(of: pool, width: 64, height: 64)
        guard clock_getcpuclockid(server.server.pid, &clock) == 0 else { throw FixtureError("clock_getcpuclockid") }
    }

    /// Sub-surfaces with content.
    func children(
        of parent: Proxy<WlSurface>, _ count: Int, _ prepare: (Proxy<WlSurface>) -> Void = { _ in }
    ) throws -> [Proxy<WlSubsurface>] {
        try (0..<count).map { index in
            if index % 100 == 0 { try client.roundTrip() }
            let surface = try client.surface()
            let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
            subcompositor.send(.getSubsurface(id: subsurface.id, surface: surface.id, parent: parent.id))
            prepare(surface)
            surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            surface.send(.commit)
            return subsurface
        }
    }

    /// Sends requests while the flood's socket is full, and measures the server's work until each answer.
    func judge(_ most: Double, _ step: (WireClient) -> Void) throws {
        try client.roundTrip()
        var spent: [Double] = []
        for _ in 0..<25 {
            try fill(step)
            let before = processorTime
            try other.roundTrip()
            spent.append(processorTime - before)
        }
        spent.sort()
        #expect(spent[12] <= most, "seconds of the server's processor time before an answer: \(spent)")
    }

    /// Sends as much as the socket accepts.
    private func fill(_ step: (WireClient) -> Void) throws {
        let connection = client.connection
        for _ in 0..<400 {
            for _ in 0..<64 { step(client) }
            while try connection.dispatchAvailable() {}
            guard try connection.transport.flush() else { return }
        }
    }

    private var processorTime: Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
