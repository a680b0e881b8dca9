// Selections between X11 programs and hostile Wayland programs: only these wait.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite(.enabled(if: ["Xwayland", "xterm", "xclip"].allSatisfy(Program.isInstalled))) struct X11StrangerTests {
    /// What a Wayland program does with its end of a transfer.
    enum Trick: String, CaseIterable {
        /// Nothing, and its end always blocks.
        case pipe, socket
        /// The kernel holds the pipe's lock for ever, so that not even close(2) returns.
        case lockedPipe
        /// Its file system answers nothing to mullion-x11.
        case file
        case memory
        /// It has gone.
        case deserter

        /// Whether it can be done here.
        var isPossible: Bool { ![.lockedPipe, .file].contains(self) || StrangersFilesTests.canMount }
    }

    private static let content = String(repeating: "0123456789", count: 300_000)
    private static let type = "text/plain;charset=utf-8"

    private let display: X11ReleaseDisplay
    private var server: ServerProcess { display.server }
    private var manager: Program { display.manager }

    init() throws { display = try X11ReleaseDisplay() }

    /// An X11 program that copies; it ends when another one does.
    private func copy(_ content: String = X11StrangerTests.content) throws -> Program {
        let file = server.folder + "/content.\(UUID().uuidString)"
        try Data(content.utf8).write(to: URL(filePath: file))
        return try display.spawn("xclip", ["-quiet", "-selection", "clipboard", "-i", file])
    }

    /// A Wayland program copies what an X11 program wants.
    private func paste(from controller: Controller, insteadOf owner: Program) throws -> Program {
        try controller.copy()
        try server.fixture.wait(for: "X11 programs to hear of it") {
            try controller.client.roundTrip()
            return !owner.isRunning
        }
        let paste = try display.spawn("xclip", ["-selection", "clipboard", "-o", "-t", "UTF8_STRING"])
        try controller.client.wait(for: "a paste") { !controller.wanted.isEmpty }
        return paste
    }

    /// A Wayland program that controls the clipboard, with or without the keyboard.
    private final class Controller {
        let client: WireClient
        private let manager: Proxy<ExtDataControlManagerV1>
        private let device: Proxy<ExtDataControlDeviceV1>
        private var types: [ObjectID: [String]] = [:]
        private(set) var offer: Proxy<ExtDataControlOfferV1>?
        /// What was wanted of it.
        private(set) var wanted: [OwnedDescriptor] = []

        init(_ server: ServerProcess) throws {
            client = try WireClient(server)
            let seat = try client.bind(WlSeat.self, version: 1)
            manager = try client.bind(ExtDataControlManagerV1.self)
            device = Proxy(client.connection, version: 1)
            manager.send(.getDataDevice(id: device.id, seat: seat.id))
            device.onEvent = { [unowned self] event in
                switch event {
                case .dataOffer(let id):
                    let offer = Proxy<ExtDataControlOfferV1>(client.connection, id: id, version: 1)
                    offer.onEvent = { [unowned self] event in
                        if case .offer(let type) = event { types[id, default: []].append(type) }
                    }
                    self.offer = offer
                case .selection(let id): if offer?.id != id { offer = nil }
                case .primarySelection, .finished: break
                }
            }
            try client.roundTrip()
        }

        /// Whether there is text.
        var hasText: Bool { offer.flatMap { types[$0.id] }?.contains(X11StrangerTests.type) == true }

        /// Asks for what an X11 program has.
        func receive(into end: OwnedDescriptor) throws {
            try client.wait(for: "an offer") { hasText }
            offer?.send(.receive(mimeType: X11StrangerTests.type, fd: end))
            try client.roundTrip()
        }

        /// Reads what an X11 program begins to offer: each offer until one has the content, because the one before can still
        /// be there.
        func read(_ content: String, _ fixture: ServerFixture) throws {
            var end: OwnedDescriptor?
            var used: ObjectID?
            var received = ""
            do {
                try fixture.wait(for: "an honest transfer") {
                    try client.roundTrip()
                    if hasText, offer?.id != used {
                        let (read, write) = try TestPipe.make()
                        (end, used, received) = (read, offer?.id, "")
                        try receive(into: write)
                    }
                    while let end, let piece = TestPipe.read(end), !piece.isEmpty { received += piece }
                    return received.utf8.count == content.utf8.count && received == content
                }
            } catch {
                throw FixtureError("\(error); it has \(received.utf8.count) bytes of \(content.utf8.count)")
            }
        }

        /// Copies text.
        func copy() throws {
            let source = Proxy<ExtDataControlSourceV1>(client.connection, version: 1)
            manager.send(.createDataSource(id: source.id))
            source.send(.offer(mimeType: X11StrangerTests.type))
            device.send(.setSelection(source: source.id))
            source.onEvent = { [unowned self] event in
                if case .send(_, let end) = event { wanted.append(end) }
            }
            try client.roundTrip()
        }
    }

    /// Does it with the end for writing of a pipe.
    /// - Returns: what keeps it going.
    private func lock(_ end: OwnedDescriptor) throws -> Program {
        let program = try Program(
            "/usr/bin/python3", [StrangersFilesTests.program, "lock"], descriptors: [end.rawValue])
        try server.fixture.wait(for: "the lock") { program.readOutput().contains("asked 15\n") }
        return program
    }

    /// Other X11 programs go on, and so do other transfers; and SIGTERM ends mullion-x11.
    private func expectHealth() throws {
        let next = try display.terminal("healthy")
        let content = String(Self.content.reversed())
        let owner = try copy(content)
        let reader = try Controller(server)
        try reader.read(content, server.fixture)
        let paste = try self.paste(from: reader, insteadOf: owner)
        #expect("honest".withCString { Glibc.write(reader.wanted[0].rawValue, $0, 6) } == 6)
        reader.wanted[0].close()
        #expect(paste.outputAtEnd() == "honest")
        withExtendedLifetime(next) {}
        manager.kill(SIGTERM)
        try server.fixture.wait(for: "mullion-x11 to end") { !manager.isRunning }
        #expect(manager.exitStatus == 0, "\(manager.readOutput())")
    }

    @Test(
        "what an X11 program copies, read by a Wayland program that does not let it be written",
        arguments: Trick.allCases.filter(\.isPossible))
    func reader(trick: Trick) throws {
        let terminal = try display.terminal("owner")
        let owner = try copy()
        let hostile = try Controller(server)
        var kept: [Any] = []
        switch trick {
        case .pipe, .lockedPipe, .deserter:
            let (read, write) = try TestPipe.make()
            let copy = try #require(write.duplicate())
            if trick == .lockedPipe { kept.append(try lock(copy)) }
            if trick != .deserter { kept.append(read) }
            try hostile.receive(into: write)
        case .socket:
            let (read, write) = try descriptorPair()
            kept.append(read)
            kept.append(try #require(write.duplicate()))
            _ = fcntl(write.rawValue, F_SETFL, 0)
            try hostile.receive(into: write)
        case .file:
            let (program, files) = try StrangersFilesTests.silentFiles(to: manager.pid, server.fixture)
            kept.append(program)
            for file in files { try hostile.receive(into: file) }
        case .memory: try hostile.receive(into: try memoryFile(bytes: 1))
        }
        try expectHealth()
        withExtendedLifetime((terminal, owner, kept)) {}
    }

    @Test(
        "what a Wayland program copies, read by an X11 program, when it does not let it be read",
        arguments: [Trick.pipe, .lockedPipe, .deserter].filter(\.isPossible))
    func writer(trick: Trick) throws {
        let terminal = try display.terminal("reader")
        let hostile = try Controller(server)
        let owner = try copy()
        try hostile.client.wait(for: "the X11 program's content") { hostile.hasText }
        let paste = try self.paste(from: hostile, insteadOf: owner)
        var kept: [Any] = []
        switch trick {
        case .lockedPipe: kept.append(try lock(hostile.wanted[0]))
        case .deserter: hostile.client.connection.disconnect()
        case .pipe, .socket, .file, .memory: break
        }
        try expectHealth()
        withExtendedLifetime((terminal, paste, kept)) {}
    }
}
