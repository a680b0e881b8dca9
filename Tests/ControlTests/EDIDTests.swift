// EDIDs: generated ones can be read, and hostile ones are read or refused.

import ControlProtocol
import EventLoop
import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct EDIDTests {
    private func model(
        _ modes: [String], _ change: (inout DisplayModel) -> Void = { _ in }
    ) throws -> DisplayModel {
        let parsed = try modes.map { try Screen.Mode(parsing: $0) }
        var display = DisplayModel(name: "x", vendor: "Mullion", model: "Test", modes: parsed)
        change(&display)
        return display
    }

    @Test(
        "S1: a generated EDID reads back: the modes to the mHz, and the preferred one",
        arguments: [
            ["1366x768@60"], ["1x1@60"], ["5120x2880@60", "3840x2160@60"], ["800x600@60.317", "640x480@59.94"],
            ["720x480@59.94~8:9", "720x480@60~8:9"], ["720x480@60~32:27"], ["1280x720@120", "1280x720@119.88"],
            ["3440x1440@143.923", "2560x1440@74.971", "1280x800@59.81", "1024x768@1"], ["2560x1080@60"],
            (1...60).map { "\(640 + 8 * $0)x\(480 + 3 * $0)@\(40 + $0)" },
            ["1440x240@60~2:9", "1600x900@60"],
        ])
    func roundTrip(modes: [String]) throws {
        for connector in DisplayModel.Connector.allCases {
            let display = try model(modes) { $0.connector = connector }
            let read = try EDID.parse(EDID.generate(for: display))
            let vga = Screen.Mode(width: 640, height: 480, refresh: 59_940)
            // If nothing fits into the base block, it contains VGA.
            let extra: Set = display.modes.contains(where: \.fitsDescriptor) ? [] : [vga]
            #expect(Set(read.modes) == Set(display.modes).union(extra), "\(connector)")
            #expect(read.preferredMode == display.modes[0], "\(connector)")
        }
    }

    @Test("S1: modes that no timing can represent are omitted, and the EDID is still valid")
    func impossible() throws {
        for text in ["65535x65535@100000", "800x600@0.001"] {
            let read = try EDID.parse(EDID.generate(for: model([text, "800x600@60"])))
            #expect(read.modes == [Screen.Mode(width: 800, height: 600)])
        }
    }

    @Test("S1: identity: vendor, product, serial number and size")
    func identity() throws {
        let display = try model(["1920x1080@60"]) {
            $0.vendor = "Ünix 9 co"
            $0.model = "A very long name"
            $0.serial = "№ 12345678901234"
            $0.physicalSize = .init(width: 531, height: 299)
        }
        let read = try EDID.parse(EDID.generate(for: display))
        #expect(read.vendor == "NIX" && read.product == "A very long n" && read.serial == "? 12345678901")
        #expect(read.physicalSize == Size(width: 531, height: 299))
        let own = try model(["1920x1080@60"]) { $0.pnp = "ZZZ" }
        #expect(try EDID.parse(EDID.generate(for: own)).vendor == "ZZZ")
        #expect(try EDID.parse(EDID.generate(for: own)).serial == "")
        #expect(EDID.pnpID(of: "") == "XXX" && EDID.pnpID(of: "h p") == "HPX")
    }

    @Test("CTA-861: 60 Hz is listed by its code only together with 59.94 Hz, because the code includes both")
    func codes() throws {
        let both = try model(["1920x1080@60", "1920x1080@59.94"]) { $0.connector = .hdmi }
        let one = try model(["1920x1080@60"]) { $0.connector = .hdmi }
        #expect(EDID.Plan(both).formats.map(\.code) == [16] && EDID.Plan(one).formats.isEmpty)
        #expect(VideoFormat.format(code: 97)?.modes.map(\.refresh) == [60_000, 59_940])
        #expect(VideoFormat.format(code: 18)?.pixelAspectRatio == 64.0 / 45)
    }

    @Test("CVT: reduced blanking is VESA's, except for lines that make the rate exact")
    func reducedBlanking() throws {
        // 1920x1200 has an even rate at 154.00 MHz in VESA's list: 2080 x 1235.
        let timing = try #require(DetailedTiming(Screen.Mode(parsing: "1920x1200@59.95")))
        #expect(timing.horizontal.total == 2080 && timing.vertical.total == 1235 && timing.clock == 154_000)
        #expect(timing.vertical.sync == 6 && timing.vertical.front == 3)
        let sixty = try #require(DetailedTiming(Screen.Mode(parsing: "1440x900@60")))
        #expect(sixty.refresh == 60_000 && sixty.vertical.total >= 926 && sixty.vertical.total < 940)
    }

    @Test("established, standard and further timings of a foreign EDID")
    func listed() throws {
        var bytes = EDID.generate(for: try model(["1280x1024@60"]))
        bytes.replaceSubrange(35...43, with: [0xa1, 0x08, 0x80, 0x81, 0x80, 0xd1, 0xc0, 0x61, 0x4a])
        bytes.replaceSubrange(108...125, with: [0, 0, 0, 0xf7, 0, 10, 0x80, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0])
        bytes[127] = EDID.checksum(bytes[..<127])
        let read = try EDID.parse(bytes)
        let expected = [
            "1280x1024@60", "720x400@70.082", "640x480@59.94", "800x600@60.317", "1024x768@60.004", "1152x870@75.062",
            "1280x1024@60.02", "1920x1080@60", "1024x768@70.069", "640x350@85.08", "1920x1440@75",
        ]
        #expect(read.modes.map(\.text) == expected)
    }

    @Test("only what does not begin with a base block is refused, with the reason")
    func refusals() throws {
        let good = EDID.generate(for: try model(["5120x2880@60", "640x480@60"]) { $0.connector = .hdmi })
        func refusal(_ change: (inout [UInt8]) -> Void, seal: Bool = true) -> String {
            var bytes = good
            change(&bytes)
            if seal, bytes.count > 127 { bytes[127] = EDID.checksum(bytes[..<127]) }
            do {
                _ = try EDID.parse(bytes)
                return "nothing"
            } catch {
                return error.description
            }
        }
        #expect(good.count == 384 && refusal { _ in } == "nothing")
        #expect(refusal { $0 = [] }.contains("not 0"))
        #expect(refusal { $0 = Array($0[..<127]) }.contains("not 127"))
        #expect(refusal { $0 += [UInt8](repeating: 0, count: 32_768) }.contains("32768 at most"))
        #expect(refusal({ $0[100] ^= 1 }, seal: false).hasPrefix("block 0: the checksum is"))
        #expect(
            refusal {
                $0[1] = 0; $0[2] = 0; $0[3] = 0
            }.contains("begin with 00 FF"))
        #expect(refusal { $0[18] = 2 }.contains("version 2.3 is not supported"))
    }

    @Test("nothing of a generated EDID is skipped")
    func remarks() throws {
        for name in Shipped.names { #expect(try EDID.parse(Shipped.model(name).edidBytes).remarks == [], "\(name)") }
        for connector in DisplayModel.Connector.allCases {
            let many = try model((1...60).map { "\(640 + 8 * $0)x\(480 + 3 * $0)@\(40 + $0)" }) {
                $0.connector = connector
            }
            #expect(try EDID.parse(EDID.generate(for: many)).remarks == [])
        }
    }

    @Test("20,000 mutated EDIDs are read or refused, and those read are valid screens")
    func mutated() throws {
        var random = SeededRandom()
        let seeds = try Shipped.names.map { try Shipped.model($0).edidBytes } + EDIDDamageTests.cases.map(\.bytes)
        var (accepted, refused) = (0, 0)
        for round in 0..<20_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let at = Int.random(in: bytes.indices, using: &random)
                bytes[at] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : bytes[at] ^ 0x80
            }
            if round % 16 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            // Most get past the checksums, to the parts that must be read with care.
            if round % 4 != 0 {
                for start in stride(from: 0, to: bytes.count - 127, by: 128) {
                    let sum = start + 5 + Int(bytes[start + 2])
                    if bytes[start] == 0x70, sum < start + 127 { bytes[sum] = EDID.checksum(bytes[(start + 1)..<sum]) }
                    bytes[start + 127] = EDID.checksum(bytes[start..<(start + 127)])
                }
            }
            do {
                let display = try DisplayModel(name: "mutant", edid: bytes)
                try display.description(named: "S").checked()
                // Whatever was read can be generated again.
                if round % 16 == 1 {
                    var again = display
                    again.edid = nil
                    #expect(throws: Never.self) { try EDID.parse(again.edidBytes) }
                }
                accepted += 1
            } catch {
                #expect(
                    error.kind == .invalidValue && error.message.hasPrefix("edid: "), "seed \(random.seed): \(error)")
                // Only the base block decides.
                #expect((try? EDID.parse(Array(bytes.prefix(128)))) == nil, "seed \(random.seed)")
                refused += 1
            }
        }
        #expect(accepted > 2000 && refused > 2000, "seed \(random.seed): \(accepted) read, \(refused) refused")
    }

    @Test("S1: a screen can be plugged in by its EDID alone, or with it instead of a model's own")
    func plug() throws {
        let server = DisplayServer(loop: try EventLoop())
        let bytes = try Shipped.model("monitor-1440p").edidBytes
        let text = Data(bytes).base64EncodedString()
        func plug(_ body: String) throws -> Screen {
            let payload = try JSONDecoder().decode(Strict<PlugPayload>.self, from: Data(body.utf8)).value
            return try #require(server.model.screen(try server.plug(payload.specification)))
        }
        let alone = try plug(#"{"edid": "\#(text)", "serial": "77", "mode": "1920x1080"}"#)
        #expect(alone.properties.edid == bytes && alone.properties.serial == "77")
        #expect(alone.properties.model == "Monitor QHD" && alone.currentMode.height == 1080)
        let beside = try plug(#"{"model": "640x480", "edid": "\#(text)", "scale": 2}"#)
        #expect(beside.currentMode.width == 2560 && beside.scale == 2)
        #expect(API.Screen(beside, in: server.model).edid.text == text)
        let plain = try plug(#"{"model": "720x576@50~16:15", "serial": "S1"}"#)
        let read = try EDID.parse(plain.properties.edid)
        #expect(read.serial == "S1" && read.modes == [plain.currentMode])
        #expect(try ScreenSpecification(parsing: "edid=\(text),external").edid == bytes)
        for body in [#"{"name": "x"}"#, #"{"edid": "*"}"#, #"{"edid": "AAAA"}"#] {
            let refusal = #expect(throws: ModelError.self) { try plug(body) }
            #expect(refusal?.rule == .s1 && refusal?.message.contains("edid") == true)
        }
        #expect(server.model.screens.count == 3)
    }
}
