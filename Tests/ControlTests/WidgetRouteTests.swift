// GET /v1/widgets, with programs that stand for mullionctl.

import EventLoop
import FoundationEssentials
import Glibc
import System
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct WidgetRouteTests {
    private let fixture: ServerFixture
    private let control: ControlSession

    init() throws {
        fixture = try ServerFixture()
        var limits = ControlLimits()
        limits.widgetReaders.trustsOwner = false
        control = try ControlSession(fixture, limits: limits)
    }

    /// Has the server read widgets with a shell script, whose processes have a mark.
    private func use(_ script: String, bus: String = "unix:path=/bus", time: UInt64 = 35_000_000) throws {
        let path = control.folder + "/helper"
        let text = "#!/bin/sh\n" + script + "\n"
        // A program that another test starts meanwhile would inherit the file, open for writing: the script could not run.
        try Data(text.utf8).write(to: URL(filePath: path + ".text"))
        let copy = try Program("cp", [path + ".text", path])
        #expect(copy.outputAtEnd().isEmpty && copy.exitStatus == 0)
        chmod(path, 0o700)
        let variables = ["DBUS_SESSION_BUS_ADDRESS": bus, "MULLION_TEST_MARK": control.folder]
        control.readWidgets(with: path, variables: variables, time: time, output: 10_000)
    }

    /// The process groups of the scripts that run, and of what they have started: scripts cannot write them to a file.
    private var groups: Set<pid_t> {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let mark = "MULLION_TEST_MARK=\(control.folder)"
        let marked = entries.compactMap { pid_t($0) }.filter { id in
            let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ") ?? Data()
            return variables.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
        }
        return Set(marked.map { getpgid($0) }).filter { $0 > 0 }
    }

    @Test("the output of mullionctl widgets is the answer, each item of the query is a word")
    func words() throws {
        try use(#"printf '{'; printf '[%s]' "$@"; ls -l /proc/self/fd | wc -l; cat; echo '}'"#)
        let query = "role=button&name=%2FSave%20%22%24(id)%2Fi&description=a&state=%21focused&nth=-1"
        let answer = try control.send("GET", "/v1/widgets?" + query)
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
        let words = #"{[--control][\#(control.folder)/socket][--json][widgets][role=button][name=/Save "$(id)/i]"#
        // ls has the line "total", its standard streams and the folder: no descriptor of the server.
        #expect(answer.text == words + "[description=a][state=!focused][nth=-1]5\n}\n", "\(answer.text)")
        #expect(groups.isEmpty)
    }

    @Test(
        "failures say why",
        arguments: [
            ("echo 'mullionctl: widgets: \"x\" is not a role' >&2; exit 2", 400, "\"x\" is not a role"),
            ("echo 'mullionctl: the bus does not answer' >&2; exit 1", 503, "cannot be read: the bus does not answer"),
            ("kill -9 $$", 503, "cannot be read: it was ended by signal 9"),
            (#"echo '{"a":1'; kill -SEGV $$"#, 503, "cannot be read: it was ended by signal 11"),
            (#"echo '{"a":1}'; kill -9 $$"#, 503, "cannot be read: it was ended by signal 9"),
            ("exit 0", 503, "cannot be read: its answer is not complete"),
            (#"echo '{"a":1'"#, 503, "cannot be read: its answer is not complete"),
            ("echo '{}'; exit 3", 503, "cannot be read: it ended with status 3"),
            ("yes", 503, "the widgets are more than 10000 bytes; request those of one window"),
        ])
    func failures(script: String, status: Int, reason: String) throws {
        try expect(status, reason, script)
    }

    @Test("a helper that takes too long is ended", arguments: ["yes >&2", "sleep 1000 & sleep 1000"])
    func late(script: String) throws {
        try expect(503, "takes longer than 300ms", script, time: 300_000)
    }

    private func expect(_ status: Int, _ reason: String, _ script: String, time: UInt64 = 35_000_000) throws {
        try use(script, time: time)
        let answer = try control.send("GET", "/v1/widgets")
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.text.replacing(#"\""#, with: "\"").contains(reason), "\(answer.text)")
        try fixture.wait(for: "the end of the helper") { groups.isEmpty }
    }

    @Test("a helper has 512 MiB of memory")
    func memory() throws {
        // In KiB. The server sets the limit once the helper has started.
        try use(#"while [ "$(ulimit -v)" = unlimited ]; do :; done; echo "{\"limit\":$(ulimit -v)}""#)
        let answer = try control.send("GET", "/v1/widgets")
        #expect(answer.text == "{\"limit\":524288}\n", "\(answer.text)")
    }

    @Test("a server without a bus, or without mullionctl, says so")
    func unavailable() throws {
        let unread = try control.send("GET", "/v1/widgets")
        #expect(unread.status == 409 && unread.text.contains("does not read widgets"), "\(unread.text)")
        try use("echo", bus: "disabled:")
        let busless = try control.send("GET", "/v1/widgets")
        #expect(busless.status == 409 && busless.text.contains("names no D-Bus session"), "\(busless.text)")
        control.readWidgets(with: "/no/mullionctl", variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"])
        let missing = try control.send("GET", "/v1/widgets")
        #expect(missing.status == 409 && missing.text.contains("/no/mullionctl"), "\(missing.text)")
        try use("sleep 1000")
        let window = try control.send("GET", "/v1/widgets?window=7")
        #expect(window.status == 404 && groups.isEmpty, "\(window.text)")
    }

    @Test("a helper ends with its request, and so do all when the server ends; a user has two at most")
    func ends() throws {
        try use("sleep 1000 & sleep 1000")
        var requests = try (0..<2).map { _ in try control.open("GET", "/v1/widgets") }
        try fixture.wait(for: "two helpers") { groups.count == 2 }
        let third = try control.send("GET", "/v1/widgets")
        #expect(
            third.status == 503 && third.text.contains("limit reached: a user has at most 2 requests"), "\(third.text)")
        requests.removeLast()
        try fixture.wait(for: "the end of one") { groups.count == 1 }
        requests.append(try control.open("GET", "/v1/widgets"))
        try fixture.wait(for: "another") { groups.count == 2 }
        control.stop()
        try fixture.wait(for: "the end of all") { groups.isEmpty }
    }

    @Test("users share four helpers, the last of which is the owner's, and holders of the token count as one user")
    func users() throws {
        try use("sleep 1000")
        let reader = WidgetReader(fixture.loop, ControlLimits().widgetReaders)
        let helper = WidgetHelper(
            program: control.folder + "/helper", control: "/none",
            variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"])
        func refusal(_ user: UInt32?) -> String? {
            do {
                _ = try reader.read([], helper, user: user) { _ in }
                return nil
            } catch {
                return error.detail
            }
        }
        #expect([refusal(1), refusal(1), refusal(nil)] == [nil, nil, nil])
        let own = "limit reached: a user has at most 2 requests for widgets at once; end one"
        #expect(refusal(1) == own && refusal(nil)?.contains("3 requests for widgets at once of all users") == true)
        #expect(refusal(geteuid()) == nil, "the last one is the server's own user's")
        #expect(refusal(geteuid()) == "limit reached: 4 requests for widgets at once; end one")
        reader.end()
        try fixture.wait(for: "the end of all") { refusal(2) == nil }
        reader.end()
    }
}
