// The sessions of the fuzz corpus that use what extends toplevels and surfaces.

import MullionWayland

extension WireScripts {
    static func xdgForeign(_ client: TestClient, _ fixture: ServerFixture) throws {
        let main = try toplevel(client, fixture)
        let dialog = try toplevel(client, fixture)
        let exporter = try client.bind(ZxdgExporterV2.self)
        let oldExporter = try client.bind(ZxdgExporterV1.self)
        let importer = try client.bind(ZxdgImporterV2.self)
        let oldImporter = try client.bind(ZxdgImporterV1.self)
        let exported = Proxy<ZxdgExportedV2>(client.connection, version: 1)
        exporter.send(.exportToplevel(id: exported.id, surface: main.surface.id))
        let old = Proxy<ZxdgExportedV1>(client.connection, version: 1)
        oldExporter.send(.export(id: old.id, surface: main.surface.id))
        try fixture.pump()
        // Handles differ from one run to the next.
        let first = Proxy<ZxdgImportedV2>(client.connection, version: 1)
        importer.send(.importToplevel(id: first.id, handle: "nobody's"))
        first.send(.setParentOf(surface: dialog.surface.id))
        let imported = Proxy<ZxdgImportedV1>(client.connection, version: 1)
        oldImporter.send(.import(id: imported.id, handle: "nobody's"))
        exported.send(.destroy)
        main.toplevel.send(.destroy)
        try fixture.pump()
        imported.send(.destroy)
        old.send(.destroy)
        importer.send(.destroy)
    }

    static func toplevelIcons(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        let manager = try client.bind(XdgToplevelIconManagerV1.self)
        let icon = Proxy<XdgToplevelIconV1>(client.connection, version: 1)
        manager.send(.createIcon(id: icon.id))
        icon.send(.setName(iconName: "fuzz"))
        for (size, scale) in [(16, 1), (16, 1), (32, 2), (1, .max)] as [(Int32, Int32)] {
            icon.send(.addBuffer(buffer: try client.buffer(~0, width: size, height: size).id, scale: scale))
        }
        manager.send(.setIcon(toplevel: window.toplevel.id, icon: icon.id))
        window.surface.send(.commit)
        icon.send(.destroy)
        manager.send(.setIcon(toplevel: window.toplevel.id, icon: nil))
        window.surface.send(.commit)
        manager.send(.destroy)
    }

    /// A buffer that an icon still needs is destroyed.
    static func badIcon(_ client: TestClient, _ fixture: ServerFixture) throws {
        let manager = try client.bind(XdgToplevelIconManagerV1.self)
        let icon = Proxy<XdgToplevelIconV1>(client.connection, version: 1)
        manager.send(.createIcon(id: icon.id))
        let buffer = try client.buffer(~0, width: 4, height: 4)
        icon.send(.addBuffer(buffer: buffer.id, scale: 1))
        buffer.send(.destroy)
    }

    static func surfaceObjects(_ client: TestClient, _ fixture: ServerFixture) throws {
        let pointer = try TestPointer(client)
        let window = try toplevel(client, fixture)
        let modifiers = try client.bind(WpAlphaModifierV1.self)
        let modifier = Proxy<WpAlphaModifierSurfaceV1>(client.connection, version: 1)
        modifiers.send(.getSurface(id: modifier.id, surface: window.surface.id))
        modifier.send(.setMultiplier(factor: 0x8000_0000))
        window.surface.send(.commit)
        try fixture.pump()
        modifier.send(.destroy)
        modifiers.send(.destroy)
        let inhibitors = try client.bind(ZwpKeyboardShortcutsInhibitManagerV1.self)
        let inhibitor = Proxy<ZwpKeyboardShortcutsInhibitorV1>(client.connection, version: 1)
        inhibitors.send(
            .inhibitShortcuts(id: inhibitor.id, surface: window.surface.id, seat: pointer.seat.id))
        let dialogs = try client.bind(XdgWmDialogV1.self)
        let dialog = Proxy<XdgDialogV1>(client.connection, version: 1)
        dialogs.send(.getXdgDialog(id: dialog.id, toplevel: window.toplevel.id))
        dialog.send(.setModal)
        dialog.send(.unsetModal)
        try fixture.use(.move(x: 40, y: 40))
        let warps = try client.bind(WpPointerWarpV1.self)
        for point in [0, 5, 36] as [Double] {
            warps.send(
                .warpPointer(
                    surface: window.surface.id, pointer: pointer.pointer.id, x: Fixed(rounding: point),
                    y: Fixed(rounding: point / 2), serial: pointer.enterSerial))
        }
        let bell = try client.bind(XdgSystemBellV1.self)
        bell.send(.ring(surface: window.surface.id))
        bell.send(.ring(surface: nil))
        try fixture.pump()
        window.surface.send(.commit)
        window.toplevel.send(.destroy)
        window.xdg.send(.destroy)
        window.surface.send(.destroy)
        dialog.send(.destroy)
        inhibitor.send(.destroy)
    }

    /// A surface in place of the pointer.
    static func badWarp(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        try client.bind(WpPointerWarpV1.self).send(
            .warpPointer(
                surface: window.surface.id, pointer: window.surface.id, x: Fixed(rawValue: .max),
                y: Fixed(rawValue: .min), serial: 0))
    }

