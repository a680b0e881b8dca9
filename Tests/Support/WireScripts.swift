// The sessions that the fuzz corpus consists of.

import Glibc
import MullionWayland

/// Valid clients, each for one part of the protocols. Those whose names begin with "bad-" end with a protocol error;
/// these, and the extremes, once crashed the server.
public enum WireScripts {
    public typealias Script = (TestClient, ServerFixture) throws -> Void

    public static var all: [(name: String, script: Script)] {
        [
            ("windows", windows), ("toplevels", toplevels), ("popups", popups), ("subsurfaces", subsurfaces),
            ("buffers", buffers), ("seat", seat), ("selection", selection), ("outputs", outputs),
            ("scaling", scaling), ("bad-viewport", badViewport), ("output-management", outputManagement),
            ("bad-virtual-keyboard", badVirtualKeyboard),
            ("text-input", textInput), ("earlier-text-inputs", earlierTextInputs), ("bad-input-popup", badInputPopup),
            ("pointers", pointers), ("virtual-pointer", virtualPointer),
            ("screencopy", screencopy), ("image-copy", imageCopy),
            ("bad-image-copy", badImageCopy), ("bad-screencopy", badScreencopy),
            ("positioner-extremes", extremes), ("bad-popup-in-itself", popupInItself),
            ("bad-popup-circle", popupCircle), ("primary-selection", primarySelection), ("drag", drag),
            ("drag-ask", dragAsk), ("bad-finish", badFinish),
            ("desktop", desktop), ("bad-decoration", badDecoration),
            ("dialogs", dialogs), ("bad-parent", badParent),
            ("data-control", dataControl), ("bad-data-control", badDataControl),
            ("foreign-toplevels", foreignToplevels), ("bad-foreign-toplevel", badForeignToplevel),
            ("transient-seat", transientSeat),
            ("idle", idle), ("surface-hints", surfaceHints), ("cursor-shapes", cursorShapes),
            ("tablets", tablets), ("bad-tablet-cursor", badTabletCursor),
            ("layers", layers), ("bad-layer", badLayer),
            ("xdg-foreign", xdgForeign),
            ("toplevel-icons", toplevelIcons), ("bad-icon", badIcon),
            ("window-drag", windowDrag), ("bad-window-drag", badWindowDrag),
            ("surface-objects", surfaceObjects), ("bad-warp", badWarp),
            ("colors", colors), ("bad-colors", badColors),
            ("commit-queues", commitQueues), ("bad-timestamp", badTimestamp),
            ("x11", x11), ("x11-drags", x11Drags), ("bad-x11", badX11),
            ("lock", lock), ("bad-lock", badLock),
            ("input-inhibitor", inputInhibitor),
            ("gamma", gamma), ("bad-gamma", badGamma),
            ("output-power", outputPower), ("bad-output-power", badOutputPower),
            ("window-events", windowEvents), ("bad-event-types", badEventTypes),
        ]
    }

    private static func windows(_ client: TestClient, _ fixture: ServerFixture) throws {
        client.application.send(.setName(name: "fuzz"))
        client.application.send(.pong(serial: 1))
        let window = client.window("w").color(0x80ff0000).frame(4, 4, 40, 30).level(-1.5)
        window.window.send(.setAlpha(alpha: 0x8000_0000))
        window.window.send(
            .setTransform(
                a: 65536, b: 100, c: -100, d: 65536, tx: Fixed(rounding: 1), ty: Fixed(rounding: 2)))
        window.window.send(.setAutoresizing(mask: [.width, .height]))
        window.window.send(.setClipsToBounds(clips: 0))
        window.window.send(.setUserInteractionEnabled(enabled: 0))
        window.makeKeyAndVisible()
        try fixture.pump()
        let other = client.window("other", on: client.screens.last).color(0xff00ff00).level(2000)
        other.window.send(.setCanBecomeKey(can: 0))
        other.show()
        other.window.send(.setScreen(screen: client.screens.first?.proxy.id))
        other.window.send(.setScreen(screen: nil))
        other.window.send(.beginEditing)
        other.window.send(.unsetBackgroundColor)
        other.commit()
        client.application.send(.beginIgnoringInteractionEvents)
        try fixture.pump()
        window.window.send(.setUserInteractionEnabled(enabled: 1))
        window.resignKey()
        window.makeKey()
        window.hide()
        window.show()
        client.application.send(.endIgnoringInteractionEvents)
        client.screens.first?.proxy.send(.destroy)
        try fixture.pump()
        window.destroy()
    }

