// What recorders of a run read: requests as events, and the next picture.

import Glibc
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct RecordingTests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["80x60"])
        control = try TestControl(fixture)
    }

    @Test("requests and the results of input are events only for readers that ask for them")
    func requests() throws {
        let (plain, detailed) = (try control.events(), try control.events("/v1/events?requests=true"))
        _ = try control.send("GET", "/v1/windows/9?x=1")
        let touch = #"{"type": "tap", "screen": "1", "x": 3, "y": 4}"#
        #expect(try control.send("POST", "/v1/input", touch).status == 200)
        try fixture.wait(for: "the request") { try detailed().contains { $0.contains("\"path\":\"/v1/input\"") } }
        let lines = try detailed()
        let refusal = try #require(lines.first { $0.contains("\"path\":\"/v1/windows/9?x=1\"") })
        #expect(refusal.contains("\"status\":400") && refusal.contains("is not a query item"), "\(refusal)")
        #expect(refusal.contains("\"pid\":\(getpid())"))
        let injected = try #require(lines.first { $0.contains("\"event\":\"injected\"") })
        #expect(injected.contains("\"missed\":[\"no client received the tap"), "\(injected)")
        let others = try plain()
        #expect(others.contains { $0.contains("\"event\":\"input\"") })
        #expect(!others.contains { $0.contains("\"event\":\"request\"") || $0.contains("\"event\":\"injected\"") })
    }

    @Test("a capture can wait for the next frame")
    func nextFrame() throws {
        let frame = fixture.server.frameNumber
        try #require(frame > 0)
        #expect(try control.send("GET", "/v1/capture?after=x").status == 400)
        #expect(try control.send("GET", "/v1/capture?after=\(frame - 1)").status == 200)
        let descriptor = try control.start("GET", "/v1/capture?after=\(frame)")
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        for _ in 0..<5 {
            #expect(try control.send("GET", "/v1/status").status == 200)
            #expect(!TestControl.read(descriptor, into: &bytes) && bytes.isEmpty)
        }
        let window = try fixture.model.createWindow(application: fixture.model.addApplication(name: "new"))
        try fixture.model.setHidden(false, of: window)
        try fixture.wait(for: "the picture") { TestControl.read(descriptor, into: &bytes) }
        let answer = String(decoding: bytes, as: UTF8.self)
        #expect(answer.contains("\"applicationName\":\"new\"") && answer.contains("\"png\":\""))
        #expect(answer.contains("\"frame\":\(fixture.server.frameNumber)"))
    }

    @Test(
        "a picture of a hidden window changes with its frame, its colour and its content",
        arguments: ["frame", "color", "content"])
    func hiddenWindow(change: String) throws {
        let client = try fixture.connect("program")
        let window = client.window("Form").color(0xff00_ff00).frame(0, 0, 20, 20)
        window.show()
        try fixture.pump()
        window.hide()
        try fixture.pump()
        let number = fixture.server.windowFrameNumber
        let request = try control.open("GET", "/v1/capture?window=1&after=\(number)")
        try fixture.pump()
        #expect(request.answer == nil)
        switch change {
        case "frame": window.frame(0, 0, 30, 30).commit()
        case "color": window.color(0xff00_00ff).commit()
        default:
            try client.attach(0xffff_0000, width: 5, height: 5, to: window.surface)
            window.commit()
        }
        try fixture.wait(for: "the picture") { request.answer != nil }
        #expect(request.answer?.status == 200 && fixture.server.windowFrameNumber > number)
    }

    @Test("pictures of screens and of windows have one counter")
    func counter() throws {
        let client = try fixture.connect("program")
        let window = client.window("Form").color(0xff00_ff00).frame(0, 0, 20, 20)
        for width in 1...5 {
            window.frame(0, 0, 20 + Double(width), 20).commit()
            try fixture.pump()
        }
        let picture = try control.send("GET", "/v1/capture?window=1").body
        let number = fixture.server.windowFrameNumber
        #expect(number > fixture.server.frameNumber)
        #expect(picture.contains("\"frame\":\(number),"), "\(picture.prefix(200))")
        let request = try control.open("GET", "/v1/capture?screen=1&after=\(number)")
        try fixture.pump()
        #expect(request.answer == nil)
        window.show()
        try fixture.wait(for: "the picture") { request.answer != nil }
        #expect(fixture.server.frameNumber > number)
    }

    @Test("mistakes in a request for a picture are refused, with and without waiting for the next frame")
    func mistakesInNextFrame() throws {
        let client = try fixture.connect("program")
        client.window("Form").color(0xff00_ff00).frame(0, 0, 20, 20).show()
        try fixture.pump()
        let after = "/v1/capture?after=\(fixture.server.windowFrameNumber + 1_000_000)"
        for (query, status) in [
            ("&screen=nope", 404), ("&upright=maybe", 400), ("&cursor=maybe", 400), ("&joined&screen=1", 400),
            ("&joined=maybe", 400), ("&popups=maybe", 400), ("&popups=true", 400), ("&popups=true&screen=1", 400),
            ("&window=1&upright=maybe", 400), ("&window=1&upright=true", 400), ("&window=1&joined=true", 400),
        ] {
            let request = try control.open("GET", after + query)
            try fixture.pump()
            #expect(request.answer?.status == status, "\(query)")
            #expect(try control.send("GET", "/v1/capture?" + query.dropFirst()).status == status, "\(query)")
        }
        #expect(try control.send("GET", "/v1/capture?window=1&popups=true").status == 200)
    }
}