    /// A description of sRGB, ready.
    private static func description(_ client: TestClient, _ manager: Proxy<WpColorManagerV1>) -> Proxy<
        WpImageDescriptionV1
    > {
        let creator = Proxy<WpImageDescriptionCreatorParamsV1>(client.connection, version: 1)
        manager.send(.createParametricCreator(obj: creator.id))
        creator.send(.setTfNamed(tf: .gamma22))
        creator.send(.setPrimariesNamed(primaries: .srgb))
        creator.send(.setMaxCll(maxCll: 80))
        creator.send(.setMaxFall(maxFall: 1))
        let description = Proxy<WpImageDescriptionV1>(client.connection, version: 1)
        creator.send(.create(imageDescription: description.id))
        return description
    }

    static func colors(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        let manager = try client.bind(WpColorManagerV1.self)
        let output = try client.bind(WlOutput.self)
        let screen = Proxy<WpColorManagementOutputV1>(client.connection, version: 1)
        manager.send(.getOutput(id: screen.id, output: output.id))
        let feedback = Proxy<WpColorManagementSurfaceFeedbackV1>(client.connection, version: 1)
        manager.send(.getSurfaceFeedback(id: feedback.id, surface: window.surface.id))
        let surface = Proxy<WpColorManagementSurfaceV1>(client.connection, version: 1)
        manager.send(.getSurface(id: surface.id, surface: window.surface.id))
        let descriptions = (0..<3).map { _ in Proxy<WpImageDescriptionV1>(client.connection, version: 1) }
        screen.send(.getImageDescription(imageDescription: descriptions[0].id))
        feedback.send(.getPreferred(imageDescription: descriptions[1].id))
        feedback.send(.getPreferredParametric(imageDescription: descriptions[2].id))
        for description in descriptions + [description(client, manager)] {
            surface.send(.setImageDescription(imageDescription: description.id, renderIntent: .perceptual))
            window.surface.send(.commit)
        }
        let information = Proxy<WpImageDescriptionInfoV1>(client.connection, version: 1)
        descriptions[0].send(.getInformation(information: information.id))
        try fixture.pump()
        surface.send(.unsetImageDescription)
        window.toplevel.send(.destroy)
        window.xdg.send(.destroy)
        window.surface.send(.destroy)
        try fixture.pump()
        for description in descriptions { description.send(.destroy) }
        surface.send(.destroy)
        feedback.send(.destroy)
        screen.send(.destroy)
        manager.send(.destroy)
    }

    /// The parameters of a description that the client has made.
    static func badColors(_ client: TestClient, _ fixture: ServerFixture) throws {
        let description = description(client, try client.bind(WpColorManagerV1.self))
        try fixture.pump()
        let information = Proxy<WpImageDescriptionInfoV1>(client.connection, version: 1)
        description.send(.getInformation(information: information.id))
    }

    /// Commits that wait for frames and for times, of a window and of a sub-surface that is synchronised now and then.
    static func commitQueues(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        let child = try TestSubsurface(client, of: window.surface, argb: ~0, x: 2, y: 2, width: 8, height: 8)
        let fifos = try client.bind(WpFifoManagerV1.self)
        let timers = try client.bind(WpCommitTimingManagerV1.self)
        let surfaces = [window.surface, child.surface].map { surface in
            let fifo = Proxy<WpFifoV1>(client.connection, version: 1)
            let timer = Proxy<WpCommitTimerV1>(client.connection, version: 1)
            fifos.send(.getFifo(id: fifo.id, surface: surface.id))
            timers.send(.getTimer(id: timer.id, surface: surface.id))
            return (surface: surface, fifo: fifo, timer: timer)
        }
        for number in 0..<UInt32(6) {
            child.subsurface.send(number % 3 == 0 ? .setDesync : .setSync)
            for (surface, fifo, timer) in surfaces.reversed() {
                surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
                surface.send(.damage(x: 0, y: 0, width: 4, height: 4))
                fifo.send(.setBarrier)
                fifo.send(.waitBarrier)
                if number == 4 { timer.send(.setTimestamp(tvSecHi: number, tvSecLo: .max, tvNsec: 999_999_999)) }
                surface.send(.commit)
            }
            window.xdg.send(.setWindowGeometry(x: 0, y: 0, width: 20 + Int32(number), height: 20))
        }
        try fixture.pump()
        surfaces[1].fifo.send(.destroy)
        child.subsurface.send(.destroy)
        try fixture.pump()
        fifos.send(.destroy)
        timers.send(.destroy)
        child.surface.send(.destroy)
        surfaces[1].timer.send(.destroy)
        window.toplevel.send(.destroy)
        try fixture.pump()
    }

    /// A second time for a commit.
    static func badTimestamp(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        let manager = try client.bind(WpCommitTimingManagerV1.self)
        let timer = Proxy<WpCommitTimerV1>(client.connection, version: 1)
        manager.send(.getTimer(id: timer.id, surface: window.surface.id))
        for _ in 0..<2 { timer.send(.setTimestamp(tvSecHi: .max, tvSecLo: 0, tvNsec: 0)) }
    }
}