    static func toplevel(_ client: TestClient, _ fixture: ServerFixture) throws -> TestToplevel {
        let toplevel = client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        toplevel.xdg.send(.setWindowGeometry(x: 2, y: 2, width: 36, height: 26))
        try client.attach(0xffff0000, width: 40, height: 30, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        return toplevel
    }

    private static func toplevels(_ client: TestClient, _ fixture: ServerFixture) throws {
        let one = try toplevel(client, fixture)
        let two = try toplevel(client, fixture)
        client.wmBase.send(.pong(serial: 1))
        two.toplevel.send(.setParent(parent: one.toplevel.id))
        one.toplevel.send(.setAppId(appId: "fuzz"))
        one.toplevel.send(.setMinSize(width: 10, height: 10))
        one.toplevel.send(.setMaxSize(width: 100, height: 100))
        one.toplevel.send(.setMaximized)
        one.surface.send(.commit)
        try fixture.pump()
        let output = try client.bind(WlOutput.self)
        one.toplevel.send(.setFullscreen(output: output.id))
        one.toplevel.send(.unsetMaximized)
        one.toplevel.send(.unsetFullscreen)
        one.toplevel.send(.setMinimized)
        try fixture.pump()
        one.surface.send(.attach(buffer: nil, x: 0, y: 0))
        one.surface.send(.commit)
        one.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff0000ff, width: 10, height: 10, to: one.surface)
        one.surface.send(.commit)
        try fixture.pump()
        two.toplevel.send(.destroy)
        two.xdg.send(.destroy)
        two.surface.send(.destroy)
    }

    private static func popups(_ client: TestClient, _ fixture: ServerFixture) throws {
        let top = try toplevel(client, fixture)
        let seat = try client.bind(WlSeat.self)
        func popup(_ parent: Proxy<XdgSurface>, x: Int32) throws -> TestPopup {
            let positioner = TestPopup.positioner(
                client, width: 20, height: 16, x: x, y: 5, anchor: .bottom, gravity: .bottom)
            positioner.send(.setConstraintAdjustment(constraintAdjustment: 63))
            positioner.send(.setOffset(x: 1, y: 1))
            positioner.send(.setReactive)
            let popup = TestPopup(client, parent: parent, positioner: positioner)
            popup.popup.send(.grab(seat: seat.id, serial: 0))
            popup.surface.send(.commit)
            positioner.send(.destroy)
            try fixture.pump()
            try client.attach(0xff00ffff, width: 20, height: 16, to: popup.surface)
            popup.surface.send(.commit)
            try fixture.pump()
            return popup
        }
        let menu = try popup(top.xdg, x: 10)
        let submenu = try popup(menu.xdg, x: 19)
        let positioner = TestPopup.positioner(client, width: 30, height: 30, x: -20, y: -20, gravity: .topLeft)
        submenu.popup.send(.reposition(positioner: positioner.id, token: 5))
        try fixture.pump()
        submenu.surface.send(.commit)
        let child = try TestSubsurface(client, of: submenu.surface, argb: 0xffffff00, x: 2, y: 2, width: 4, height: 4)
        child.subsurface.send(.placeBelow(sibling: submenu.surface.id))
        submenu.surface.send(.commit)
        try fixture.pump()
        submenu.destroy()
        menu.surface.send(.attach(buffer: nil, x: 0, y: 0))
        menu.surface.send(.commit)
        try fixture.pump()
        menu.destroy()
    }

    private static func subsurfaces(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w").frame(0, 0, 80, 60)
        try client.attach(0xff222222, width: 80, height: 60, to: window.surface)
        let a = try TestSubsurface(client, of: window.surface, argb: 0xffff0000, x: 5, y: 5, width: 20, height: 20)
        let b = try TestSubsurface(client, of: window.surface, argb: 0x80008000, x: 15, y: 15, width: 20, height: 20)
        let c = try TestSubsurface(client, of: a.surface, argb: 0xff0000ff, x: 3, y: 3, width: 8, height: 8)
        a.surface.send(.commit)
        window.show()
        try fixture.pump()
        a.subsurface.send(.placeAbove(sibling: b.surface.id))
        b.subsurface.send(.placeBelow(sibling: window.surface.id))
        c.subsurface.send(.setDesync)
        a.subsurface.send(.setDesync)
        try client.attach(0xffffffff, width: 8, height: 8, to: c.surface)
        c.surface.send(.commit)
        c.subsurface.send(.setPosition(x: -3, y: 9))
        a.surface.send(.commit)
        window.commit()
        try fixture.pump()
        a.subsurface.send(.setSync)
        try client.attach(0xff888888, width: 9, height: 9, to: a.surface)
        a.surface.send(.commit)
        b.subsurface.send(.destroy)
        _ = TestSubsurface(bare: client, surface: b.surface, parent: c.surface)
        c.surface.send(.commit)
        window.commit()
        try fixture.pump()
        a.surface.send(.destroy)
        window.commit()
        c.subsurface.send(.destroy)
    }

