// Pictures that reuse the last list of layers are identical to pictures drawn from scratch.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Compositor
@testable import DisplayServer

@Suite struct RepeatedPictureTests {
    private static let width = 80

    /// A window with a buffer, and a subsurface with another one.
    private struct Subject {
        let window: TestWindow
        let part: TestSubsurface
        /// The side of the window's buffer.
        var side: Int32 = 30
    }

    private struct Desk {
        let setup: ScreencopyFixture
        var subjects: [Subject] = []
        var random: SeededRandom
        private let pointer: TestPointer
        private let cursor: Proxy<WlSurface>

        init(seed: UInt64) throws {
            setup = try ScreencopyFixture(["80x60,name=A", "40x30,external,name=B,mirroring=A"], clock: .manual)
            random = SeededRandom(seed: seed)
            pointer = try TestPointer(setup.client)
            cursor = setup.client.surface()
            for _ in 0..<3 {
                let window = setup.client.window("w").frame(number(0...40), number(0...30), 30, 30)
                let part = try TestSubsurface(
                    setup.client, of: window.surface, argb: color(), x: 3, y: 3, width: 10, height: 10)
                part.subsurface.send(.setDesync)
                subjects.append(Subject(window: window, part: part))
                try attach(window.surface, 30)
                window.show()
            }
            try setup.fixture.pump()
        }

        mutating func number(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random).rounded()
        }

        /// Opaque or translucent, premultiplied.
        mutating func color() -> UInt32 {
            let color = UInt32.random(in: 0...0x7f_7f7f, using: &random) & 0x7f_7f7f
            return color | (Bool.random(using: &random) ? 0xff00_0000 : 0x8000_0000)
        }

        mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

        /// A square, whose buffer sometimes has another scale.
        mutating func attach(_ surface: Proxy<WlSurface>, _ side: Int32) throws {
            let scale: Int32 = chance(8) ? 2 : 1
            surface.send(.setBufferScale(scale: scale))
            try setup.client.attach(color(), width: side * scale, height: side * scale, to: surface)
        }

        /// Moves the pointer, or changes the picture at it.
        mutating func changeCursor() throws {
            if chance(2) {
                return try setup.hover(number(0...79), number(0...59))
            }
            try attach(cursor, 8)
            cursor.send(.commit)
            pointer.pointer.send(
                .setCursor(serial: pointer.enterSerial, surface: cursor.id, hotspotX: 0, hotspotY: 0))
        }

        /// Changes contents, and sometimes more.
        mutating func change() throws {
            if chance(3) { try changeLayers() }
            if chance(5) { try changeCursor() }
            try changeContents()
            try setup.fixture.pump()
        }

