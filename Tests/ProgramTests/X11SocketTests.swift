// A display whose sockets belong to a service manager.

import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Display.isPossible && Program.isInstalled("systemd-socket-activate")))
struct X11SocketTests {
    private let fixture: ServerFixture
    /// Others use the first free ones.
    private let number = 400 + Int(getpid() % 100)

    init() throws { fixture = try ServerFixture(screens: ["1000x700,name=A"]) }

    /// Listens on the sockets, and becomes mullion-x11 when a program connects.
    private func activate(_ names: [String], _ arguments: [String] = [], server: String = "wayland-test") throws
        -> Program
    {
        let sockets = names.flatMap { ["-l", $0] }
        let variables = try ["-E", "XDG_RUNTIME_DIR=\(fixture.runtimeDirectory())", "-E", "WAYLAND_DISPLAY=\(server)"]
        let program = try fixture.spawn(
            "systemd-socket-activate", sockets + variables + ["\(Programs.built)/mullion-x11"] + arguments)
        try fixture.wait(for: "the sockets; it said \(program.readOutput())") {
            program.readOutput().split(separator: "\n").count { $0.hasPrefix("Listening on") } == names.count
        }
        return program
    }

    private func path(_ number: Int) -> String { "/tmp/.X11-unix/X\(number)" }

    private func spawn(_ name: String, _ arguments: [String], on number: Int) throws -> Program {
        try fixture.spawn(name, arguments, environment: ["DISPLAY": ":\(number)", "WAYLAND_DISPLAY": "nowhere"])
    }

    @Test("the first program starts mullion-x11, whose display it is; the sockets are left where they are")
    func activated() throws {
        let path = path(number)
        defer { unlink(path) }
        let program = try activate(["@" + path, path])
        #expect(access("/tmp/.X\(number)-lock", F_OK) != 0)
        let terminal = try spawn("xterm", ["-T", "w", "-e", "cat"], on: number)
        try fixture.wait(for: "its window; \(program.readOutput())") {
            fixture.model.windows.contains { fixture.model.window($0)?.title == "w" && fixture.model.isVisible($0) }
        }
        #expect(fixture.server.x11Displays(for: nil).map(\.display) == [":\(number)"])
        program.kill(SIGTERM)
        try fixture.wait(for: "its end") { !program.isRunning && !terminal.isRunning }
        #expect(program.exitStatus == 0)
        #expect(access(path, F_OK) == 0 && access("/tmp/.X\(number)-lock", F_OK) != 0)
    }

    @Test("without a server, the programs that wait are refused: they would start mullion-x11 again and again")
    func refused() throws {
        let number = number + 100
        let path = path(number)
        defer { unlink(path) }
        let program = try activate(["@" + path, path], server: "nowhere")
        let client = try spawn("xprop", ["-root"], on: number)
        try fixture.wait(for: "the ends") { !program.isRunning && !client.isRunning }
        #expect(program.exitStatus == 1 && client.exitStatus != 0)
        #expect(program.readOutput().contains("cannot connect to"), "\(program.readOutput())")
        #expect(access("/tmp/.X\(number)-lock", F_OK) != 0)
    }

    @Test("sockets of something else, of two displays, and another number are refused")
    func wrong() throws {
        let folder = try fixture.runtimeDirectory()
        func refusal(_ names: [String], _ arguments: [String] = []) throws -> String {
            let files = names.map { String($0.drop { $0 == "@" }) }
            defer { for file in files { unlink(file) } }
            let program = try activate(names, arguments)
            let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: files[0].utf8.prefix($0.count - 1)) }
            let connected = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(connected == 0)
            try fixture.wait(for: "its end") { !program.isRunning }
            #expect(program.exitStatus == 1)
            return program.readOutput()
        }
        let other = try refusal([folder + "/other"])
        #expect(other.contains("are not those of one X display; use ListenStream="), "\(other)")
        let two = try refusal([path(number + 200), path(number + 201)])
        #expect(two.contains("are not those of one X display"), "\(two)")
        let named = try refusal([path(number + 202)], ["--display", "7"])
        #expect(named.contains("are those of :\(number + 202); omit --display"), "\(named)")
    }
}
