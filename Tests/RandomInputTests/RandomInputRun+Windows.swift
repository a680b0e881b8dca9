// What changes under the input: windows, pop-ups, clients and screens.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer
@testable import Displays

extension RandomInputRun {
    func change() throws {
        switch below(27) {
        case 0..<11: try window()
        case 11..<14: try key()
        case 14..<16: try destroy()
        case 16..<18: try windows(count: 1)
        case 18..<21: try popup()
        case 21: try subsurface()
        case 22..<25: try screen()
        case 25: try toggleIgnoring()
        default: if chance(15) { try kill() }
        }
    }

    /// Lets clients make requests; when this returns, they were read and have taken effect.
    private func ask(_ body: () throws -> Void) throws {
        // Earlier events are read first, also those of objects that are destroyed now.
        try setup.fixture.pump()
        try body()
        try setup.fixture.pump()
        setup.follow()
    }

    /// Makes changes as an administrator.
    private func decide(_ body: () throws -> Void) throws {
        try body()
        server.deliverEffects()
        setup.follow()
    }

    // MARK: Windows

    /// Claims windows of both kinds and of any client.
    func windows(count: Int) throws {
        var new: [RandomWindow] = []
        for _ in 0..<count where setup.world.windows.count + new.count < 6 {
            let client = below(setup.readers.count)
            let test = setup.readers[client].client
            let window: RandomWindow
            if chance(40) {
                window = RandomWindow(.toplevel(test.toplevel(setup.name())), of: client)
            } else {
                let object = test.window(setup.name(), on: pick(test.screens.filter(\.isConnected)))
                window = RandomWindow(.window(object), of: client)
                object.color(0xff00_ff00).level(level())
                object.frame(
                    Double(below(150) - 20), Double(below(150) - 20), Double(20 + below(150)), Double(20 + below(150)))
                if chance(30) {
                    // H2: only a part of it takes input, or none.
                    let region = chance(30) ? Rect.zero : Rect(x: 0, y: 0, width: 60, height: 60)
                    let size = (Int32(region.size.width), Int32(region.size.height))
                    object.surface.send(.setInputRegion(region: test.region([(0, 0, size.0, size.1)]).id))
                    window.root.inputRegion = region
                }
                if chance(85) { object.window.send(.setHidden(hidden: 0)) }
                if chance(40) { object.window.send(.makeKeyAndVisible) }
            }
            say("\(window.name) of \(client)")
            new.append(window)
        }
        try setup.add(new)
        for window in new where chance(35) {
            guard case .window = window.kind else { continue }
            say("sub-surface of \(window.name)")
            try ask { setup.addSubsurface(to: window, x: Int32(below(60)), y: Int32(below(60))) }
        }
        // The server places a plain window depending on those before it.
        for window in new {
            guard case .toplevel = window.kind, let frame = model.frame(of: window.id) else { continue }
            let origin = Point(x: Double(below(150) - 20), y: Double(below(150) - 20))
            try decide { try model.setFrame(Rect(origin: origin, size: frame.size), of: window.id) }
        }
    }

    private func level() -> Double { pick([0, 0, 0, -1, 1000]) ?? 0 }

    private func window() throws {
        guard let window = pick(setup.world.windows), let value = model.window(window.id) else { return }
        let (id, choice) = (window.id, below(9))
        say("window \(window.name) \(choice)")
        switch choice {
        case 0, 1: try decide { try model.setHidden(!value.isHidden, of: id) }
        case 2:
            guard case .window(let object) = window.kind else { return }
            try ask { if value.isHidden { object.show() } else { object.hide() } }
        case 3: try decide { try model.setLevel(level(), of: id) }
        case 4:
            let origin = Point(x: Double(below(150) - 20), y: Double(below(150) - 20))
            try decide { try model.setFrame(Rect(origin: origin, size: value.frame.size), of: id) }
        case 5: try decide { try model.bringToFront(id) }
        case 6:
            let screen = chance(20) ? nil : pick(model.screens)
            try decide { try model.move(id, to: screen) }
        case 7: try decide { try model.setUserInteractionEnabled(!value.isUserInteractionEnabled, of: id) }
        default: try decide { try model.setAlpha(value.alpha < 1 ? 1 : 0.005, of: id) }
        }
    }

    private func key() throws {
        guard let window = pick(setup.world.windows) else { return }
        let choice = below(5)
        say("key window \(window.name) \(choice)")
        guard case .window(let object) = window.kind else {
            return try decide { try choice < 3 ? model.makeKey(window.id) : model.resignKey(window.id) }
        }
        try ask {
            switch choice {
            case 0: object.makeKey()
            case 1: object.makeKeyAndVisible()
            case 2:
                object.window.send(.beginEditing)
                object.commit()
            case 3: object.resignKey()
            default:
                object.window.send(.setCanBecomeKey(can: chance(50) ? 1 : 0))
                object.commit()
            }
        }
    }

    private func destroy() throws {
        guard let window = pick(setup.world.windows) else { return }
        say("destroy \(window.name)")
        try ask { try setup.destroy(window) }
        setup.forgetDestroyed()
    }

    // MARK: Parts of windows

    private func popup() throws {
        let plain = setup.world.windows.filter { if case .toplevel = $0.kind { true } else { false } }
        guard let window = pick(plain), case .toplevel(let toplevel) = window.kind else { return }
        if window.popup != nil {
            say("pop-up of \(window.name) goes")
            return try ask { setup.remove(popupOf: window) }
        }
        let seat = chance(60) ? below(setup.references.count) : nil
        say("pop-up of \(window.name), grabs \(String(describing: seat))")
        try setup.addPopup(to: window, toplevel, x: Int32(below(120)), y: Int32(below(90)), grabs: seat)
        setup.follow()
    }

    private func subsurface() throws {
        guard let window = pick(setup.world.windows), case .window = window.kind else { return }
        say("sub-surface of \(window.name)")
        try ask {
            if window.subsurface == nil {
                setup.addSubsurface(to: window, x: Int32(below(60)), y: Int32(below(60)))
            } else {
                setup.remove(subsurfaceOf: window)
            }
        }
    }

    // MARK: Screens and clients

    private func screen() throws {
        if chance(40) {
            guard let screen = pick(model.screens) else { return }
            let orientation = pick(Screen.Orientation.allCases) ?? .portrait
            say("screen \(screen) \(orientation)")
            return try decide { try server.rotate(screen, to: orientation, duration: 0) }
        }
        let specification = try ScreenSpecification(parsing: pick(RandomInputFixture.screens) ?? "")
        say("screen \(specification.name ?? "")")
        try decide {
            if let screen = model.screen(named: specification.name ?? "") {
                try server.disconnect(screen.id)
            } else {
                try server.plug(specification)
            }
        }
    }

    private func toggleIgnoring() throws {
        let client = below(setup.readers.count)
        let begins = setup.world.ignoring[client] == 0 || chance(20)
        say("client \(client) ignores: \(begins)")
        // E5: when it ends, the pointer may enter a window.
        setup.world.ignoring[client] += begins ? 1 : -1
        try ask {
            setup.readers[client].client.application.send(
                begins ? .beginIgnoringInteractionEvents : .endIgnoringInteractionEvents)
        }
    }

    private func kill() throws {
        let client = below(setup.readers.count)
        say("client \(client) dies")
        try setup.kill(client)
    }
}
