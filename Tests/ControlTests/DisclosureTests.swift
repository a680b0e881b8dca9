// What each right lets a user read of other users' programs, over all routes of the control API.

import EventLoop
import FoundationEssentials
import Glibc
import JSON5
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct DisclosureTests {
    /// Something that only some rights allow to read, and the texts by which it is recognized in an answer.
    private struct Secret: Hashable {
        let name: String
        let needs: Rights
        let texts: [String]
    }

    private static let (title, identifier) = ("S3CRETTITLE", "s3cretapp")

    /// A server with a window of a plain program, one that uses the extension, and a journal.
    private final class Setup {
        let fixture: ServerFixture
        let control: TestControl
        let client: TestClient
        let toplevel: TestToplevel
        let secrets: [Secret]

        init() throws {
            fixture = try ServerFixture(screens: ["200x160"], clock: .manual)
            fixture.server.clientRecords = ClientRecords()
            client = try fixture.connect()
            toplevel = try TestToplevel.map(client, fixture, title, argb: 0xff12_ab56, width: 60, height: 40)
            toplevel.toplevel.send(.setAppId(appId: identifier))
            client.window(title + "2").color(0x8012_ab56).frame(137.25, 91.5, 50, 40).show()
            client.window(title + "3").color(0xff12_ab56).frame(0, 0, 100, 50).show()
            try fixture.pump()
            control = try TestControl(fixture)
            let application = try #require(fixture.model.applications.first)
            let name = try #require(fixture.model.application(application)?.name)
            try #require(name.count > 3)
            secrets = [
                Secret(name: "title", needs: .view, texts: [title]),
                Secret(name: "application id", needs: .view, texts: [identifier]),
                Secret(name: "application name", needs: .view, texts: [name]),
                Secret(name: "process", needs: .view, texts: ["\"pid\":\(getpid())", "(pid \(getpid()))"]),
                // Also as the difference of two places of a tap.
                Secret(name: "frame", needs: .view, texts: ["137.25", "91.5", "13.25"]),
                Secret(name: "picture", needs: .capture, texts: ["PNG\r\n", "iVBORw0KGgo"]),
                Secret(name: "pixel", needs: .capture, texts: ["#12ab56"]),
                Secret(name: "messages", needs: [.view, .capture], texts: ["\"set_app_id\""]),
            ]
        }

        func allow(_ rights: Rights) { fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: rights)]) }

        /// The answer as text, without what the request itself contained.
        func ask(_ request: Request) throws -> (status: Int, text: String) {
            let frame = Proxy<WlCallback>(client.connection, version: 1)
            toplevel.surface.send(.frame(callback: frame.id))
            toplevel.surface.send(.commit)
            try fixture.pump()
            guard request.isStream else {
                let answer = try control.send(request.method, request.target, request.body)
                return (answer.status, answer.body)
            }
            let descriptor = try control.start(request.method, request.target, request.body)
            defer { close(descriptor) }
            try fixture.pump()
            let other = client.window(title + "4").color(0xff00_ff00)
            other.show()
            try fixture.pump()
            other.destroy()
            try fixture.pump()
            var bytes: [UInt8] = []
            _ = TestControl.read(descriptor, into: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
        }
    }

    private struct Request {
        var method: String
        var target: String
        var body = ""
        var isStream = false
    }

    // MARK: Requests

    /// The values of each query item; a new item needs some. None of them is a secret.
    private static let values: [String: [String]] = [
        "after": ["0"], "scale": ["0.5"], "maxEdge": ["20"], "application": ["nope"], "check": ["true"],
        "color": ["000000"], "connected": ["false"],
        "count": ["9"], "crop": ["window:1", "window:2", "window:99", "window:nope", "0,0,9,9", "300,0,9,9", "x"],
        "cursor": ["true"], "description": ["nope"], "diff": ["true"], "duration": ["1"],
        "for": Condition.Kind.allCases.map(\.rawValue), "force": ["true"], "key": ["false"], "main": ["false"],
        "id": ["1"], "joined": ["true"], "masks": ["window:1", "window:nope", "0,0,9,9"], "maxDiffering": ["1"],
        "mustHit": ["true"], "name": ["nope"], "nth": ["0"], "pid": ["1"], "popups": ["true"], "requests": ["true"],
        "role": ["button"], "screen": ["1", "nope"], "seat": ["nope"], "sideBySide": ["true"], "state": ["focused"],
        "text": ["nope"], "timeout": ["0"], "title": ["nope"], "tolerance": ["1"], "upright": ["true"],
        "visible": ["false"], "wait": ["true"], "window": ["1", "2", "99", "nope"], "x": ["10"], "y": ["10"],
    ]

    /// Bodies other than the examples of the description.
    private static let bodies: [String: [String]] = [
        "POST /v1/input": [
            #"{"type":"tap","x":20,"y":20}"#, #"{"type":"tap","x":150.5,"y":100}"#, #"{"type":"tap","x":190,"y":150}"#,
            #"{"type":"tap","x":5000,"y":5}"#, #"[{"type":"tap","x":20,"y":20,"wait":true}]"#,
            #"{"type":"key","key":"a"}"#, #"{"type":"remote","command":"play"}"#, #"{"type":"shake"}"#,
            #"{"type":"tap","x":1,"y":1,"screen":"nope"}"#, #"{"type":"key","key":"a","seat":"nope"}"#,
            #"{"type":"touches","touches":[{"id":1,"phase":"began","x":20,"y":20},{"id":2,"phase":"began","x":190,"y":1}]}"#,
        ],
        "PATCH /v1/windows/{id}": ["{}", #"{"key":true}"#, #"{"screen":"nope"}"#, #"{"autoresizing":["width"]}"#, "x"],
        "PATCH /v1/screens/{screen}": ["{}", #"{"mirrors":"nope"}"#, #"{"mode":"1x1"}"#],
        "PATCH /v1/clock": [#"{"until":"idle","limit":1}"#, #"{"step":1}"#],
        "PATCH /v1/keyboard": [#"{"layout":"nope"}"#],
        "POST /v1/scenarios": [#"{"name": "x", "steps": [{"expect": {"key": "nope"}}]}"#],
        "POST /v1/convert": [#"{"points":[{"x":0,"y":0}],"from":{"window":2},"to":"layout"}"#],
        "POST /v1/screens": [#"{"model":"nope"}"#, #"{"model":"80x60","name":"Q"}"#],
    ]

    private static let order: [HTTPMethod] = [.get, .post, .patch, .delete]

    /// Requests to all routes, with each of their query items: what closes windows comes last.
    private func requests(_ routes: [Route]) throws -> [Request] {
        let document = try APIDocument()
        var all: [Request] = []
        for method in Self.order {
            for route in routes where route.method == method { all += try requests(route, document) }
        }
        #expect(routes.allSatisfy { Self.order.contains($0.method) })
        return all
    }

    private func requests(_ route: Route, _ document: APIDocument) throws -> [Request] {
        let operation = try #require(document.operation(route), "\(route.name)")
        let answer = operation["responses"]?["200"]?["content"]
        let isStream = answer?["text/event-stream"] != nil && answer?["application/json"] == nil
        var bodies = Self.bodies[route.name] ?? []
        if let example = document.example(route) {
            bodies.append(String(decoding: try JSONWriter.encode(example), as: UTF8.self))
        } else {
            bodies.append("")
        }
        var queries = [""]
        for item in route.query {
            for value in try #require(Self.values[item], "values of the query item \(item)") {
                queries.append("?\(item)=\(value)")
            }
        }
        if route.query.contains("for") { queries = try conditions() }
        var targets: [String] = []
        for place in ["1", "2", "nope"] {
            let target = "/" + route.pattern.map { $0.hasPrefix("{") ? place : $0 }.joined(separator: "/")
            if !targets.contains(target) { targets.append(target) }
        }
        return targets.flatMap { target in
            queries.flatMap { query in
                bodies.map {
                    Request(method: route.method.rawValue, target: target + query, body: $0, isStream: isStream)
                }
            }
        }
    }

    /// Each condition with all of its words, and with each alone.
    private func conditions() throws -> [String] {
        try Condition.Kind.allCases.flatMap { kind in
            let words = try kind.words.map { "&\($0)=\(try #require(Self.values[$0]?.first, "\($0)"))" }
            return ([words.joined()] + words + [""]).map { "?timeout=0&for=\(kind.rawValue)\($0)" }
        }
    }

    // MARK: Tests

    /// Every set of rights that routes need without the right to view, some with it, and rights that no route needs.
    private static let sets: [Rights] =
        (0..<16).map { Rights(rawValue: $0) }.filter { !$0.contains(.view) }
        + [.view, [.view, .capture], [.lock, .clipboard], .all]

    @Test("an answer of any route tells only what the asker's rights allow, whatever is asked", arguments: sets)
    func table(rights: Rights) throws {
        let setup = try Setup()
        setup.allow(rights)
        var told: Set<String> = []
        for request in try requests(setup.control.control.router.routes) {
            let answer = try setup.ask(request)
            for secret in setup.secrets where secret.texts.contains(where: { answer.text.contains($0) }) {
                told.insert(secret.name)
                let place = "\(request.method) \(request.target) \(request.body) with \(rights.text): \(secret.name)"
                #expect(rights.isSuperset(of: secret.needs), "\(place): \(answer.text.prefix(2000))")
            }
        }
        // The check finds each of them where it may be read.
        let readable = setup.secrets.filter { rights.isSuperset(of: $0.needs) && hasRoute(for: $0, rights) }
        #expect(told == Set(readable.map(\.name)))
    }

    /// Wherever pixels are told in words, the right to view is needed as well.
    private func hasRoute(for secret: Secret, _ rights: Rights) -> Bool {
        secret.name != "pixel" || rights.contains(.view)
    }

    @Test("without the right to view, a picture's part given by a window is refused, whether the window exists or not")
    func oracle() throws {
        for rights: Rights in [.capture, [.capture, .inject, .administer]] {
            let setup = try Setup()
            setup.allow(rights)
            for route in setup.control.control.router.routes where rights.isSuperset(of: route.rights) {
                let target = route.path.replacing("{screen}", with: "1")
                for item in ["crop", "masks"] where route.query.contains(item) {
                    var answers: Set<String> = []
                    for name in [Self.title, "nope", "1", "99"] {
                        let answer = try setup.control.send(
                            route.method.rawValue, "\(target)?\(item)=window:\(name)", "x")
                        #expect(answer.status == 403 && answer.body.contains("needs the right view"), "\(answer.body)")
                        answers.insert(answer.body)
                    }
                    #expect(answers.count == 1, "\(answers)")
                }
            }
        }
    }

    @Test("without the right to view, input names its receiver by its id, and a changed window is not described")
    func ids() throws {
        let setup = try Setup()
        setup.allow([.inject, .administer])
        let hit = try setup.control.send("POST", "/v1/input", #"{"type":"tap","x":20,"y":20}"#)
        #expect(
            hit.status == 200 && (hit.body.contains("\"window\":3}") || hit.body.contains("\"window\":3,")),
            "\(hit.body)")
        #expect(!hit.body.contains("\"location\"") && !hit.body.contains("\"title\""), "\(hit.body)")
        let missed = try setup.control.send("POST", "/v1/input?mustHit=true", #"{"type":"tap","x":190,"y":150}"#)
        #expect(missed.status == 409 && missed.body.contains("no window takes input at this point; not window 3; not "))
        #expect(!missed.body.contains("outsideFrame") && !missed.body.contains("outside its"), "\(missed.body)")
        // Where the window is would be in the answer.
        let inWindow = try setup.control.send("POST", "/v1/input", #"{"type":"tap","window":3,"x":1,"y":1}"#)
        #expect(inWindow.status == 403 && inWindow.body.contains("needs the right view"), "\(inWindow.body)")
        let changed = try setup.control.send("PATCH", "/v1/windows/1", #"{"alpha":0.5}"#)
        #expect(changed.status == 204 && changed.body.isEmpty, "\(changed.body)")
        #expect(setup.fixture.model.window(try #require(setup.fixture.model.windows.first))?.alpha == 0.5)
        let busy = try setup.ask(Request(method: "PATCH", target: "/v1/clock", body: #"{"until":"idle","limit":1}"#))
        #expect(busy.status == 409 && busy.text.contains("1 reason, which only the right view lets you read"))
    }

    @Test("readers of events who may not capture are not told what others ask about pixels, nor what they learn")
    func colours() throws {
        let setup = try Setup()
        setup.allow(.view)
        let viewer = try setup.control.events("/v1/events?requests=true")
        setup.allow(.all)
        let owner = try setup.control.events("/v1/events?requests=true")
        for (words, status, told) in [
            ("for=pixel&x=9&y=9&color=12ab56&timeout=0", 200, "color=12ab56"),
            ("for=pixel&x=9&y=9&color=000000&timeout=0", 408, "#12ab56"),
            ("for=still&duration=60000&timeout=0", 408, "pixels"),
            ("for=idle&for=pixel&x=9&y=9&color=000000&timeout=0", 408, "pixel 9,9"),
        ] {
            let answer = try setup.control.send("GET", "/v1/wait?" + words)
            #expect(answer.status == status, "\(words): \(answer)")
            let line = try #require(try owner().last { $0.contains("/v1/wait") }, "\(words)")
            #expect(line.contains("/v1/wait?for=") && line.contains(told), "\(words): \(line)")
            let veiled = try #require(try viewer().last { $0.contains("/v1/wait") }, "\(words)")
            #expect(veiled.contains(#""path":"/v1/wait","#) && veiled.contains("\"status\":\(status)"), "\(veiled)")
            #expect(!veiled.contains("detail") && !veiled.contains("pixel"), "\(words): \(veiled)")
        }
        for (words, kinds) in [
            ("for=pixel&x=9&y=9&color=12ab57", "pixel"), ("for=idle&for=still&duration=60000", "idle and still"),
        ] {
            setup.allow(.all)
            let wait = try setup.control.open("GET", "/v1/wait?timeout=60s&" + words)
            try setup.fixture.pump()
            setup.allow(.view)
            let list = try setup.control.send("GET", "/v1/waits").body
            #expect(list.contains(#""condition":"\#(kinds)","#) && !list.contains("unmet"), "\(list)")
            withExtendedLifetime(wait) {}
        }
        // What is not about pixels is told.
        #expect(try setup.control.send("GET", "/v1/wait?for=window&title=nope&timeout=0").status == 408)
        let line = try #require(try viewer().last { $0.contains("/v1/wait") })
        #expect(line.contains("/v1/wait?for=window&title=nope") && line.contains("not fulfilled within"), "\(line)")
    }

    @Test("what tells Wayland programs of others' windows and of what is typed needs the right to view")
    func globals() throws {
        let fixture = try ServerFixture()
        let telling = [
            ExtForeignToplevelListV1.name, ZwlrForeignToplevelManagerV1.name,
            ExtForeignToplevelImageCaptureSourceManagerV1.name, ZwpInputMethodManagerV2.name,
        ]
        for rights in Self.sets {
            fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: rights)])
            let client = try fixture.connect()
            let found = client.globals.map(\.interface).filter(telling.contains)
            if !rights.contains(.view) { #expect(found == [], "\(rights.text)") }
            if rights == .all { #expect(Set(found) == Set(telling)) }
        }
    }
}
