// What windows say about themselves, right and wrong.

import Testing
import X11

@Suite struct PropertyTests {
    private let utf8 = XAtom(rawValue: 300)

    private func text(_ bytes: [UInt8], _ type: XAtom) -> String? {
        WindowText.text(XProperty(type: type, format: 8, bytes: bytes), utf8: utf8)
    }

    private func words(_ words: [UInt32], type: XAtom = .cardinal) -> XProperty {
        let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        return XProperty(type: type, format: 32, bytes: bytes)
    }

    @Test("titles: UTF-8, Latin-1, and whatever else programs write")
    func titles() {
        #expect(text(Array("Größe 漢".utf8), utf8) == "Größe 漢")
        #expect(text([0x47, 0x72, 0xf6, 0xdf, 0x65], .string) == "Größe")
        // Many programs write UTF-8 where Latin-1 is due.
        #expect(text(Array("Größe".utf8), .string) == "Größe")
        #expect(text(Array("a\nb\u{7f}c\0hidden".utf8), utf8) == "a b c")
        #expect(text([0xff, 0xfe], utf8) == "\u{fffd}\u{fffd}")
        #expect(text([], utf8) == "")
        #expect(text([UInt8](repeating: 0x61, count: 1 << 20), utf8)?.utf8.count == WindowText.limit)
        #expect(WindowText.text(nil, utf8: utf8) == nil)
        #expect(WindowText.text(words([1, 2]), utf8: utf8) == nil)
    }

    @Test("WM_CLASS: instance and class, either of which may be missing")
    func windowClass() throws {
        func parse(_ text: String) -> [String]? {
            WindowText.windowClass(XProperty(type: .string, format: 8, bytes: Array(text.utf8)))
                .map { [$0.instance, $0.name] }
        }
        #expect(parse("xterm\0XTerm\0") == ["xterm", "XTerm"])
        #expect(parse("xterm\0XTerm") == ["xterm", "XTerm"])
        #expect(parse("xterm") == ["xterm", "xterm"])
        #expect(parse("a\0b\0c\0d") == ["a", "b"])
        #expect(parse("") == ["", ""])
        #expect(WindowText.windowClass(nil) == nil)
    }

    @Test("WM_NORMAL_HINTS: limits and positions; nonsense is no limit, and without hints the window's position counts")
    func normalHints() {
        var values = [UInt32](repeating: 0, count: 18)
        #expect(NormalHints(words(values)) == NormalHints())
        values[0] = 16 | 32 | 4
        values.replaceSubrange(5..<9, with: [100, 50, 80, 60])
        let hints = NormalHints(words(values))
        #expect(hints.minimum == NormalHints.Limit(width: 100, height: 50))
        #expect(hints.maximum == NormalHints.Limit(width: 0, height: 60))
        #expect(hints.wantsPosition(XFrame(x: 5, y: 0, width: 1, height: 1)))
        #expect(!hints.wantsPosition(XFrame(x: 0, y: 0, width: 1, height: 1)))
        #expect(!NormalHints().wantsPosition(XFrame(x: 5, y: 0, width: 1, height: 1)))
        #expect(NormalHints(nil).wantsPosition(XFrame(x: 5, y: 0, width: 1, height: 1)))
        #expect(!NormalHints(nil).wantsPosition(XFrame(x: 0, y: 0, width: 1, height: 1)))
        values.replaceSubrange(5..<9, with: [0x8000_0000, .max, .max, 0x7fff_ffff])
        #expect(NormalHints(words(values)).minimum == NormalHints.Limit())
        #expect(NormalHints(words(values)).maximum == NormalHints.Limit(width: 0, height: 32767))
        values[0] = 256 | 1
        values.replaceSubrange(15..<17, with: [30, 40])
        #expect(NormalHints(words(values)).minimum == NormalHints.Limit(width: 30, height: 40))
        #expect(NormalHints(words(values)).wantsPosition(XFrame(x: 0, y: 0, width: 1, height: 1)))
        // Cut short, as old programs and hostile ones write it.
        for count in 0..<18 { _ = NormalHints(words([.max] + Array(values.prefix(count)))) }
    }

