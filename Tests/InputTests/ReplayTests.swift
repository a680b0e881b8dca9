// mullionctl replay repeats what mullionctl watch has recorded.

import DisplayServer
import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

/// A server with two windows of one client, and the output of mullionctl watch.
private final class Stage {
    let fixture: ServerFixture
    let session: ControlSession
    let keys: KeyboardReader
    let touches: TouchReader
    private let events: TestEvents
    private var watch: Program?

    static let tool = Programs.built + "/mullionctl"

    init(clock: ClockMode = .real) throws {
        fixture = try ServerFixture(screens: ["800x600,name=MAIN"], clock: clock)
        session = try ControlSession(fixture)
        let client = try fixture.connect("client")
        keys = try KeyboardReader(client)
        touches = try TouchReader(client)
        let low = client.window("low").color(0xffff0000).frame(0, 0, 400, 600)
        low.makeKeyAndVisible()
        let high = client.window("high").color(0xff00ff00).frame(300, 0, 500, 600).level(5)
        high.show()
        events = TestEvents(client, low, high)
        try fixture.pump()
        for application in fixture.model.applications {
            try fixture.model.beginReceivingRemoteControlEvents(application)
        }
    }

    func startWatching(_ words: String...) throws {
        watch = try fixture.spawn(Self.tool, ["--control", session.folder + "/socket", "watch"] + words)
        try fixture.wait(for: "the reader") {
            try session.send("GET", "/v1/status").text.contains("\"eventReaders\":1")
        }
    }

    /// The recorded lines, up to the end of a shake.
    func watched(_ sign: String = "\"detail\":\"shake\"") throws -> [String] {
        var lines: [String] = []
        try fixture.wait(for: "the last line") {
            lines = watch?.readOutput().split(separator: "\n").map(String.init) ?? []
            return lines.count { $0.contains(sign) } >= 2
        }
        return lines
    }

    /// What applications received, without times, serials and groups unless asked for.
    static func deliveries(_ lines: [String], withTimes: Bool = false) -> [String] {
        lines.filter { $0.contains("\"event\":\"event\"") }.map { line in
            withTimes ? line : ["time", "timestamp", "serial", "group"].reduce(line, Self.without)
        }
    }

    private static func without(_ line: String, _ key: String) -> String {
        guard let start = line.firstRange(of: "\"\(key)\":") else { return line }
        let end = line[start.upperBound...].firstIndex { !$0.isNumber } ?? line.endIndex
        return String(line[..<start.lowerBound] + line[end...])
    }

    func write(_ name: String, _ lines: [String]) throws -> String {
        let path = session.folder + "/" + name
        guard FileManager.default.createFile(atPath: path, contents: Data((lines.joined(separator: "\n") + "\n").utf8))
        else { throw FixtureError("\(path) cannot be written") }
        return path
    }

    /// Every kind of input by mullionctl, with `pause` after each action.
    func perform(_ pause: () throws -> Void) throws {
        let actions = [
            ["touch", "MAIN", "10.125,20", "force=0.3", "majorRadius=7.7"],
            ["touch", "MAIN", "350,20", "began", "id=4"], ["touch", "MAIN", "120.3,41", "moved", "id=4"],
            ["pinch", "MAIN", "100,100", "by=touch", "scale=1.7", "rotation=30deg", "steps=3", "id=5"],
            ["touch", "MAIN", "0,0", "ended", "id=4"],
            ["hover", "MAIN", "31,40", "tool=eraser", "id=6", "distance=0.7", "buttons=primary,tertiary"],
            ["hover", "MAIN", "310.3,40", "tool=eraser", "id=6", "altitude=30deg", "azimuth=1.3", "roll=-0.1"],
            ["touch", "MAIN", "311,41", "began", "id=6", "force=0.3"], ["touch", "MAIN", "312,41", "ended", "id=6"],
            ["hover", "MAIN", "0,0", "ended", "tool=eraser", "id=6", "buttons="],
            ["click", "MAIN", "500,50", "button=right"], ["hover", "by", "-3.3,4"],
            ["scroll", "MAIN", "50,60", "0.1,12.7"], ["pinch", "MAIN", "50,60", "scale=0.3", "steps=2"],
            ["twist", "MAIN", "50,60", "rotation=1"], ["swipe", "MAIN", "50,60", "90,60", "steps=3"],
            ["hold", "MAIN", "50,60"], ["drag", "MAIN", "20,20", "399,500", "steps=4"],
            ["drag", "MAIN", "20,20", "700,500", "steps=2", "by=pointer"],
            ["key", "ctrl+a"], ["key", "shift", "down"], ["key", "x"], ["key", "shift", "up"],
            ["type", "Größe: 漢字 😀 ok"],
            ["key", "eacute"], ["remote", "nextTrack"], ["shake"],
        ]
        for words in actions {
            let (status, output) = try session.mullionctl(words)
            #expect(status == 0, "\(words): \(output)")
            try pause()
        }
    }
}

