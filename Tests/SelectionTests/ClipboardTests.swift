// The clipboard: from client to client, through real pipes.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct ClipboardTests {
    /// A client's clipboard: its own source, and the offers that it receives.
    private final class Clipboard {
        let client: TestClient
        let manager: Proxy<WlDataDeviceManager>
        let device: Proxy<WlDataDevice>
        let window: TestWindow
        private var offers: [ObjectID: (proxy: Proxy<WlDataOffer>, types: [String])] = [:]
        private(set) var selection: ObjectID?
        private(set) var announcements = 0
        var cancelled = 0
        /// What other clients request from the source.
        var requests: [(type: String, end: OwnedDescriptor)] = []

        init(_ fixture: ServerFixture, _ name: String) throws {
            client = try fixture.connect(name)
            let seat = try client.bind(WlSeat.self)
            manager = try client.bind(WlDataDeviceManager.self)
            device = Proxy(client.connection, version: manager.version)
            manager.send(.getDataDevice(id: device.id, seat: seat.id))
            window = client.window(name).color(0xffff0000)
            window.show()
            device.onEvent = { [unowned self] event in
                switch event {
                case .dataOffer(let id): add(id)
                case .selection(let id):
                    announcements += 1
                    selection = id
                default: break
                }
            }
            try fixture.pump()
        }

        private func add(_ id: ObjectID) {
            let offer = Proxy<WlDataOffer>(client.connection, id: id, version: manager.version)
            offers[id] = (offer, [])
            offer.onEvent = { [unowned self] event in
                if case .offer(let type) = event { offers[id]?.types.append(type) }
            }
        }

        var types: [String]? { selection.flatMap { offers[$0]?.types } }
        var offer: Proxy<WlDataOffer>? { selection.flatMap { offers[$0]?.proxy } }

        @discardableResult
        func copy(_ types: [String], serial: UInt32 = 0) -> Proxy<WlDataSource> {
            let source = Proxy<WlDataSource>(client.connection, version: manager.version)
            manager.send(.createDataSource(id: source.id))
            for type in types { source.send(.offer(mimeType: type)) }
            source.onEvent = { [unowned self] event in
                switch event {
                case .send(let type, let end): requests.append((type, end))
                case .cancelled: cancelled += 1
                default: break
                }
            }
            device.send(.setSelection(source: source.id, serial: serial))
            return source
        }

        /// Requests the selection; returns the end to read from, non-blocking.
        func paste(_ type: String) throws -> OwnedDescriptor {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw FixtureError("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            let write = OwnedDescriptor(ends[1])
            offer?.send(.receive(mimeType: type, fd: write))
            return OwnedDescriptor(ends[0])
        }
    }

    @Test("1 MiB flows from client to client; types keep their order; the selection follows key")
    func copyAndPaste() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let b = try Clipboard(fixture, "b")
        a.window.makeKey()
        try fixture.pump()
        #expect(a.announcements == 1 && a.selection == nil)
        a.copy(["text/plain;charset=utf-8", "text/plain", "image/png"])
        try fixture.pump()
        #expect(a.types == ["text/plain;charset=utf-8", "text/plain", "image/png"])
        #expect(b.announcements == 0, "only the client with the keyboard receives it")
        b.window.makeKey()
        try fixture.pump()
        #expect(b.types == a.types)
        let read = try b.paste("text/plain")
        let none = try b.paste("text/html")
        try fixture.pump()
        #expect(a.requests.map(\.type) == ["text/plain"])
        var byte: UInt8 = 0
        try fixture.wait(for: "an empty pipe, since that is not offered") { Glibc.read(none.rawValue, &byte, 1) == 0 }
        let sent = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        let end = a.requests.removeFirst().end
        _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
        var written = 0
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while received.count < sent.count {
            let wrote = sent[written...].withUnsafeBytes { write(end.rawValue, $0.baseAddress, $0.count) }
            if wrote > 0 { written += wrote }
            let count = Glibc.read(read.rawValue, &chunk, chunk.count)
            guard count > 0 || wrote > 0 else { break }
            if count > 0 { received += chunk[..<count] }
        }
        #expect(received == sent)
        #expect(a.client.isOpen && b.client.isOpen)
    }

    @Test("a destroyed source, a killed client and a replaced source end the selection, and its receiver is notified")
    func ends() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let b = try Clipboard(fixture, "b")
        a.window.makeKey()
        try fixture.pump()
        let first = a.copy(["a/1"])
        a.copy(["a/2"])
        try fixture.pump()
        #expect(a.cancelled == 1 && a.types == ["a/2"])
        first.send(.destroy)
        b.window.makeKey()
        try fixture.pump()
        #expect(b.types == ["a/2"])
        let source = b.copy(["b/1"])
        try fixture.pump()
        #expect(a.cancelled == 2 && b.types == ["b/1"])
        let stale = b.offer
        source.send(.destroy)
        try fixture.pump()
        #expect(b.selection == nil && b.types == nil)
        // An offer without its source: the pipe is closed, nothing else.
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let read = OwnedDescriptor(ends[0])
        do {
            let write = OwnedDescriptor(ends[1])
            stale?.send(.receive(mimeType: "b/1", fd: write))
        }
        try fixture.pump()
        var byte: UInt8 = 0
        #expect(Glibc.read(read.rawValue, &byte, 1) == 0)
        a.window.makeKey()
        try fixture.pump()
        a.copy(["a/3"])
        b.window.makeKey()
        try fixture.pump()
        #expect(b.types == ["a/3"])
        try a.client.kill()
        #expect(b.selection == nil && b.client.isOpen)
        b.copy(["b/2"])
        try fixture.pump()
        #expect(b.types == ["b/2"])
        b.device.send(.setSelection(source: nil, serial: 0))
        try fixture.pump()
        #expect(b.selection == nil && b.cancelled == 1)
    }

    @Test("only the client with the keyboard can set the selection; another one's source is cancelled")
    func focus() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let b = try Clipboard(fixture, "b")
        a.window.makeKey()
        try fixture.pump()
        b.copy(["b/1"])
        try fixture.pump()
        #expect(b.cancelled == 1 && a.selection == nil)
        // A device that is bound later receives it at once.
        a.copy(["a/1"])
        let seat = try a.client.bind(WlSeat.self)
        let late = Proxy<WlDataDevice>(a.client.connection, version: 3)
        var received: [ObjectID?] = []
        late.onEvent = { event in
            switch event {
            case .dataOffer(let id): _ = Proxy<WlDataOffer>(a.client.connection, id: id, version: 3)
            case .selection(let id): received.append(id)
            default: break
            }
        }
        a.manager.send(.getDataDevice(id: late.id, seat: seat.id))
        try fixture.pump()
        #expect(received.count == 1 && received.first != .some(nil))
    }

    @Test("a client that never destroys its offers is stopped at the limit of objects")
    func hoarder() throws {
        var limits = Limits()
        limits.objects = 300
        let fixture = try ServerFixture(limits: limits)
        let a = try Clipboard(fixture, "a")
        let witness = try Clipboard(fixture, "witness")
        a.window.makeKey()
        try fixture.pump()
        let sources = [a.copy(["a/1"]), a.copy(["a/2"])]
        for number in 0..<400 where a.client.isOpen {
            a.device.send(.setSelection(source: sources[number % 2].id, serial: 0))
            try fixture.pump()
        }
        #expect(a.client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
        #expect(witness.client.isOpen)
    }

    @Test("a type that is too long for any receiver is refused")
    func longType() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        a.copy([String(repeating: "x", count: 4001)])
        try fixture.pump()
        #expect(a.client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
    }

    @Test("the selection is offered before the keyboard enters")
    func order() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let b = try Clipboard(fixture, "b")
        a.window.makeKey()
        try fixture.pump()
        a.copy(["a/1"])
        try fixture.pump()
        let seat = try b.client.bind(WlSeat.self)
        let keyboard = Proxy<WlKeyboard>(b.client.connection, version: seat.version)
        seat.send(.getKeyboard(id: keyboard.id))
        var typesAtEnter: [String]?
        keyboard.onEvent = { event in
            if case .enter = event { typesAtEnter = b.types }
        }
        b.window.makeKey()
        try fixture.pump()
        #expect(typesAtEnter == ["a/1"])
    }

    @Test("a serial that was never issued, or is older than the one that set the selection, is refused")
    func serials() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let input = try TestInput(a.client)
        a.window.makeKey()
        try fixture.pump()
        // Every press has a new serial; the client may use each of them.
        for _ in 0..<4 { try fixture.press(30) }
        withExtendedLifetime(input) {}
        func copy(_ type: String, serial: UInt32) throws {
            a.copy([type], serial: serial)
            try fixture.pump()
        }
        try copy("a/future", serial: 0x7000_0000)
        #expect(a.cancelled == 1 && a.types == nil)
        try copy("a/5", serial: 5)
        #expect(a.types == ["a/5"])
        try copy("a/4", serial: 4)
        #expect(a.types == ["a/5"] && a.cancelled == 2)
        a.device.send(.setSelection(source: nil, serial: 4))
        try fixture.pump()
        #expect(a.types == ["a/5"])
        try copy("a/6", serial: 6)
        #expect(a.types == ["a/6"] && a.cancelled == 3)
        #expect(a.client.isOpen)
    }

    @Test("a program pastes what it has copied itself; one that dies during a transfer causes an end of file")
    func transfers() throws {
        let fixture = try ServerFixture()
        let a = try Clipboard(fixture, "a")
        let b = try Clipboard(fixture, "b")
        a.window.makeKey()
        try fixture.pump()
        a.copy(["text/plain"])
        try fixture.pump()
        let own = try a.paste("text/plain")
        try fixture.pump()
        _ = write(a.requests[0].end.rawValue, "self", 4)
        a.requests = []
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(Glibc.read(own.rawValue, &bytes, 16) == 4)
        b.window.makeKey()
        try fixture.pump()
        let read = try b.paste("text/plain")
        try fixture.pump()
        #expect(a.requests.count == 1)
        _ = write(a.requests[0].end.rawValue, "half", 4)
        try a.client.kill()
        a.requests = []
        #expect(Glibc.read(read.rawValue, &bytes, 16) == 4)
        try fixture.wait(for: "an end of file, since no other writer is left") {
            Glibc.read(read.rawValue, &bytes, 16) == 0
        }
        #expect(b.selection == nil && b.client.isOpen)
    }
}