    private static func buffers(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w").frame(0, 0, 60, 60)
        window.show()
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(
            .createPool(id: pool.id, fd: try client.memoryFile(words: 256, filledWith: 0x80402010), size: 1024))
        func buffer(_ offset: Int32, _ width: Int32, _ height: Int32, _ stride: Int32, _ format: WlShm.Format) -> Proxy<
            WlBuffer
        > {
            let buffer = Proxy<WlBuffer>(client.connection, version: 1)
            pool.send(
                .createBuffer(
                    id: buffer.id, offset: offset, width: width, height: height, stride: stride, format: format))
            return buffer
        }
        let all = [
            buffer(0, 16, 16, 64, .argb8888), buffer(128, 8, 8, 32, .xrgb8888), buffer(0, 10, 10, 32, .rgb888),
            buffer(3, 6, 12, 24, .rgb565),
        ]
        for (index, buffer) in all.enumerated() {
            window.surface.send(.setBufferScale(scale: index % 2 == 1 ? 2 : 1))
            window.surface.send(.setBufferTransform(transform: .init(rawValue: UInt32(index * 2 + 1))))
            window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            window.surface.send(.damage(x: 1, y: 1, width: 5, height: 5))
            window.surface.send(.damageBuffer(x: 0, y: 0, width: .max, height: .max))
            let region = client.region([(0, 0, 8, 8), (4, 4, 100, 100)])
            region.send(.subtract(x: 2, y: 2, width: 2, height: 2))
            window.surface.send(.setOpaqueRegion(region: region.id))
            window.surface.send(.setInputRegion(region: region.id))
            region.send(.destroy)
            window.surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
            window.surface.send(.offset(x: 1, y: 1))
            window.commit()
            try fixture.pump()
        }
        pool.send(.resize(size: 1024))
        pool.send(.destroy)
        for buffer in all { buffer.send(.destroy) }
        window.surface.send(.setOpaqueRegion(region: nil))
        window.surface.send(.attach(buffer: nil, x: 0, y: 0))
        window.commit()
    }

    /// Numbers that overflow 32 bits when they are added.
    private static func extremes(_ client: TestClient, _ fixture: ServerFixture) throws {
        let top = try toplevel(client, fixture)
        for value in [Int32.max, Int32.min] {
            let positioner = TestPopup.positioner(client, width: .max, height: .max)
            positioner.send(.setAnchorRect(x: value, y: value, width: .max, height: .max))
            positioner.send(.setAnchor(anchor: .bottomRight))
            positioner.send(.setOffset(x: value, y: value))
            let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
            popup.surface.send(.commit)
            try fixture.pump()
            try client.attach(0xff00ffff, width: 4, height: 4, to: popup.surface)
            popup.surface.send(.commit)
            try fixture.pump()
        }
    }

    private static func popupInItself(_ client: TestClient, _ fixture: ServerFixture) throws {
        let positioner = TestPopup.positioner(client, width: 5, height: 5)
        let surface = client.surface()
        let xdg = Proxy<XdgSurface>(client.connection, version: 5)
        client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        let popup = Proxy<XdgPopup>(client.connection, version: 5)
        xdg.send(.getPopup(id: popup.id, parent: xdg.id, positioner: positioner.id))
        surface.send(.commit)
    }

    /// The pop-up of one surface is destroyed and created again inside its former child.
    private static func popupCircle(_ client: TestClient, _ fixture: ServerFixture) throws {
        let top = try toplevel(client, fixture)
        let positioner = TestPopup.positioner(client, width: 5, height: 5)
        let outer = TestPopup(client, parent: top.xdg, positioner: positioner)
        let inner = TestPopup(client, parent: outer.xdg, positioner: positioner)
        outer.popup.send(.destroy)
        let again = Proxy<XdgPopup>(client.connection, version: 5)
        outer.xdg.send(.getPopup(id: again.id, parent: inner.xdg.id, positioner: positioner.id))
        outer.surface.send(.commit)
    }

    private static func seat(_ client: TestClient, _ fixture: ServerFixture) throws {
        let input = try TestInput(client)
        let cursor = client.surface()
        try client.attach(0xffffffff, width: 8, height: 8, to: cursor)
        cursor.send(.commit)
        input.pointer.send(.setCursor(serial: 0, surface: cursor.id, hotspotX: 1, hotspotY: 1))
        let window = client.window("w").color(0xffff0000).frame(0, 0, 50, 50)
        window.makeKeyAndVisible()
        try fixture.pump()
        input.pointer.send(.setCursor(serial: 0, surface: nil, hotspotX: 0, hotspotY: 0))
        cursor.send(.commit)
        input.keyboard.send(.release)
        input.touch.send(.release)
        input.pointer.send(.release)
        cursor.send(.destroy)
    }

