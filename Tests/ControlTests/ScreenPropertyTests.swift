// The table of screen properties: each can be set and read everywhere, and nothing that lists them leaves one out.

import FoundationEssentials
import JSON5
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct ScreenPropertyTests {
    /// Two values of each property, in JSON and in text form.
    static let values: [String: [(json: String, text: String)]] = [
        "name": [(#""B""#, "B"), (#""C""#, "C")],
        "kind": [(#""external""#, "external"), (#""builtIn""#, "builtIn")],
        "serial": [(#""S1""#, "S1"), (#""S2""#, "S2")],
        "port": [(#""HDMI-A-7""#, "HDMI-A-7"), (#""DP-7""#, "DP-7")],
        "mode": [(#""1280x720@60""#, "1280x720"), (#""1920x1080@60""#, "1920x1080@60")],
        "scale": [("1.5", "1.5"), ("2", "2")],
        "orientation": [(#""landscapeLeft""#, "landscapeLeft"), (#""portrait""#, "portrait")],
        "flipped": [("true", "true"), ("false", "false")],
        "overscan": [(#""none""#, "none"), (#""insetBounds""#, "insetBounds")],
        "mirroring": [(#""off""#, "off"), (#""A""#, "A")],
        "brightness": [("0.25", "0.25"), ("1", "1")],
        "position": [(#"{"x":-9,"y":7.5}"#, "-9+7.5"), (#"{"x":600,"y":0}"#, "600+0")],
        "interactive": [("false", "false"), ("true", "true")],
    ]

    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["400x300,name=A"], clock: .manual)
        control = try TestControl(fixture)
    }

    private func values(_ property: ScreenProperty) throws -> [(json: String, text: String)] {
        try #require(Self.values[property.name], "\(property.name) has no values here")
    }

    /// Whether an answer has this value of the property.
    private func has(_ answer: String, _ property: ScreenProperty, _ json: String) -> Bool {
        [",", "}"].contains { answer.contains("\"\(property.name)\":\(json)\($0)") }
    }

    private func plugTelevision() throws {
        try fixture.server.plug(ScreenSpecification(parsing: "tv-1080p,name=TV,external"))
    }

    @Test("S1: every property can be set when a screen is plugged in, by a body or by a text, and is read back")
    func plug() throws {
        for property in ScreenProperty.all {
            for value in try values(property) {
                let name = property.name == "name" ? "" : #""name": "TV","#
                let body = #"{"model": "tv-1080p", \#(name) "\#(property.name)": \#(value.json)}"#
                let answer = try control.send("POST", "/v1/screens", body)
                #expect(answer.status == 201 && has(answer.body, property, value.json), "\(body): \(answer.body)")
                let screen = try #require(fixture.model.screens.last)
                try fixture.server.disconnect(screen)

                let other = property.name == "name" ? "" : "name=TV,"
                let text = "tv-1080p,\(other)\(property.name)=\(value.text)"
                let id = try fixture.server.plug(ScreenSpecification(parsing: text))
                let seen = try control.send("GET", "/v1/screens/\(id)").body
                #expect(has(seen, property, value.json), "\(text): \(seen)")
                try fixture.server.disconnect(id)
            }
        }
    }

    @Test("S1: every property that can change is changed by PATCH, and no other")
    func patch() throws {
        try plugTelevision()
        for property in ScreenProperty.all {
            for value in try values(property) {
                let body = #"{"duration": 0, "\#(property.name)": \#(value.json)}"#
                let answer = try control.send("PATCH", "/v1/screens/TV", body)
                if property.lifetime == .changeable {
                    #expect(answer.status == 200 && has(answer.body, property, value.json), "\(body): \(answer.body)")
                } else {
                    #expect(answer.status == 400 && answer.body.contains("unknown key"), "\(body): \(answer.body)")
                }
            }
        }
    }

    @Test("every property can be expected, and is set by its step")
    func scenario() throws {
        try plugTelevision()
        for property in ScreenProperty.all where property.name != "name" {
            let values = try values(property)
            for (value, other) in [(values[0], values[1]), (values[1], values[0])] {
                let duration = property.step == "rotate" ? ", duration: '0s'" : ""
                if let step = property.step {
                    let steps = "{\(step): {screen: 'TV', to: \(value.json)\(duration)}}"
                    let report = try control.run(steps)
                    #expect(report.isDone && report.failure == nil, "\(steps): \(report)")
                } else {
                    try fixture.server.disconnect(try fixture.server.screen("TV").id)
                    let text = "tv-1080p,name=TV,\(property.name)=\(value.text)"
                    try fixture.server.plug(ScreenSpecification(parsing: text))
                }
                func expectation(_ json: String) -> String {
                    "{expect: {screen: {name: 'TV', \(property.name): \(json)}}}"
                }
                let met = try control.run(expectation(value.json))
                #expect(met.isDone && met.failure == nil, "\(property.name): \(met)")
                let broken = try control.run(expectation(other.json))
                #expect(broken.failure?.place == "screen TV: \(property.name)", "\(property.name): \(broken)")
            }
        }
    }

    @Test("settings are encoded and decoded, one by one and all together")
    func coding() throws {
        var all = ScreenSettings()
        for property in ScreenProperty.all {
            for value in try values(property) {
                var one = ScreenSettings()
                try property.set(text: value.text, in: &one)
                try property.set(text: value.text, in: &all)
                #expect(property.value(in: one) != nil && one != ScreenSettings())
                #expect(ScreenProperty.all.count { $0.value(in: one) != nil } == 1)
                let bytes = try JSONWriter.encode(one)
                #expect(try JSONDecoder().decode(ScreenSettings.self, from: Data(bytes)) == one)
            }
        }
        let bytes = try JSONWriter.encode(all)
        #expect(try JSONDecoder().decode(ScreenSettings.self, from: Data(bytes)) == all)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""position":{"x":600,"y":0}"#))
    }

    @Test("S10: the stored form of a screen")
    func record() throws {
        let text = "640x480@60,name=R,serial=S,port=P,scale=2,orientation=landscapeLeft,flipped=true,overscan=none"
        let more = ",mirroring=off,brightness=0.5,position=-5+7.5,kind=external,interactive=false"
        let memory = ScreenMemory()
        let id = try fixture.server.plug(ScreenSpecification(parsing: text + more))
        memory.remember(try #require(fixture.model.screen(id)), isConfigured: false)
        let stored = String(decoding: ScreenMemoryFile.encode(memory), as: UTF8.self)
        #expect(
            stored == """
                {
                  "screens": [
                    {
                      "brightness": 0.5,
                      "flipped": true,
                      "kind": "external",
                      "mirroring": "off",
                      "mode": "640x480@60",
                      "model": "640x480@60",
                      "name": "R",
                      "orientation": "landscapeLeft",
                      "overscan": "none",
                      "port": "P",
                      "positioned": true,
                      "scale": 2,
                      "serial": "S",
                      "vendor": "Mullion",
                      "x": -5,
                      "y": 7.5
                    }
                  ],
                  "version": 1
                }

                """)
        let folder = try TemporaryFolder()
        try stored.write(toFile: folder.path + "/screens.json", atomically: false, encoding: .utf8)
        let restored = ScreenMemory()
        #expect(ScreenMemoryFile(folder: folder.path).load(into: restored) == nil)
        #expect(restored.records == memory.records && restored.records.count == 1)
        try stored.replacing("      \"scale\": 2,\n", with: "")
            .write(toFile: folder.path + "/screens.json", atomically: false, encoding: .utf8)
        let warning = ScreenMemoryFile(folder: folder.path).load(into: restored)
        #expect(warning?.contains("the key \"scale\" is missing") == true, "\(warning ?? "")")
    }

    @Test("a value of another type is refused with what is allowed, whatever the property")
    func types() throws {
        try plugTelevision()
        for property in ScreenProperty.all {
            for value in ["[]", "{}", "5", "true", "\"\\u0001\""] {
                let body = #"{"model": "80x60", "\#(property.name)": \#(value)}"#
                let answer = try control.send("POST", "/v1/screens", body)
                if answer.status == 201 { try fixture.server.disconnect(try #require(fixture.model.screens.last)) }
                let isExplained =
                    answer.body.contains(" is not a") && answer.body.contains("; use ")
                    || ["is missing", "control characters"].contains { answer.body.contains($0) }
                let isRefused = (400..<500).contains(answer.status)
                #expect(answer.status == 201 || isRefused && isExplained, "\(body): \(answer)")
            }
        }
    }

    @Test(
        "an impossible value is refused with what is allowed, with the same message everywhere",
        arguments: [
            ("scale", "65", "65", "65 is not a scale; use a number from 1/64 to 64", Rule.s1),
            ("scale", "0.01", "0.01", "0.01 is not a scale; use a number from 1/64 to 64", .s1),
            ("brightness", "-0.5", "-0.5", "-0.5 is not a brightness; use a number from 0 to 1", .s1),
            ("overscan", #""big""#, "big", "is not a compensation for overscan; use scale, insetBounds or none", .s5),
            ("mode", #""big""#, "big", "is not a mode; use WIDTHxHEIGHT[@HERTZ][~N:D]", .s1),
            ("kind", #""both""#, "both", "is not a kind; use builtIn or external", .s1),
            ("name", #""7""#, "7", "is not a name; use one that is not a number, auto", .s1),
            (
                "orientation", #""up""#, "up",
                "is not an orientation; use portrait, portraitUpsideDown, landscapeLeft or landscapeRight", .r1
            ),
            ("position", #"{"x":1e10,"y":0}"#, "1e10+0", "in points from -8388607 to 8388607", .s1),
        ])
    func refusals(name: String, json: String, text: String, message: String, rule: Rule) throws {
        let answer = try control.send("POST", "/v1/screens", #"{"model": "80x60", "\#(name)": \#(json)}"#)
        let detail = answer.body.replacing("\\\"", with: "\"")
        #expect(answer.status == 422 && detail.contains(message), "\(answer)")
        #expect(detail.contains("\"rule\":\"\(rule.rawValue)\""), "\(answer)")
        let property = try #require(ScreenProperty.all.first { $0.name == name })
        let error = #expect(throws: ModelError.self) { try ScreenSpecification(parsing: "80x60,\(name)=\(text)") }
        #expect(error?.rule == rule)
        #expect(error?.message.hasPrefix("\"\(text)\" is not a") == true, "\(error?.message ?? "")")
        if let step = property.step {
            let report = try control.run("{\(step): {screen: 'A', to: \(json)}}")
            #expect(report.refusal?.contains("step 1: \(step).to: \(rule)") == true, "\(report.refusal ?? "")")
            #expect(report.refusal?.contains(message) == true, "\(report.refusal ?? "")")
        }
        #expect(fixture.model.screens.count == 1)
    }
}
