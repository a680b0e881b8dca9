// This program run as a client that does one costly thing endlessly.

import Glibc
import MullionWayland

/// Kinds of hostile clients. Most make a naive server walk through all objects of the client.
enum Hostility: String, CaseIterable {
    case sync, height, moves, extent, restacking, commits, opaque, layers, regions, windows, popups, pools

    /// The argument that starts this program as the client; the path of the server's socket and the kind follow.
    static let argument = "--hostile"

    /// A description for the report.
    var description: String {
        switch self {
        case .sync: "wl_display.sync"
        case .height: "a tree of 16,000 sub-surfaces put into another surface and taken out"
        case .moves: "16,000 sub-surfaces, one moved with each commit"
        case .extent: "16,000 sub-surfaces, another window geometry with each commit"
        case .restacking: "16,000 sub-surfaces, one restacked with each commit"
        case .commits: "16,000 sub-surfaces, each committing by itself"
        case .opaque: "1,000 sub-surfaces with opaque regions of 1,000 rectangles"
        case .layers: "4,000 translucent sub-surfaces of the screen's size"
        case .regions: "input regions of 1,000 rectangles"
        case .windows: "1,000 windows made key in turn, at other levels"
        case .popups: "1,000 pop-ups of a window that is moved"
        case .pools: "256 MiB of buffers, made and destroyed"
        }
    }

    /// Attacks until the process is killed.
    static func serve(descriptor: Int32, socket: String, kind: String) throws {
        guard let kind = Hostility(rawValue: kind) else {
            throw MeasurementError("\"\(kind)\" is not a kind of hostile client")
        }
        let neighbour = try HostileNeighbour(socket)
        let attack = try neighbour.prepare(kind)
        try neighbour.client.connection.roundTrip()
        var ready: UInt8 = 1
        unsafe send(descriptor, &ready, 1, Int32(MSG_NOSIGNAL))
        var turn = 0
        while true {
            for _ in 0..<32 {
                attack(turn)
                turn += 1
            }
            try neighbour.exchange()
        }
    }
}

/// Prepares the attacks.
private final class HostileNeighbour {
    let client: BenchClient
    private let base: Proxy<XdgWmBase>
    private let content: Proxy<WlBuffer>

    init(_ socket: String) throws {
        client = try BenchClient(socket)
        base = try client.bind(XdgWmBase.self)
        content = try client.buffer(0x8010_2030, width: 64, height: 64, format: .argb8888)
    }