@Suite struct ReplayTests {
    @Test("E9: a recording that is replayed on a fresh server gives the same deliveries", arguments: ["1", "10"])
    func replay(speed: String) throws {
        let first = Stage.Recorded(try Stage())
        try first.stage.startWatching()
        try first.stage.perform {}
        let lines = try first.stage.watched()
        let second = Stage.Recorded(try Stage())
        try second.stage.startWatching()
        let path = try second.stage.write("recording", lines)
        let (status, output) = try second.stage.session.mullionctl("replay", path, "--speed", speed)
        #expect(status == 0 && output.isEmpty, "\(output)")
        let again = try second.stage.watched()
        #expect(Stage.deliveries(lines) == Stage.deliveries(again))
        #expect(lines.count { $0.contains("\"event\":\"input\"") } > 60)
        #expect(first.text == second.text && first.text.contains("Größe: 漢字 😀 ok"))
        #expect(first.touches == second.touches && !first.touches.isEmpty)
        #expect(second.stage.fixture.model.touchCount == 0 && second.stage.fixture.model.pressedKeys == [])
    }

    @Test("E9: with the manual clock the times are the same too")
    func manual() throws {
        let first = Stage.Recorded(try Stage(clock: .manual))
        try first.stage.startWatching()
        try first.stage.perform { try first.stage.fixture.step(7_001) }
        let lines = try first.stage.watched()
        let second = Stage.Recorded(try Stage(clock: .manual))
        try second.stage.startWatching()
        let path = try second.stage.write("recording", lines)
        let (status, output) = try second.stage.session.mullionctl("replay", path, "--manual")
        #expect(status == 0 && output.isEmpty, "\(output)")
        let again = try second.stage.watched()
        #expect(Stage.deliveries(lines, withTimes: true) == Stage.deliveries(again, withTimes: true))
        #expect(first.text == second.text && first.touches == second.touches)
    }

