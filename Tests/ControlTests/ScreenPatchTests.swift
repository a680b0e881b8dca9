// PATCH /v1/screens and /v1/windows over a real socket: limits, and one notification per change.

import ControlProtocol
import EventLoop
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

/// A server with its control API, and a client that sends one request at a time.
private final class Fixture {
    let loop: EventLoop
    let server: DisplayServer
    private let control: ControlServer
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        loop = try EventLoop()
        server = DisplayServer(loop: loop)
        folder = try TemporaryFolder()
        path = folder.path + "/control"
        control = try ControlServer(server, socket: ListeningSocket.unix(path: path, mode: 0o600))
        try server.connect(
            ScreenDescription(
                name: "S", modes: [Screen.Mode(width: 640, height: 480), Screen.Mode(width: 800, height: 600)],
                preferredMode: Screen.Mode(width: 800, height: 600)))
        server.deliverAndFlush()
    }

    deinit {
        control.stop()
    }

    /// The status and the complete response.
    func patch(_ target: String, _ body: String) throws -> (status: Int, text: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let request =
            "PATCH \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try #require(write(descriptor, request, request.utf8.count) == request.utf8.count)
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let deadline = loop.now + 20_000_000
        let tick = Timer(loop) { _, _ in }
        while loop.now < deadline {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 { answer += chunk[..<count] }
            tick.arm(at: loop.now + 5000)
            try loop.runOnce()
        }
        let text = String(decoding: answer, as: UTF8.self)
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
    }
}

@Suite struct ScreenPatchTests {
    @Test("a number that is too large is named with its place, in every field")
    func tooLarge() throws {
        let setup = try Fixture()
        for body in [#"{"scale":1e999}"#, #"{"brightness":-1e999}"#] {
            let answer = try setup.patch("/v1/screens/S", body)
            #expect(answer.status == 400 && answer.text.contains("line 1, column"), "\(answer.text)")
            #expect(answer.text.contains("1e999 is too large"), "\(answer.text)")
        }
        #expect(try setup.patch("/v1/screens/S", #"{"scale":1"#).text.contains("line 1, column 1: unclosed bracket"))
    }

    @Test(
        "S1: impossible values are refused, change nothing and do not crash the server",
        arguments: [
            #"{"position":{"x":1e10,"y":0}}"#, #"{"scale":1e12}"#, #"{"position":{"x":5,"y":5},"scale":65}"#,
        ])
    func refused(body: String) throws {
        let setup = try Fixture()
        let before = setup.server.model.screen(setup.server.model.screens[0])
        let answer = try setup.patch("/v1/screens/S", body)
        #expect(answer.status == 422 && answer.text.contains("S1"))
        #expect(setup.server.model.screen(setup.server.model.screens[0]) == before)
    }

    @Test("S6: mode, scale, position and brightness in one request are one notification")
    func one() throws {
        let setup = try Fixture()
        var received: [Effect] = []
        setup.server.onEffect = { received.append($0) }
        let id = setup.server.model.screens[0]
        let both = #"{"mode":"640x480","scale":2,"position":{"x":9,"y":9},"brightness":0.5}"#
        #expect(try setup.patch("/v1/screens/S", both).status == 200)
        #expect(received.filter { $0 != .needsDisplay(id) } == [.modeDidChange(id)])
        received = []
        #expect(try setup.patch("/v1/screens/S", #"{"position":{"x":1,"y":2},"brightness":1}"#).status == 200)
        #expect(received == [.screenPropertiesDidChange(id)])
        received = []
        #expect(try setup.patch("/v1/screens/S", #"{"position":{"x":1,"y":2},"mode":"640x480"}"#).status == 200)
        #expect(received == [])
        #expect(
            API.Effect(.screenPropertiesDidChange(id), time: 0, EventNames.Subject()).event
                == "screenPropertiesDidChange")
        #expect(try setup.patch("/v1/screens/S", #"{"mode":"640x481"}"#).text.contains("640x480@60, 800x600@60"))
    }

    @Test("S7: the mirrored screen is given by id or name")
    func mirroring() throws {
        let setup = try Fixture()
        let mode = Screen.Mode(width: 640, height: 480)
        let id = try setup.server.connect(ScreenDescription(name: "TV", modes: [mode], mirroring: .off))
        #expect(try setup.patch("/v1/screens/TV", #"{"mirroring":"\#(setup.server.model.screens[0])"}"#).status == 200)
        #expect(setup.server.model.screen(id)?.properties.mirroring == .screen("S"))
        #expect(try setup.patch("/v1/screens/TV", #"{"mirroring":"\#(id)"}"#).text.contains("cannot mirror itself"))
        #expect(try setup.patch("/v1/screens/TV", #"{"mirroring":"99"}"#).text.contains("99 is not a connected screen"))
        #expect(setup.server.model.screen(id)?.properties.mirroring == .screen("S"))
    }

    @Test("a change needs the right administer, and a refusal says who has it")
    func rights() throws {
        let setup = try Fixture()
        setup.server.peerPolicy = PeerPolicy(rules: [
            PeerRule(users: [54_321], rights: .all), PeerRule(groups: [7], rights: .all),
            PeerRule(rights: [.view, .inject]),
        ])
        let refused = try setup.patch("/v1/screens/S", #"{"brightness":0.5}"#)
        #expect(refused.status == 403)
        #expect(refused.text.contains("user \(geteuid()) does not have; user 54321, group 7 may"))
        setup.server.peerPolicy = PeerPolicy(rules: [PeerRule(users: [geteuid()], rights: .administer)])
        #expect(try setup.patch("/v1/screens/S", #"{"brightness":0.5}"#).status == 200)
    }

    @Test("a window is given by its id; one that does not exist, or no longer does, is not found")
    func unknownWindow() throws {
        let setup = try Fixture()
        let number = try setup.patch("/v1/windows/99", #"{"level":1}"#)
        #expect(number.status == 404 && number.text.contains("there is no window 99, or it was closed"))
        let word = try setup.patch("/v1/windows/abc", #"{"level":1}"#)
        #expect(
            word.status == 404 && word.text.contains(#"\"abc\" is not a window; use its id"#)
                && !word.text.contains("W7"))
    }

    @Test("W1: a title of more than 4096 bytes is refused")
    func title() throws {
        let setup = try Fixture()
        let application = setup.server.model.addApplication(name: "test")
        let window = try setup.server.model.createWindow(application: application)
        func set(_ count: Int) throws -> Int {
            try setup.patch("/v1/windows/\(window)", #"{"title":"\#(String(repeating: "x", count: count))"}"#).status
        }
        #expect(try set(4096) == 200)
        #expect(try set(4097) == 422)
        #expect(setup.server.model.window(window)?.title.utf8.count == 4096)
    }
}