    @Test("WM_HINTS and _MOTIF_WM_HINTS")
    func hints() {
        #expect(WindowHints(nil).wantsInput)
        #expect(!WindowHints(words([1, 0, 0])).wantsInput)
        #expect(WindowHints(words([2, 0, 3])).wantsInput && WindowHints(words([2, 0, 3])).startsIconic)
        #expect(WindowHints(words([1])).wantsInput)
        #expect(MotifHints.isDecorated(nil))
        #expect(!MotifHints.isDecorated(words([2, 0, 0, 0, 0])))
        #expect(MotifHints.isDecorated(words([2, 0, 1, 0, 0])))
        #expect(MotifHints.isDecorated(words([2, 0, 8, 0, 0])))
        #expect(!MotifHints.isDecorated(words([2, 0, 1 | 8, 0, 0])))
        #expect(MotifHints.isDecorated(words([1, 0, 0, 0, 0])))
    }

    @Test("kinds: types first, then the parent; override-redirect overrides all")
    func kinds() {
        func kind(_ types: [WindowKind.Kind], parent: Bool = false, modal: Bool = false, free: Bool = false)
            -> WindowKind
        {
            WindowKind(isOverrideRedirect: free, types: types, hasParent: parent, isModal: modal)
        }
        #expect(kind([]) == .normal && kind([], parent: true) == .dialog)
        #expect(kind([.dialog]) == .dialog && kind([.utility], parent: true) == .normal)
        #expect(kind([.normal], parent: true, modal: true) == .dialog)
        #expect(kind([.dialog], free: true) == .unmanaged)
    }

    @Test("_NET_WM_STATE: add, remove, toggle")
    func states() {
        #expect(
            StateChange(.add, [.maximized, .maximized], current: [])
                == StateChange(mask: .maximized, states: .maximized))
        #expect(StateChange(.remove, [.fullscreen, nil], current: []) == StateChange(mask: .fullscreen, states: []))
        #expect(
            StateChange(.toggle, [.fullscreen, .maximized], current: .fullscreen)
                == StateChange(mask: [.fullscreen, .maximized], states: .maximized))
        #expect(StateChange(.add, [nil, nil], current: []) == nil)
    }

    @Test("_NET_WM_MOVERESIZE: edges as xdg-shell names them")
    func drags() {
        #expect(DragRequest(direction: 0) == .resize(edges: 5))
        #expect(DragRequest(direction: 4) == .resize(edges: 10))
        #expect(DragRequest(direction: 7) == .resize(edges: 4))
        #expect(DragRequest(direction: 8) == .move && DragRequest(direction: 11) == .cancel)
        #expect(DragRequest(direction: 9) == nil && DragRequest(direction: .max) == nil)
    }

    @Test("requests to move pass one at a time, merged")
    func requests() {
        var requests = FrameRequests()
        #expect(requests.add(XConfiguration(x: 1)) == XConfiguration(x: 1))
        #expect(requests.add(XConfiguration(x: 2, width: 10)) == nil)
        #expect(requests.add(XConfiguration(y: 3, width: 20)) == nil)
        #expect(requests.answered() == XConfiguration(x: 2, y: 3, width: 20))
        #expect(requests.answered() == nil)
        #expect(requests.add(XConfiguration(y: 9)) == XConfiguration(y: 9))
    }

    @Test("frames that no X server can have become the nearest one")
    func frames() {
        #expect(
            XFrame(x: -100_000, y: .max, width: 0, height: .min).clamped
                == XFrame(x: -32768, y: 32767, width: 1, height: 1))
    }

    @Test("lock files")
    func locks() {
        #expect(DisplaySocket.number("/tmp/.X11-unix/X0") == 0 && DisplaySocket.number("/tmp/.X11-unix/X120") == 120)
        for name in ["", "/tmp/.X11-unix/X", "/tmp/.X11-unix/X01", "/tmp/.X11-unix/X-1", "/tmp/.X11-unix/X1 ", "/x/X1"]
        {
            #expect(DisplaySocket.number(name) == nil, "\(name)")
        }
        #expect(DisplayLock.contents(1234) == Array("      1234\n".utf8))
        #expect(DisplayLock.holder(DisplayLock.contents(.max)) == .max)
        for text in ["", "\n", "abc", "0", "-5", "12 34", "99999999999", String(repeating: " ", count: 90) + "1"] {
            #expect(DisplayLock.holder(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
