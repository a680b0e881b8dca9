// Which keys type a symbol: those that a person would press, on every layout.

import CMullionXKBCommon
import Glibc
import MullionSystem
import Testing
import WindowModel

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct KeyChoiceTests {
    /// Every layout and variant that xkb-data lists for evdev, as layout and variant.
    private static let all: [(layout: String, variant: String)] = {
        let path = "/usr/share/X11/xkb/rules/evdev.lst"
        let text = (try? DescriptorIO.contents(ofFile: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        func section(_ name: String) -> [[Substring]] {
            text.split(separator: "\n").drop { $0 != "! \(name)" }.dropFirst().prefix { !$0.hasPrefix("!") }.map {
                $0.split(separator: " ", omittingEmptySubsequences: true)
            }
        }
        // "custom" stands for a layout that the machine does not have.
        let layouts = section("layout").compactMap(\.first).filter { $0 != "custom" }.map { (String($0), "") }
        let variants = section("variant").filter { $0.count > 1 }.map { (String($0[1].dropLast()), String($0[0])) }
        return layouts + variants
    }()

    /// The ways in which XKB itself says that keys give a character.
    private struct Ways {
        var inBlock = false
        var elsewhere = false
        var above = false
    }

    /// What every key gives with all combinations of Shift, AltGr and the fifth level's key: a slow search that presses keys.
    private static func ways(_ keymap: Keymap) throws -> [UInt32: Ways] {
        let shift = keymap.keys(named: "Shift_L")?.key
        let third = keymap.keys(named: "ISO_Level3_Shift").flatMap { $0.modifiers.isEmpty ? $0.key : nil }
        let fifth = keymap.keys(named: "ISO_Level5_Shift").flatMap { $0.modifiers.isEmpty ? $0.key : nil }
        let holders = [shift, third, fifth].compactMap { $0 }
        var ways: [UInt32: Ways] = [:]
        for subset in 0..<(1 << holders.count) {
            let state = try #require(xkb_state_new(keymap.pointer))
            defer { xkb_state_unref(state) }
            for (index, holder) in holders.enumerated() where subset & 1 << index != 0 {
                xkb_state_update_key(state, holder + 8, XKB_KEY_DOWN)
            }
            for code in xkb_keymap_min_keycode(keymap.pointer)...xkb_keymap_max_keycode(keymap.pointer) where code > 8 {
                let symbol = xkb_state_key_get_one_sym(state, code)
                // Keys of the keypad have symbols of their own.
                guard let scalar = Unicode.Scalar(xkb_keysym_to_utf32(symbol)),
                    KeySymbol.typing(scalar) == KeySymbol.usual(symbol)
                else { continue }
                let key = code - 8
                if key > 247 {
                    ways[scalar.value, default: Ways()].above = true
                } else if EvdevKeys.isInTypingBlock(key) {
                    ways[scalar.value, default: Ways()].inBlock = true
                } else {
                    ways[scalar.value, default: Ways()].elsewhere = true
                }
            }
        }
        return ways
    }

    @Test("E3: on every layout of XKB, a character that a key of the typing block gives is typed by one of these")
    func everyLayout() throws {
        try #require(Self.all.count > 400)
        let characters = (32...126).compactMap { Unicode.Scalar($0) } + Array("€£ß§éñµ°„“–…№йαあ".unicodeScalars)
        var counts = (typed: 0, elsewhere: 0, lacking: 0)
        for (layout, variant) in Self.all {
            var configuration = KeyboardLayout()
            (configuration.layout, configuration.variant) = (layout, variant)
            let keymap = try #require(Keymap(configuration), "\(layout) \(variant)")
            let ways = try Self.ways(keymap)
            for character in characters {
                let way = ways[character.value] ?? Ways()
                let name = "\(layout) \(variant): \(character)"
                guard let stroke = keymap.keys(for: character) else {
                    #expect(!way.inBlock && !way.elsewhere, "\(name) has a key")
                    counts.lacking += 1
                    continue
                }
                #expect(stroke.key <= 247 && stroke.modifiers.allSatisfy { $0 <= 247 }, "\(name): \(stroke)")
                let isInBlock = EvdevKeys.isInTypingBlock(stroke.key)
                #expect(isInBlock == way.inBlock, "\(name): \(stroke)")
                // XKB agrees that these keys type it.
                let state = try #require(KeyboardState(keymap))
                for key in stroke.modifiers { state.update(key: key, pressed: true) }
                #expect(state.character(of: stroke.key) == character, "\(name): \(stroke)")
                if isInBlock { counts.typed += 1 } else { counts.elsewhere += 1 }
            }
        }
        // The test would otherwise pass on keymaps without keys.
        #expect(counts.typed > 30_000, "\(counts)")
    }

    @Test("E3: on every layout of XKB, the first further characters for X11 programs have keys to which Wine listens")
    func extensions() throws {
        let symbols = (0x4e00..<0x4e13).compactMap { Unicode.Scalar($0).flatMap(KeySymbol.typing) }
        try #require(symbols.count == 19)
        for (layout, variant) in Self.all {
            var configuration = KeyboardLayout()
            (configuration.layout, configuration.variant) = (layout, variant)
            let keymap = try #require(Keymap(configuration), "\(layout) \(variant)")
            let state = try #require(xkb_state_new(keymap.pointer))
            defer { xkb_state_unref(state) }
            var extended = KeymapExtension(keymap)
            var codes: Set<UInt32> = []
            for symbol in symbols {
                let found = extended.key(for: symbol)
                let code = try #require(found, "\(layout) \(variant)")
                // When Wine starts, it gives virtual keys to all keys that have symbols, up to X11's code 161.
                #expect(code + 8 <= 161, "\(layout) \(variant): \(code)")
                // Their symbols are for programs, so that no character of the layout is lost.
                #expect(xkb_state_key_get_one_sym(state, code + 8) >> 16 == 0x1008, "\(layout) \(variant): \(code)")
                codes.insert(code)
            }
            #expect(codes.count == symbols.count, "\(layout) \(variant)")
        }
    }

    @Test("E3: no symbol of a layout is typed by a key that X11 cannot carry, and modifiers are keys of their own")
    func symbols() throws {
        let keymap = try #require(Keymap(KeyboardLayout()))
        for (symbol, stroke) in keymap.strokes(in: 0) {
            #expect(stroke.key <= 247 && stroke.modifiers.allSatisfy { $0 <= 247 }, "\(symbol): \(stroke)")
        }
        #expect(keymap.keys(named: "dollar") == KeyStroke(key: 5, modifiers: [42]))
        #expect(keymap.keys(named: "parenleft") == KeyStroke(key: 10, modifiers: [42]))
        #expect(keymap.keys(named: "EuroSign") == nil)
        #expect(keymap.keys(named: "KP_Add") == KeyStroke(key: 78, modifiers: []))
        for (name, key) in [("Shift_L", 42), ("Return", 28), ("Delete", 111), ("F1", 59), ("Control_R", 97)] {
            #expect(keymap.keys(named: name) == KeyStroke(key: UInt32(key), modifiers: []), "\(name)")
        }
        var german = KeyboardLayout()
        german.layout = "de"
        let keys = try #require(Keymap(german))
        #expect(keys.keys(named: "EuroSign") == KeyStroke(key: 18, modifiers: [100]))
        #expect(keys.keys(named: "dollar") == KeyStroke(key: 5, modifiers: [42]))
    }
}

extension KeyboardState {
    /// The character that a key types now.
    fileprivate func character(of key: UInt32) -> Unicode.Scalar? {
        guard let state = xkb_state_new(keymap.pointer) else { return nil }
        defer { xkb_state_unref(state) }
        xkb_state_update_mask(state, modifiers.depressed, modifiers.latched, modifiers.locked, 0, 0, modifiers.group)
        return Unicode.Scalar(xkb_state_key_get_utf32(state, key + 8))
    }
}