        /// New contents of the same size for a few surfaces.
        mutating func changeContents() throws {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard let subject = subjects.randomElement(using: &random) else { return }
                let isPart = Bool.random(using: &random)
                let surface = isPart ? subject.part.surface : subject.window.surface
                try attach(surface, isPart ? 10 : subject.side)
                surface.send(.commit)
            }
        }

        /// Another change, which may also be one of contents.
        mutating func changeLayers() throws {
            let index = Int.random(in: subjects.indices, using: &random)
            let window = subjects[index].window
            switch Int.random(in: 0..<10, using: &random) {
            case 0: window.frame(number(-10...60), number(-10...50), 30, 30).commit()
            case 1: window.level(number(0...3)).commit()
            case 2: window.hide()
            case 3: window.show()
            case 4:
                window.window.send(.setAlpha(alpha: Bool.random(using: &random) ? .max : 0x8000_0000))
                window.commit()
            case 5:
                subjects[index].side = subjects[index].side == 30 ? 20 : 30
                try attach(window.surface, subjects[index].side)
                window.commit()
            case 6:
                let region = setup.client.region([(x: 0, y: 0, width: Int32(number(1...30)), height: 20)])
                window.surface.send(.setOpaqueRegion(region: region.id))
                try attach(window.surface, subjects[index].side)
                window.commit()
            case 7:
                subjects[index].part.subsurface.send(.setPosition(x: Int32(number(0...20)), y: 4))
                window.commit()
            case 8:
                guard let screen = setup.fixture.model.screens.first else { return }
                try setup.fixture.model.setScale(chance(3) ? 2 : 1, of: screen)
            default:
                guard let screen = setup.fixture.model.screens.first else { return }
                let orientation = Screen.Orientation.allCases.randomElement(using: &random) ?? .portrait
                try setup.fixture.server.rotate(screen, to: orientation, duration: 0)
            }
        }

        /// A screen, its mirror, and a window, some of them with the cursor.
        var views: [CaptureView] {
            get throws {
                let model = setup.fixture.model
                let window = try #require(model.windows(on: model.screens[0]).first)
                return [
                    .screen(model.screens[0]), .screen(model.screens[0], cursor: true), .screen(model.screens[1]),
                    CaptureView(subject: .window(window, withPopups: false)),
                    CaptureView(subject: .window(window, withPopups: true), hasCursor: true),
                ]
            }
        }

        /// A screenshot of a view, which may use the last one.
        func screenshot(of view: CaptureView) throws -> Bitmap {
            let server = setup.fixture.server
            var result: Bitmap?
            if let screen = view.screen {
                server.captures.capture([screen], cursor: view.hasCursor) { result = $0.first?.1 }
            } else if case .window(let id, let withPopups) = view.subject {
                server.captures.capture(id, withPopups: withPopups, cursor: view.hasCursor) { result = $0 }
            }
            try setup.fixture.wait(for: "a screenshot") { result != nil }
            return try #require(result)
        }

        /// Keeps the picture of a view up to date.
        func watch(_ view: CaptureView) -> WatchedView {
            let watched = WatchedView(view)
            let captures = setup.fixture.server.captures
            let session = CaptureSession(of: view, area: .everything, owner: captures)
            watched.session = session
            captures.add(ContinuousCapture(captures, of: session) { watched.picture = $0.bitmap() }, of: session)
            return watched
        }

        /// What a view shows, drawn from scratch.
        func picture(of view: CaptureView) throws -> Bitmap {
            let server = setup.fixture.server
            var scene = try #require(CapturedScene(view, expected: 0, server))
            let renderer = Renderer(hasAlpha: view.hasAlpha)
            renderer.begin(scene.frame)
            while !scene.collect(server, until: { false }) {}
            while !scene.add(to: renderer, until: { false }) {}
            while !renderer.compare(until: { false }) {}
            while renderer.isDrawing, !renderer.draw() {}
            return renderer.bitmap()
        }
    }

    private final class WatchedView {
        let view: CaptureView
        var session: CaptureSession?
        var picture: Bitmap?

        init(_ view: CaptureView) { self.view = view }
    }

    @Test("S7: after any changes, the picture of every watched view is identical to one drawn from scratch")
    func views() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var desk = try Desk(seed: seed)
        let views = try desk.views
        let watched = views.map { desk.watch($0) }
        var repeated = 0
        for step in 0..<300 {
            try desk.change()
            try desk.setup.tick()
            let captures = desk.setup.fixture.server.captures.captures
            repeated += views.count { captures[$0]?.renderer.knownPart?.isEmpty == false }
            for one in watched {
                let isExact = try one.picture?.rows == desk.picture(of: one.view).rows
                try #require(isExact, "seed \(seed), step \(step), \(one.view)")
            }
        }
        #expect(repeated > 200, "\(repeated) pictures of the same layers")
    }

    @Test("S4: without viewers, a screenshot after any changes is identical to a picture drawn from scratch")
    func screenshots() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var desk = try Desk(seed: seed)
        let views = try desk.views
        var repeated = 0
        for step in 0..<300 {
            try desk.change()
            guard let view = views.randomElement(using: &desk.random) else { continue }
            let isExact = try desk.screenshot(of: view).rows == desk.picture(of: view).rows
            let captures = desk.setup.fixture.server.captures.captures
            if captures[view]?.renderer.knownPart?.isEmpty == false { repeated += 1 }
            try #require(isExact, "seed \(seed), step \(step), \(view)")
        }
        #expect(repeated > 20, "\(repeated) pictures of the same layers")
    }

    @Test("without viewers, a screenshot shows the current contents of a client's cursor")
    func cursor() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let pointer = try TestPointer(setup.client)
        _ = try setup.window(0, 0, 80, 60, 0xff11_1111)
        try setup.hover(20, 20)
        let cursor = setup.client.surface()
        pointer.pointer.send(
            .setCursor(serial: pointer.enterSerial, surface: cursor.id, hotspotX: 0, hotspotY: 0))
        for argb in [0xffff_0000, 0xff00_ff00, 0xff00_00ff] as [UInt32] {
            try setup.client.attach(argb, width: 8, height: 8, to: cursor)
            cursor.send(.commit)
            try setup.fixture.pump()
            #expect(try setup.shown(cursor: true)[20 * 80 + 20] == argb & 0xff_ffff)
        }
    }

    @Test("after any changes, a copy's damage is all that differs from the copy before")
    func damage() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var desk = try Desk(seed: seed)
        let screen = CaptureView.screen(desk.setup.fixture.model.screens[0])
        var waiting = try desk.setup.waiting()
        try desk.setup.tick()
        var last = try waiting.pixels()
        waiting = try desk.setup.waiting()
        for step in 0..<300 {
            try desk.change()
            try desk.setup.tick()
            let expected = try desk.picture(of: screen).rows.flatMap { $0 }
            guard waiting.isReady else {
                try #require(last == expected, "seed \(seed), step \(step): a change that was not copied")
                continue
            }
            let pixels = try waiting.pixels()
            try #require(pixels == expected, "seed \(seed), step \(step)")
            let unreported = pixels.indices.first { index in
                let (x, y) = (Int32(index % Self.width), Int32(index / Self.width))
                return pixels[index] != last[index]
                    && !waiting.damage.contains { $0.minX <= x && x < $0.maxX && $0.minY <= y && y < $0.maxY }
            }
            try #require(unreported == nil, "seed \(seed), step \(step): damage \(waiting.damage)")
            last = pixels
            waiting.proxy.send(.destroy)
            waiting = try desk.setup.waiting()
        }
    }
}

extension Bitmap {
    /// Without the unused byte of pictures that have no alpha.
    fileprivate var rows: [[UInt32]] {
        (0..<height).map { y in pixels[y * width..<(y + 1) * width].map { hasAlpha ? $0 : $0 & 0xff_ffff } }
    }
}