    /// Sends everything queued and reads meanwhile, because the server stops serving clients that do not read.
    func exchange() throws {
        let connection = client.connection
        while try !connection.transport.flush() {
            var waiting = pollfd(fd: connection.descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
            _ = unsafe poll(&waiting, 1, -1)
            while try connection.dispatchAvailable() {}
        }
        while try connection.dispatchAvailable() {}
    }

    /// - Returns: a function that performs a step of the attack, given its number.
    func prepare(_ kind: Hostility) throws -> (Int) -> Void {
        switch kind {
        case .sync:
            let display = client.connection.display
            return { [connection = client.connection] _ in
                display.send(.sync(callback: Proxy<WlCallback>(connection, version: 1).id))
            }
        case .height: return try height()
        case .moves:
            let (window, children) = try family(of: 16_000)
            return { turn in
                let child = children[turn % children.count].subsurface
                child.send(.setPosition(x: Int32(turn % 7), y: Int32(turn % 5)))
                window.surface.send(.commit)
            }
        case .extent:
            let (window, _) = try family(of: 16_000)
            return { turn in
                window.xdg.send(.setWindowGeometry(x: Int32(turn % 3) - 5, y: 0, width: 100, height: 100))
                window.surface.send(.commit)
            }
        case .restacking:
            let (window, children) = try family(of: 16_000)
            return { turn in
                let (one, other) = (turn % children.count, (turn * 7 + 1) % children.count)
                children[one].subsurface.send(.placeAbove(sibling: children[other].surface.id))
                window.surface.send(.commit)
            }
        case .commits:
            let (_, children) = try family(of: 16_000)
            for child in children { child.subsurface.send(.setDesync) }
            return { turn in self.show(on: children[turn % 1000].surface) }
        case .opaque:
            let region = region()
            let (window, children) = try family(of: 1000) { $0.send(.setOpaqueRegion(region: region.id)) }
            return { _ in
                self.show(on: children[0].surface)
                window.surface.send(.commit)
            }
        case .layers: return try layers()
        case .regions:
            let window = try toplevel()
            let region = region()
            return { _ in
                window.surface.send(.setInputRegion(region: region.id))
                window.surface.send(.commit)
            }
        case .windows: return try windows()
        case .popups: return try popups()
        case .pools:
            return { [client] turn in
                if turn % 32 == 0, !client.makeAndDestroyPool(bytes: 256 << 20) { exit(EXIT_FAILURE) }
            }
        }
    }

    private func height() throws -> (Int) -> Void {
        let (top, tree) = (client.surface(), client.surface())
        _ = try children(of: tree, 16_000) { _ in }
        return { [client] turn in
            let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
            client.subcompositor.send(.getSubsurface(id: subsurface.id, surface: tree.id, parent: top.id))
            subsurface.send(.destroy)
            // The server limits how much may be pending for a commit.
            if turn % 1000 == 0 { top.send(.commit) }
        }
    }

    private func layers() throws -> (Int) -> Void {
        let viewporter = try client.bind(WpViewporter.self)
        var turned: UInt32 = 0
        let (window, children) = try family(of: 4000) { [client] surface in
            let viewport = Proxy<WpViewport>(client.connection, version: 1)
            viewporter.send(.getViewport(id: viewport.id, surface: surface.id))
            viewport.send(.setDestination(width: 1900, height: 1000))
            surface.send(.setBufferTransform(transform: .init(rawValue: turned % 8)))
            turned += 1
        }
        return { turn in
            self.show(on: children[turn % 20].surface)
            window.surface.send(.commit)
        }
    }

    private func windows() throws -> (Int) -> Void {
        let windows = (0..<1000).map { _ in
            let surface = client.surface()
            let window = Proxy<MullionWindowV1>(client.connection, version: client.application.version)
            client.application.send(.createWindow(id: window.id, surface: surface.id, screen: nil))
            window.send(.setHidden(hidden: 0))
            show(on: surface)
            return (surface: surface, window: window)
        }
        return { turn in
            let (surface, window) = windows[turn % windows.count]
            window.send(.setLevel(level: Fixed(rounding: Double(turn * 37 % 5000))))
            surface.send(.commit)
            window.send(.makeKeyAndVisible)
        }
    }

    private func popups() throws -> (Int) -> Void {
        let window = try toplevel()
        let positioner = Proxy<XdgPositioner>(client.connection, version: base.version)
        base.send(.createPositioner(id: positioner.id))
        positioner.send(.setSize(width: 10, height: 10))
        positioner.send(.setAnchorRect(x: 0, y: 0, width: 10, height: 10))
        positioner.send(.setReactive)
        for _ in 0..<1000 {
            let surface = client.surface()
            let xdg = Proxy<XdgSurface>(client.connection, version: base.version)
            base.send(.getXdgSurface(id: xdg.id, surface: surface.id))
            let popup = Proxy<XdgPopup>(client.connection, version: base.version)
            xdg.send(.getPopup(id: popup.id, parent: window.xdg.id, positioner: positioner.id))
            var isShown = false
            xdg.onEvent = { [unowned self, unowned xdg] event in
                guard case .configure(let serial) = event else { return }
                xdg.send(.ackConfigure(serial: serial))
                if !isShown { show(on: surface) }
                isShown = true
            }
            surface.send(.commit)
        }
        try client.connection.roundTrip()
        return { turn in
            window.xdg.send(.setWindowGeometry(x: Int32(turn % 3), y: 0, width: 50, height: 50))
            window.surface.send(.commit)
        }
    }

    // MARK: Parts

    private typealias Child = (surface: Proxy<WlSurface>, subsurface: Proxy<WlSubsurface>)

    /// A mapped window of a plain program.
    private func toplevel() throws -> (surface: Proxy<WlSurface>, xdg: Proxy<XdgSurface>) {
        let surface = client.surface()
        let xdg = Proxy<XdgSurface>(client.connection, version: base.version)
        base.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        xdg.send(.getToplevel(id: Proxy<XdgToplevel>(client.connection, version: base.version).id))
        xdg.onEvent = { [unowned xdg] event in
            if case .configure(let serial) = event { xdg.send(.ackConfigure(serial: serial)) }
        }
        surface.send(.commit)
        try client.connection.roundTrip()
        show(on: surface)
        return (surface, xdg)
    }

    private func children(
        of parent: Proxy<WlSurface>, _ count: Int, _ prepare: (Proxy<WlSurface>) -> Void
    ) throws -> [Child] {
        try (0..<count).map { index in
            if index % 32 == 0 { try exchange() }
            let surface = client.surface()
            let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
            client.subcompositor.send(.getSubsurface(id: subsurface.id, surface: surface.id, parent: parent.id))
            prepare(surface)
            show(on: surface)
            return (surface, subsurface)
        }
    }

    /// A window with this many sub-surfaces.
    private func family(
        of count: Int, _ prepare: (Proxy<WlSurface>) -> Void = { _ in }
    ) throws -> (window: (surface: Proxy<WlSurface>, xdg: Proxy<XdgSurface>), children: [Child]) {
        let window = try toplevel()
        let children = try children(of: window.surface, count, prepare)
        window.surface.send(.commit)
        return (window, children)
    }

    /// A region of 1,000 single pixels.
    private func region() -> Proxy<WlRegion> {
        let region = Proxy<WlRegion>(client.connection, version: 1)
        client.compositor.send(.createRegion(id: region.id))
        for index in 0..<1000 {
            region.send(.add(x: Int32(index % 32 * 2), y: Int32(index / 32 * 2), width: 1, height: 1))
        }
        return region
    }

    private func show(on surface: Proxy<WlSurface>) {
        surface.send(.attach(buffer: content.id, x: 0, y: 0))
        surface.send(.damageBuffer(x: 0, y: 0, width: 64, height: 64))
        surface.send(.commit)
    }
}
