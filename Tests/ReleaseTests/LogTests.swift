// The log lines that clients can cause, and the display of their texts on a terminal.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct LogTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(options: ["--screen", "320x200"]) }

    /// Without the socket name printed for --ready-fd.
    private func lines() -> [Substring] {
        server.server.readOutput().split(separator: "\n").filter { $0 != "\(server.folder)/socket" }
    }

    @Test("a plain start says in one line where the server serves")
    func start() throws {
        let line = "mulliond: serving clients on \(server.folder)/socket, the control API on \(server.folder)/control"
        try server.wait("its line") { $0.contains(line + "\n") }
        let client = try WireClient(server)
        client.connection.disconnect()
        _ = try server.request("GET", "/v1/status")
        #expect(lines() == [Substring(line)])
        try server.stop()
    }

    @Test("sandboxes made again and again do not fill the log")
    func sandboxes() throws {
        let listening = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        // An address without a path: the kernel chooses an abstract one.
        var address = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: sockaddr().sa_data)
        try #require(bind(listening.rawValue, &address, 2) == 0 && listen(listening.rawValue, 1) == 0)
        let maker = try WireClient(server)
        let manager = try maker.bind(WpSecurityContextManagerV1.self)
        for _ in 0..<400 {
            let (end, other) = try descriptorPair()
            let context = Proxy<WpSecurityContextV1>(maker.connection, version: 1)
            manager.send(.createListener(id: context.id, listenFd: try #require(listening.duplicate()), closeFd: other))
            context.send(.setSandboxEngine(name: String(repeating: "E", count: 256)))
            context.send(.commit)
            context.send(.destroy)
            try maker.roundTrip()
            _ = consume end
        }
        try server.wait("the first") { $0.contains("listens for the sandbox") }
        // At most two windows of ten seconds, and a line for the suppressed ones.
        #expect(lines().count < 220, "\(lines().count) lines")
        try server.stop()
    }

    @Test("a client that exits with open pop-ups causes no error")
    func popups() throws {
        let client = try WireClient(server)
        let pool = try client.pool(memoryFile(bytes: 4096), bytes: 4096)
        let buffer = client.buffer(of: pool, width: 16, height: 16)
        let toplevel = try client.toplevel(showing: buffer)
        let wmBase = try client.wmBase.get()
        var parent = toplevel.xdg
        for _ in 0..<3 {
            let positioner = Proxy<XdgPositioner>(client.connection, version: 1)
            wmBase.send(.createPositioner(id: positioner.id))
            positioner.send(.setSize(width: 16, height: 16))
            positioner.send(.setAnchorRect(x: 0, y: 0, width: 4, height: 4))
            let surface = try client.surface()
            let xdg = Proxy<XdgSurface>(client.connection, version: 1)
            wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
            let popup = Proxy<XdgPopup>(client.connection, version: 1)
            xdg.send(.getPopup(id: popup.id, parent: parent.id, positioner: positioner.id))
            var configured: UInt32?
            xdg.onEvent = { if case .configure(let serial) = $0 { configured = serial } }
            surface.send(.commit)
            try client.wait(for: "a configure event") { configured != nil }
            xdg.send(.ackConfigure(serial: configured ?? 0))
            surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            surface.send(.commit)
            parent = xdg
        }
        try client.roundTrip()
        #expect(try server.request("GET", "/v1/tree").body.contains("popup"))
        client.connection.disconnect()
        try server.fixture.wait(for: "its end") {
            try server.request("GET", "/v1/windows").body.contains(#""windows":[]"#)
        }
        try server.stop()
        #expect(!lines().contains { $0.contains("error") }, "\(lines())")
    }

    @Test("invisible characters in a title are escaped wherever mullionctl prints it", arguments: [[], ["--json"]])
    func titles(options: [String]) throws {
        let client = try WireClient(server)
        let pool = try client.pool(memoryFile(bytes: 4096), bytes: 4096)
        let toplevel = try client.toplevel(showing: client.buffer(of: pool, width: 16, height: 16))
        let invisible: [Unicode.Scalar] = [
            "\u{1}", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{ad}", "\u{200b}", "\u{200d}", "\u{202e}", "\u{2028}",
            "\u{2029}", "\u{2066}", "\u{3164}", "\u{feff}", "\u{e0001}",
        ]
        let title = "été \(String(String.UnicodeScalarView(invisible))) 漢"
        toplevel.toplevel.send(.setTitle(title: title))
        try client.roundTrip()
        for command in ["windows", "tree", "window"] {
            let words = command == "window" ? [command, "1"] : [command]
            let program = try Program(
                Programs.shipped + "/mullionctl",
                options + ["--control", server.folder + "/control"] + words)
            let output = program.outputAtEnd()
            #expect(program.exitStatus == 0, "\(output)")
            #expect(!output.unicodeScalars.contains { $0 != "\n" && invisible.contains($0) }, "\(command): \(output)")
            #expect(output.contains(#"\u202e\u2028\u2029\u2066"#) && output.contains("漢"), "\(command): \(output)")
            guard !options.isEmpty else { continue }
            let json = try JSONDecoder().decode(AnyTitle.self, from: Data(output.utf8))
            #expect(json.titles.contains(title), "\(command): \(output)")
        }
        try server.stop()
    }

    /// Every title in a JSON text.
    private struct AnyTitle: Decodable {
        var titles: [String] = []

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            if let list = try? decoder.singleValueContainer().decode([AnyTitle].self) {
                titles = list.flatMap(\.titles)
            } else if let members = try? decoder.container(keyedBy: Key.self) {
                for key in members.allKeys {
                    if key.stringValue == "title", let title = try? members.decode(String.self, forKey: key) {
                        titles.append(title)
                    } else if let inner = try? members.decode(AnyTitle.self, forKey: key) {
                        titles += inner.titles
                    }
                }
            }
        }
    }
}