    private static func selection(_ client: TestClient, _ fixture: ServerFixture) throws {
        let seat = try client.bind(WlSeat.self)
        let manager = try client.bind(WlDataDeviceManager.self)
        let device = Proxy<WlDataDevice>(client.connection, version: 3)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        var offers: [Proxy<WlDataOffer>] = []
        device.onEvent = { event in
            if case .dataOffer(let id) = event { offers.append(Proxy(client.connection, id: id, version: 3)) }
        }
        let window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        let sources = (0..<2).map { number in
            let source = Proxy<WlDataSource>(client.connection, version: 3)
            manager.send(.createDataSource(id: source.id))
            source.send(.offer(mimeType: "text/plain"))
            source.send(.offer(mimeType: "fuzz/\(number)"))
            return source
        }
        device.send(.setSelection(source: sources[0].id, serial: 0))
        try fixture.pump()
        for offer in offers {
            offer.send(.receive(mimeType: "text/plain", fd: try client.memoryFile(words: 1, filledWith: 0)))
            offer.send(.accept(serial: 0, mimeType: nil))
            offer.send(.destroy)
        }
        device.send(.setSelection(source: sources[1].id, serial: 0))
        device.send(.startDrag(source: nil, origin: window.surface.id, icon: nil, serial: 0))
        try fixture.pump()
        sources[1].send(.destroy)
        device.send(.setSelection(source: nil, serial: 0))
        device.send(.release)
    }

    private static func scaling(_ client: TestClient, _ fixture: ServerFixture) throws {
        let output = try client.bind(WlOutput.self)
        let manager = try client.bind(ZxdgOutputManagerV1.self)
        let logical = Proxy<ZxdgOutputV1>(client.connection, version: 3)
        manager.send(.getXdgOutput(id: logical.id, output: output.id))
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 60)
        let scale = try client.fractionalScale(of: window.surface)
        let viewport = try client.viewport(of: window.surface)
        let child = try TestSubsurface(client, of: window.surface, argb: 0xff00ff00, x: 2, y: 2, width: 8, height: 8)
        let inner = try client.viewport(of: child.surface)
        try client.attach(0x80402010, width: 16, height: 12, to: window.surface)
        for (x, width) in [(0.5, 7.25), (2, 5)] {
            viewport.source(x, 1, width, 4)
            viewport.destination(20, 10)
            window.surface.send(.setBufferScale(scale: 2))
            window.surface.send(.setBufferTransform(transform: ._90))
            window.surface.send(.damage(x: 0, y: 0, width: 20, height: 10))
            viewport.source(x / 2, 1, width / 2, 3.5)
            inner.destination(30, 2)
            child.surface.send(.commit)
            window.show()
            try fixture.pump()
        }
        let pixel = try client.singlePixel(.max, 0, 1 << 31, .max)
        viewport.source(-1, -1, -1, -1)
        viewport.destination(-1, -1)
        window.surface.send(.setBufferScale(scale: 1))
        window.surface.send(.attach(buffer: pixel.id, x: 0, y: 0))
        inner.send(.destroy)
        window.commit()
        try fixture.pump()
        child.surface.send(.destroy)
        pixel.send(.destroy)
        viewport.destination(.max, .max)
        window.commit()
        try fixture.pump()
        window.destroy()
        viewport.send(.destroy)
        scale.send(.destroy)
        output.send(.release)
        logical.send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
    }

    private static func badViewport(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w")
        let viewport = try client.viewport(of: window.surface)
        try client.attach(0xffff0000, width: 4, height: 4, to: window.surface)
        viewport.source(3, 3, 4, 4)
        viewport.destination(9, 9)
        window.show()
    }

    private static func outputs(_ client: TestClient, _ fixture: ServerFixture) throws {
        let outputs = try client.globals.filter { $0.interface == WlOutput.name }
            .map { try client.bind(WlOutput.self, name: $0.name) }
        let registry = Proxy<WlRegistry>(client.connection, version: 1)
        client.connection.display.send(.getRegistry(registry: registry.id))
        client.connection.display.send(.sync(callback: Proxy<WlCallback>(client.connection, version: 1).id))
        let window = client.window("w", on: client.screens.last).color(0xffff0000)
        try client.attach(0xff00ff00, width: 20, height: 20, to: window.surface)
        window.surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
        window.show()
        try fixture.pump()
        window.window.send(.setScreen(screen: client.screens.first?.proxy.id))
        window.surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
        window.commit()
        for output in outputs { output.send(.release) }
        for screen in client.screens { screen.proxy.send(.destroy) }
        try fixture.pump()
    }
}
