// Nearly valid configurations, bodies, scenarios, pictures and keymaps: read, or refused with a reason, never a trap.

import Compositor
import ConfigurationSections
import FoundationEssentials
import Glibc
import JSON5
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays
@testable import EventLoop
@testable import MullionKeymaps

@Suite struct InputFuzzTests {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test("120,000 mutated JSON5 texts are read or refused with the position")
    func syntax() throws {
        let corpus = [
            "// c\n{ /* d */ 'a': [1, 2,], \"b\": +.5e3, c: 0xff, d: -Infinity }", "{ a: { b: [{}, [], ''] } }", "'x'",
            "[null, true, \"\\u00e9\\\n\"]", "{\n  name: 'x',\n  modes: ['1x1'],\n}",
        ]
        let report = try fuzz("JSON5", count: 120_000, corpus: Self.bytes(corpus)) { bytes in
            let mistake: JSON5Mistake
            do throws(JSON5Mistake) {
                _ = try JSON5Document(bytes)
                return true
            } catch {
                mistake = error
            }
            let lines = bytes.count { $0 == 10 } + 1
            guard (1...lines).contains(mistake.line), (1...bytes.count + 1).contains(mistake.column) else {
                throw FixtureError("\(mistake)")
            }
            return false
        }
        #expect(report.accepted > 1000 && report.refused > 1000, "\(report)")
    }

    @Test("30,000 mutated configurations are read or refused by file and key")
    func configuration() throws {
        let corpus = Self.bytes([
            "{ clients: 5, outputHighWater: 10, outputMaximum: 20 }",
            "{ name: 'x', vendor: 'V', model: 'm', modes: ['640x480@60', '1x1'], scale: 2, kind: 'external' }",
            "{ layout: 'us,de', variant: ',nodeadkeys', repeat: { rate: 25, delay: 600 }, applications: { a: 'de' } }",
            "{ user: 'root', group: ['audio', 5], rights: ['view'], connect: true, windows: 3, highestLevel: 1000 }",
            "{ name: 'x', screens: ['A'], keyboard: { layout: 'de' } }",
        ])
        let words = ["user", "rights", "sandbox", "edid", "modes", "keyboard", "'administer'", "1x1@0", "1x1~1:0"]
        let report = try fuzz("Configuration", count: 30_000, corpus: corpus, words: words) { bytes in
            let isRead = [
                Self.isRead(LimitsSection.self, bytes), Self.isRead(DisplayModel.self, bytes),
                Self.isRead(KeyboardConfiguration.self, bytes), Self.isRead(PeerRule.self, bytes),
                Self.isRead(SeatConfiguration.self, bytes),
            ]
            return isRead.contains(true)
        }
        #expect(report.accepted > 100 && report.refused > 1000, "\(report)")
    }

