// XDND: messages, actions, and the flow of positions.

import Testing

@testable import X11

@Suite struct DragTests {
    private let window = XWindowID(rawValue: 0x40_0001)

    @Test("messages survive encoding, with coordinates left of and above the origin too")
    func messages() {
        let atoms = [7, 8, 9].map(XAtom.init(rawValue:))
        let all: [DragMessage] = [
            .enter(source: window, version: 5, types: atoms, hasMore: true),
            .enter(source: window, version: 3, types: [], hasMore: false),
            .position(source: window, x: 70, y: 9000, time: 4_000_000_000, action: atoms[0]),
            .position(source: window, x: -3, y: -200, time: 0, action: .none),
            .status(target: window, isAccepted: true, action: atoms[1]),
            .status(target: window, isAccepted: false, action: .none),
            .leave(source: window), .drop(source: window, time: 77),
            .finished(target: window, isAccepted: true, action: atoms[2]),
            .finished(target: window, isAccepted: false, action: .none),
        ]
        for message in all { #expect(DragMessage(message.kind, message.data) == message) }
    }

    @Test("the words are those of XDND; missing ones are zero")
    func words() {
        let atoms = (1...4).map(XAtom.init(rawValue:))
        let enter = DragMessage.enter(source: window, version: 5, types: atoms, hasMore: true)
        #expect(enter.data == [0x40_0001, 0x500_0001, 1, 2, 3])
        let position = DragMessage.position(source: window, x: 2, y: 3, time: 9, action: atoms[0])
        #expect(position.data == [0x40_0001, 0, 0x2_0003, 9, 1])
        // Positions are wanted everywhere.
        #expect(DragMessage.status(target: window, isAccepted: true, action: .none).data[1] == 3)
        #expect(DragMessage(.drop, []) == .drop(source: .none, time: 0))
        #expect(
            DragMessage(.enter, [1, 0xff00_0000])
                == .enter(
                    source: XWindowID(rawValue: 1), version: 255, types: [], hasMore: false))
    }

    @Test("a source without a list offers the action that it requests; links and private actions count as copies")
    func actions() {
        let single = OfferedActions(list: [], requested: .link)
        #expect(single.mask == .copy && single.action(for: .copy) == .link && single.action(for: .move) == nil)
        let several = OfferedActions(list: [.move, .link, .copy, .ask], requested: .copy)
        #expect(several.mask == [.copy, .move, .ask] && several.action(for: .copy) == .copy)
        #expect(several.action(for: .move) == .move && several.action(for: []) == nil)
        #expect(OfferedActions(list: [.move], requested: .private).action(for: .copy) == .private)
        #expect(OfferedActions(list: [], requested: nil).mask == [])
        #expect(DragActionMask([.move, .ask]).actions == [.move, .ask])
    }

    @Test("the first position waits for a target, the next one for the answer to the last; only the latest is sent")
    func positions() {
        var positions = DragPositions(x: 1, y: 1, action: .copy)
        #expect(positions.move(x: 2, y: 2) == nil && positions.requested == nil)
        #expect(positions.answered() == .init(x: 2, y: 2, action: .copy))
        for x in 3...9 { #expect(positions.move(x: x, y: 2) == nil) }
        #expect(positions.request(.move) == nil && positions.requested == .copy)
        #expect(positions.answered() == .init(x: 9, y: 2, action: .move))
        #expect(positions.answered() == nil && positions.move(x: 9, y: 2) == nil)
        #expect(positions.request(.copy) == .init(x: 9, y: 2, action: .copy))
    }

    @Test("a window of the type of drags is a drag icon if no window manager manages it")
    func icon() {
        func kind(_ types: [WindowKind.Kind], _ isOverrideRedirect: Bool) -> WindowKind {
            WindowKind(isOverrideRedirect: isOverrideRedirect, types: types, hasParent: false, isModal: false)
        }
        #expect(kind([.drag], true) == .dragIcon && kind([.drag], false) == .normal)
        #expect(kind([.popUpMenu, .drag], true) == .unmanaged && kind([], true) == .unmanaged)
    }
}
