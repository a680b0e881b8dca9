// What the control API shows of clients to those who look for a mistake.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct ClientRecordTests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["80x60"])
        control = try TestControl(fixture)
    }

    @Test("the latest messages of a client, and how it ended, are kept for later")
    func journal() throws {
        fixture.server.clientRecords = ClientRecords()
        let client = try fixture.connect()
        #expect(try control.send("GET", "/v1/clients").body.contains("\"connected\":true"))
        let list = try control.send("GET", "/v1/clients/1/journal")
        for text in ["get_registry", "\"arguments\":\"name: ", "wl_compositor", "\"sender\":\"server\""] {
            #expect(list.status == 200 && list.body.contains(text), "\(text) in \(list.body)")
        }
        let out = client.connection.transport.queue()
        out.begin(ObjectID(777), opcode: 3)
        out.end()
        try fixture.wait(for: "the error") { client.protocolError != nil }
        let clients = try control.send("GET", "/v1/clients").body
        #expect(clients.contains("\"cause\":\"protocolError\"") && clients.contains("object 777"), "\(clients)")
        let last = try control.send("GET", "/v1/clients/1/journal").body
        #expect(last.contains("\"message\":\"error\"") && last.contains("object 777, which does not exist"))
        #expect(try control.send("GET", "/v1/clients/99/journal").status == 404)
    }

    @Test("journals are bounded, and so are the records of clients that have ended")
    func bounds() throws {
        let records = ClientRecords()
        fixture.server.clientRecords = records
        let client = try fixture.connect()
        let surface = client.surface()
        for number in 0..<1000 { surface.send(.damage(x: Int32(number), y: 0, width: 1, height: 1)) }
        try fixture.pump()
        let journal = try #require(records.all.first?.journal)
        let lines = journal.lines
        #expect(lines.count == MessageJournal.capacity && journal.count > 1000)
        let numbers = lines.filter { $0.message == "damage" }.map(\.arguments)
        #expect(numbers.last == "x: 999, y: 0, width: 1, height: 1")
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time <= $1.time })
        for _ in 0...ClientRecords.capacity { try fixture.connect().kill() }
        #expect(records.all.count == ClientRecords.capacity + 1)
    }

    @Test("the descriptor of an ended process is closed when the kernel does not keep how it has ended")
    func descriptors() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let descriptor = OwnedDescriptor(ends[0])
        close(ends[1])
        // A kernel before Linux 6.15 answers as this one does for something else than a process.
        var record = ClientRecords.Record(
            application: .init(rawValue: 1), name: "", pid: 1, uid: 0, connected: 0, process: descriptor,
            journal: MessageJournal())
        record.findExit()
        #expect(record.process == nil && record.exit == nil)
    }

    @Test("clients of the previous server have records and journals too")
    func restart() throws {
        fixture.server.isHandOverPossible = true
        fixture.server.clientRecords = ClientRecords()
        let client = try fixture.connect()
        try fixture.handOver()
        _ = client.surface()
        try fixture.pump()
        let record = try #require(fixture.server.clientRecords?.all.first)
        #expect(record.pid == getpid() && record.ended == nil)
        #expect(record.journal.lines.contains { $0.message == "create_surface" })
    }

    @Test("without journals, clients are listed and nothing of them is kept")
    func noJournal() throws {
        let client = try fixture.connect()
        #expect(try control.send("GET", "/v1/clients").body.contains("\"application\":1,\"connected\":true"))
        let refusal = try control.send("GET", "/v1/clients/1/journal")
        #expect(refusal.status == 409 && refusal.body.contains("mulliond --journal"))
        try client.kill()
        #expect(try control.send("GET", "/v1/clients").body.contains("\"clients\":[]"))
    }

    /// Whether the kernel remembers how processes have ended: Linux 6.15.
    private static let kernelRemembers: Bool = {
        var system = utsname()
        guard uname(&system) == 0 else { return false }
        let release = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (6, 15)
    }()

    @Test(
        "how a process ended is known although its parent has collected it before the server sees its end",
        .enabled(if: kernelRemembers))
    func collected() throws {
        fixture.server.clientRecords = ClientRecords()
        let script = """
            os, signal, socket = (__import__(name) for name in ("os", "signal", "socket"))
            if os.fork() == 0:
                server = socket.socket(socket.AF_UNIX)
                server.connect(os.environ["XDG_RUNTIME_DIR"] + "/" + os.environ["WAYLAND_DISPLAY"])
                open(os.environ["XDG_RUNTIME_DIR"] + "/crash").read()
                os.kill(os.getpid(), signal.SIGSEGV)
            os.wait()
            """
        let pipe = try fixture.runtimeDirectory() + "/crash"
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try fixture.spawn("python3", ["-c", script])
        var record: ClientRecords.Record?
        func find(_ what: String, _ isMeant: (ClientRecords.Record) -> Bool) throws {
            try fixture.wait(for: what) {
                record = fixture.server.clientRecords?.all.first(where: isMeant)
                return record != nil
            }
        }
        try find("the client") { $0.ended == nil }
        close(open(pipe, O_WRONLY))
        // The server does nothing until all of it is over.
        _ = program.outputAtEnd()
        try find("its end") { $0.ended != nil }
        #expect(record?.exit?.signal == SIGSEGV)
    }

    @Test("how a process ended is known while it ends, whatever its name contains")
    func processExit() throws {
        func statistics(_ state: String, flags: UInt32, code: Int32) -> String {
            "7 (a) b) \(state) 1 1 1 0 -1 \(flags) " + String(repeating: "0 ", count: 42) + "\(code)\n"
        }
        #expect(ProcessExit(statistics: statistics("R", flags: 0x40_0040, code: 0)) == nil)
        let killed = try #require(ProcessExit(statistics: statistics("R", flags: 0x4, code: 11 | 0x80)))
        #expect(killed.signal == SIGSEGV && killed.status == 0)
        let ended = try #require(ProcessExit(statistics: statistics("Z", flags: 0, code: 3 << 8)))
        #expect(ended.signal == 0 && ended.status == 3)
        #expect(ProcessExit(statistics: "nonsense") == nil && ProcessExit(ofEnding: getpid()) == nil)
    }
}