    private static func isRead<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) -> Bool {
        (try? JSON5.decode(type, from: bytes, file: "f")) != nil
    }

    @Test("60,000 mutated bodies are read or refused as a client error")
    func bodies() throws {
        let corpus = Self.bytes([
            #"{"level": "alert", "frame": {"x": 1, "y": 2, "width": 3, "height": 4}, "alpha": 0.5, "hidden": true}"#,
            #"{"model": "640x480", "name": "A", "scale": 2, "mode": "640x480@60", "position": {"x": 0, "y": -5}}"#,
            #"{"orientation": "landscapeLeft", "brightness": 0.5, "mirroring": "off", "overscan": "scale"}"#,
            #"[{"type": "touch", "id": 1, "phase": "began", "x": 5, "y": 6}, {"type": "key", "key": "ctrl+a"}]"#,
            #"{"type": "drag", "from": {"x": 1, "y": 1}, "to": {"x": 2, "y": 2}, "steps": 5, "duration": 0.5}"#,
            #"{"type": "pinch", "x": 5, "y": 6, "scale": 1.5, "rotation": 30, "steps": 3}"#,
            #"{"layout": "de", "variant": "", "repeat": {"rate": 25, "delay": 600}}"#, #"{"step": "16ms"}"#,
        ])
        let words = ["type", "screen", "\"x\"", "\"seat\"", "\"tap\"", "\"scroll\"", "\"type\"", "\"text\""]
        let report = try fuzz("Bodies", count: 60_000, corpus: corpus, words: words) { bytes in
            let results = try [
                Self.understands(Strict<WindowPatch>.self, bytes), Self.understands(Strict<PlugPayload>.self, bytes),
                Self.understands(Strict<ScreenPatch>.self, bytes), Self.understands(InputRequest.self, bytes),
                Self.understands([InputRequest].self, bytes), Self.understands(Strict<KeyboardPatch>.self, bytes),
                Self.understands(Strict<ClockPatch>.self, bytes),
            ]
            return results.contains(true)
        }
        #expect(report.accepted > 1000 && report.refused > 1000, "\(report)")
    }

    private static func understands<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws -> Bool {
        do throws(Problem) {
            _ = try ControlRequest.decode(type, from: bytes)
            return true
        } catch {
            guard (400..<500).contains(error.status) else { throw FixtureError("\(type): \(error)") }
            return false
        }
    }

    @Test("30,000 mutated scenarios are checked or refused with step and key")
    func scenarios() throws {
        let steps = [
            "{plug: '800x600,name=A,external'}", "{plug: {model: '640x480', name: 'B', scale: 2}}", "{unplug: 'A'}",
            "{flap: {screen: 'A', times: 3, out: '5ms', in: '1s', seed: 7}}", "{mode: {screen: 'A', to: '640x480@60'}}",
            "{rotate: {screen: 'A', to: 'portrait', duration: '1s'}}", "{mirror: {screen: 'A', to: 'off'}}",
            "{position: {screen: 'A', to: {x: 1, y: -2.5}}}", "{input: [{type: 'tap', x: 1, y: 1, after: 0.5}]}",
            "{input: {type: 'type', text: 'abc'}}", "{claim: {title: 'a', level: -5, color: '#ff8800', key: true}}",
            "{window: {title: 'a', alpha: 0.5, frame: {x: 0, y: 0, width: 1, height: 1}}}", "{release: 'a'}",
            "{wait: '16.5ms'}", "{wait: 'settled'}", "{expect: {screens: ['A'], key: null, within: '1s'}}",
            "{expect: {pixel: {x: 1, y: 1, color: '#ffffff', tolerance: 3}, window: {title: 'a', level: 0}}}",
            "{screenshot: {name: 'a', screen: 2}}",
        ]
        let corpus = Self.bytes(
            (0..<steps.count - 2).map { "{ name: 'x', steps: [\(steps[$0...$0 + 2].joined(separator: ",\n"))] }" })
        let fixture = try ServerFixture()
        let words = ["expect", "overscan", "brightness", "compare", "screen", "within", "'24h'", "1e400"]
        let report = try fuzz("Scenarios", count: 30_000, corpus: corpus, words: words) { bytes in
            do {
                _ = try ControlServer.scenario(in: bytes, on: fixture.server)
                return true
            } catch {
                let problem = Problem(error)
                guard (400..<500).contains(problem.status) else { throw FixtureError("\(problem)") }
                return false
            }
        }
        #expect(report.accepted > 100 && report.refused > 1000, "\(report)")
        #expect(fixture.model.screens.count == 1 && fixture.model.windows.isEmpty)
    }

    @Test("165,000 mutated request targets are split or refused")
    func targets() throws {
        let corpus = Self.bytes([
            "/v1/screens/EXTERNAL%201?scale=2&mode=640x480", "/v1/windows/7", "/a%2fb/%F0%9F%99%82?q=%20+&=&x",
        ])
        let report = try fuzz("Targets", count: 165_000, corpus: corpus, words: ["%2F", "&", "=", "?", "/", "+"]) {
            bytes in
            let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            let (path, query) = (parts[0], parts.count > 1 ? parts[1] : [])
            let target = HTTPTarget(
                path: String(decoding: path, as: UTF8.self), query: String(decoding: query, as: UTF8.self))
            guard target?.segments.contains(where: { $0.utf8.contains(0) }) != true else {
                throw FixtureError("a NUL got through")
            }
            return target != nil
        }
        #expect(report.accepted > 1000 && report.refused > 1000, "\(report)")
    }

    @Test("40,000 mutated PNG files are read or refused, and those read can be compared")
    func pictures() throws {
        let pictures = [(1, 1), (3, 2), (16, 9)].map { Bitmap(width: $0.0, height: $0.1, filledWith: 0xff12_3456) }
        let report = try fuzz(
            "Pictures", count: 40_000, corpus: try pictures.map { try PNG.encode($0) }, words: ["tRNS", "PLTE", "IDAT"]
        ) { bytes in
            // Most get past the checksums, to the parts that must be read with care.
            let bytes = bytes.count % 4 == 0 ? bytes : Self.sealed(bytes)
            guard let picture = try? PNG.decode(bytes) else { return false }
            guard picture.pixels.count == picture.width * picture.height else { throw FixtureError("\(picture.width)") }
            for other in pictures { _ = picture.compare(to: other, .init(tolerance: 3)) }
            if picture.pixels.count < 1000 { _ = try PNG.encode(picture) }
            return true
        }
        #expect(report.accepted > 1000 && report.refused > 1000, "\(report)")
    }

    /// The same chunks with corrected checksums.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var start = 8
        while start + 12 <= bytes.count {
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - start - 12 else { break }
            let end = start + 8 + length
            var sum = UInt32.max
            for byte in bytes[start + 4..<end] {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
            }
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * UInt32(index))) }
            start = end + 4
        }
        return bytes
    }

    @Test("300 mutated keymaps are compiled or refused, and a crash of XKB's compiler does not crash the server")
    func keymaps() throws {
        let text = """
            xkb_keymap {
            xkb_keycodes "k" { minimum = 8; maximum = 255; <A> = 38; <L> = 50; alias <B> = <A>; indicator 1 = "C"; };
            xkb_types "t" { virtual_modifiers V; type "TWO" { modifiers = Shift+V; map[Shift] = Level2;
              preserve[Shift] = Shift; level_name[Level1] = "Base"; level_name[Level2] = "Shift"; }; };
            xkb_compat "c" { virtual_modifiers V; interpret Any+AnyOf(all) { repeat = True;
              action = SetMods(modifiers=modMapMods,clearLocks); }; indicator "C" { modifiers = Lock; }; };
            xkb_symbols "s" { name[group1] = "us"; key <A> { type = "TWO", [ a, A ] }; key <L> { [ Shift_L ] };
              modifier_map Shift { <L> }; };
            };
            """
        let loop = try EventLoop()
        let compiler = KeymapCompiler(loop)
        func outcome(_ text: String) throws -> KeymapCompilation.Outcome {
            compiler.budget = KeymapBudget()
            var outcome: KeymapCompilation.Outcome?
            _ = compiler.compile(text, of: geteuid(), isTrusted: true) { outcome = $0 }
            while outcome == nil { try loop.runOnce() }
            return try #require(outcome)
        }
        guard case .keymap = try outcome(text) else { throw FixtureError("\(try outcome(text))") }
        let words = [
            "<A>", "Level9", "group4", "LockMods", "include \"us\"", "override", "xkb_geometry", "U+20ac", "0xff",
        ]
        let report = try fuzz("Keymaps", count: 300, corpus: Self.bytes([text]), words: words) { bytes in
            guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self),
                IncludeCheck.isModest(bytes[...]), case .keymap = try outcome(text)
            else { return false }
            return true
        }
        #expect(report.accepted > 3 && report.refused > 100, "\(report)")
    }
}