    @Test("watch --input prints only steps of input, including those of programs")
    func onlyInput() throws {
        let stage = try Stage()
        try stage.startWatching("--input")
        let program = try stage.fixture.connect("program")
        let pointer = try program.virtualPointer()
        pointer.send(.motion(time: 0, dx: Fixed(rounding: 5), dy: Fixed(rounding: 6)))
        pointer.send(.frame)
        try stage.fixture.pump()
        #expect(try stage.session.mullionctl("shake").status == 0)
        let lines = try stage.watched("\"type\":\"shake\"")
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("\"event\":\"input\"") })
        #expect(lines[0].contains("{\"dx\":5,\"dy\":6,\"seat\":\"seat0\",\"type\":\"hover\"}"), "\(lines[0])")
    }

    @Test("a refused line is named, and its batch is not injected")
    func refused() throws {
        let stage = try Stage()
        func line(_ time: Int, _ input: String) -> String {
            "{\"event\":\"input\",\"time\":\(time),\"clock\":\"real\",\"input\":\(input)}"
        }
        let shake = line(5, "{\"type\":\"shake\",\"phase\":\"began\"}")
        let file = try stage.write(
            "refused",
            [
                shake, "", "{\"event\":\"needsDisplay\",\"time\":6}",
                line(7, "{\"type\":\"button\",\"pressed\":false}"),
            ])
        let (status, output) = try stage.session.mullionctl("replay", file)
        #expect(
            status == 1 && output.contains("\(file):4: E5 (pointer events): ") && output.contains("already up"),
            "\(output)")
        #expect(try stage.session.mullionctl("shake").status == 0)
        let unknown = try stage.write("unknown", [shake, line(9, "{\"type\":\"wink\"}")])
        #expect(try stage.session.mullionctl("replay", unknown).output.contains("\(unknown):2: "))
        let backwards = try stage.write("backwards", [shake, line(4, "{\"type\":\"shake\"}")])
        #expect(try stage.session.mullionctl("replay", backwards).output.contains("\(backwards):2: the time is before"))
        let broken = try stage.write("broken", ["{"])
        #expect(try stage.session.mullionctl("replay", broken).output.contains("\(broken):1: this is not JSON"))
        #expect(try stage.session.mullionctl("replay", file, "--manual").output.contains("clock is real"))
        #expect(try stage.session.mullionctl("replay", file, "--manual", "--speed", "2").status == 2)
        #expect(try stage.session.mullionctl("replay", file, "--speed", "0").status == 2)
        #expect(try stage.session.mullionctl("replay", "/no/such/file").output.contains("cannot be read"))
    }

    @Test("replay - reads standard input")
    func piped() throws {
        let stage = try Stage()
        func replay(_ input: String) throws -> Program {
            let line = "{\"event\":\"input\",\"time\":5,\"clock\":\"real\",\"input\":\(input)}"
            let file = try stage.write("piped", [line])
            let control = stage.session.folder + "/socket"
            let program = try stage.fixture.spawn(
                "sh", ["-c", "cat '\(file)' | '\(Stage.tool)' --control '\(control)' replay -"])
            try stage.fixture.wait(for: "its end") { !program.isRunning }
            return program
        }
        let good = try replay("{\"type\":\"tap\",\"x\":10,\"y\":20,\"id\":7}")
        #expect(good.exitStatus == 0 && good.readOutput().isEmpty, "\(good.readOutput())")
        let touches = stage.touches.take()
        #expect(touches.contains { $0.hasPrefix("down 7 on") && $0.hasSuffix(" 10.0,20.0") }, "\(touches)")
        let bad = try replay("{\"type\":\"wink\"}")
        #expect(bad.exitStatus == 1 && bad.readOutput().contains("standard input:1: "), "\(bad.readOutput())")
    }

    @Test("H3: mullionctl prints who took an event, whether it was read, and who received a command")
    func words() throws {
        let stage = try Stage()
        func say(_ words: String...) throws -> String {
            let (status, output) = try stage.session.mullionctl(words)
            #expect(status == 0, "\(words)")
            return output
        }
        #expect(try say("touch", "MAIN", "10,20").hasPrefix("window 1 \"low\""))
        #expect(try say("touch", "MAIN", "10,20").contains("  not window 2 \"high\": outsideFrame\n"))
        #expect(try say("pinch", "MAIN", "350,50", "by=touch").hasPrefix("touch 0: window 2 \"high\""))
        #expect(try say("shake").hasPrefix("window 1 \"low\""))
        let name = try #require(stage.fixture.model.application(stage.fixture.model.applications[0])?.name)
        #expect(try say("remote", "play") == "application 1 \"\(name)\"\n")
        #expect(try say("shake", "--wait").contains("read by application 1 \"\(name)\" after "))
        #expect(try say("--json", "shake", "--wait").contains("\"read\":true"))
        let miss = try stage.session.mullionctl("touch", "MAIN", "900,20")
        #expect(miss.status == 1, "\(miss)")
        let reason = "no client received the tap: the point is not on the screen, whose bounds are 0,0 "
        #expect(miss.output.hasPrefix("mullionctl: H3 (every event is explained): \(reason)"))
        let accepted = try say("touch", "MAIN", "900,20", "--allow-miss")
        #expect(accepted.hasPrefix("nobody: outsideScreen, the screen's bounds are 0,0 "))
        let report = try stage.session.mullionctl("--json", "touch", "MAIN", "900,20")
        #expect(report.status == 1 && report.output.contains("\"reason\":\"outsideScreen\""), "\(report)")
        #expect(try say("hover", "MAIN", "700,20").hasPrefix("window 2"))
        #expect(try stage.session.mullionctl("remote", "louder").output.contains("togglePlayPause"))
        #expect(try stage.session.mullionctl("remote").status == 2)
        #expect(try stage.session.mullionctl("shake", "seat=nobody").output.contains("use one of seat0"))
    }
}

extension Stage {
    /// What the client of a stage has read in all.
    fileprivate final class Recorded {
        let stage: Stage
        private(set) lazy var text = stage.keys.takeText()
        private(set) lazy var touches = stage.touches.take()

        init(_ stage: Stage) { self.stage = stage }
    }
}
