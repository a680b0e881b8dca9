// How clients' memory is read: holes stay holes, and everybody's memory is drawn alike.

import Compositor
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ClientMemoryTests {
    /// Whose memory it is. That of a sandbox is read like any stranger's.
    enum Owner: CaseIterable { case trusted, stranger }

    private func connect(_ fixture: ServerFixture, as owner: Owner) throws -> TestClient {
        guard owner == .stranger else { return try fixture.connect() }
        let (own, other) = try descriptorPair()
        fixture.server.accept(other, sandbox: Sandbox(engine: "test"))
        return try fixture.connect("stranger", over: own)
    }

    /// A buffer, and how it is shown.
    struct Picture: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var screen = "64x64"
        var (width, height): (Int32, Int32) = (61, 47)
        var format = WlShm.Format.argb8888
        var bytesPerPixel: Int32 = 4
        /// Bytes between rows; negative when they overlap.
        var gap: Int32 = 0
        var offset: Int32 = 0
        var scale: Int32 = 1
        var transform = WlOutput.Transform.normal
        var source: (Double, Double, Double, Double)?
        var destination: (Int32, Int32)?

        init(_ description: String, _ change: (inout Picture) -> Void = { _ in }) {
            testDescription = description
            change(&self)
        }

        static let all: [Picture] =
            [
                Picture("one to one"), Picture("opaque") { $0.format = .xrgb8888 },
                Picture("small gaps") { $0.gap = 12 }, Picture("large gaps") { $0.gap = 4096 },
                Picture("rows at odd addresses") { ($0.gap, $0.offset) = (1, 3) },
                Picture("overlapping rows") { $0.gap = 100 - 4 * 61 },
                Picture("rgb888") { ($0.format, $0.bytesPerPixel, $0.gap) = (.rgb888, 3, 1) },
                Picture("rgb565 at 2") { ($0.format, $0.bytesPerPixel, $0.offset, $0.gap) = (.rgb565, 2, 2, 2) },
                Picture("fractional scale") { $0.screen = "64x64,scale=1.5" },
                Picture("reduced") { ($0.width, $0.height, $0.scale) = (62, 48, 2) },
                Picture("rotated screen") { $0.screen = "64x80,orientation=landscapeLeft" },
                Picture("cropped and stretched") { ($0.source, $0.destination) = ((3.5, 2.25, 20.5, 31), (50, 40)) },
                Picture("enlarged") { ($0.source, $0.destination) = ((1, 1, 3, 3), (60, 60)) },
                // Larger than what is read at once.
                Picture("much reduced") { ($0.width, $0.height, $0.destination) = (1200, 900, (40, 30)) },
                Picture("much reduced, rotated") {
                    ($0.width, $0.height, $0.destination, $0.transform) = (1200, 900, (40, 30), .init(rawValue: 1))
                },
                Picture("large, one to one") { ($0.screen, $0.width, $0.height) = ("1000x700", 990, 690) },
            ]
            + (1..<8 as Range<UInt32>).map { number in
                Picture("transform \(number)") { $0.transform = .init(rawValue: number) }
            }
    }

    /// Shows a picture of pseudo-random bytes, and returns the screen.
    private func draw(_ picture: Picture, as owner: Owner) throws -> Bitmap {
        let fixture = try ServerFixture(screens: [picture.screen])
        let client = try connect(fixture, as: owner)
        let stride = picture.width * picture.bytesPerPixel + picture.gap
        let bytes = picture.offset + stride * picture.height
        var random = SeededRandom(seed: 7)
        let content = (0..<Int(bytes + 7) / 8).map { _ in random.next() }
        let memory = try memoryFile(bytes: Int(bytes))
        let written = content.withUnsafeBytes { pwrite(memory.rawValue, $0.baseAddress, Int(bytes), 0) }
        try #require(written == Int(bytes))
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: memory, size: bytes))
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: picture.offset, width: picture.width, height: picture.height, stride: stride,
                format: picture.format))
        let window = client.window("w").frame(0, 0, 64, 64)
        if picture.source != nil || picture.destination != nil {
            let viewport = try client.viewport(of: window.surface)
            if let (x, y, width, height) = picture.source { viewport.source(x, y, width, height) }
            if let (width, height) = picture.destination { viewport.destination(width, height) }
        }
        window.surface.send(.setBufferScale(scale: picture.scale))
        window.surface.send(.setBufferTransform(transform: picture.transform))
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
        let result = try fixture.screenshot()
        #expect(client.isOpen, "\(client.protocolError?.message ?? "")")
        return result
    }

    @Test("copied memory is drawn exactly like memory that is read in place", arguments: Picture.all)
    func alike(picture: Picture) throws {
        let inPlace = try draw(picture, as: .trusted)
        #expect(Set(inPlace.pixels).count > 4)
        #expect(try draw(picture, as: .stranger) == inPlace)
    }

    /// The pages of a file that exist.
    private func pages(_ file: OwnedDescriptor) throws -> Int {
        var status = stat()
        try #require(fstat(file.rawValue, &status) == 0)
        return Int(status.st_blocks) * 512 / 4096
    }

    @Test("a picture allocates no page of a client's memory, and shows holes as zeros", arguments: Owner.allCases)
    func holes(owner: Owner) throws {
        let fixture = try ServerFixture.handingOver(screens: ["256x256"])
        let client = try connect(fixture, as: owner)
        // Rows of a page each, of which a few are there.
        let memory = try memoryFile(bytes: 256 * 4096)
        let copy = try #require(memory.duplicate())
        var row = [UInt32](repeating: 0xff00_ff00, count: 256)
        for y in [3, 100, 101] { try #require(pwrite(copy.rawValue, &row, 1024, off_t(y * 4096)) == 1024) }
        #expect(try pages(copy) == 3)
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: memory, size: 256 * 4096))
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(
            .createBuffer(id: buffer.id, offset: 0, width: 256, height: 256, stride: 4096, format: .argb8888))
        let window = client.window("w").color(0xff00_00ff).frame(0, 0, 256, 256)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        // The same again, cropped, reduced and turned.
        let child = TestSubsurface(bare: client, surface: client.surface(), parent: window.surface)
        let viewport = try client.viewport(of: child.surface)
        viewport.source(10, 20, 200, 200)
        viewport.destination(50, 50)
        child.surface.send(.setBufferTransform(transform: .init(rawValue: 1)))
        child.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        child.surface.send(.commit)
        child.subsurface.send(.setPosition(x: 200, y: 200))
        window.show()
        for _ in 0..<2 {
            let picture = try fixture.screenshot()
            #expect(picture[9, 3] == 0xff00_ff00 && picture[9, 101] == 0xff00_ff00)
            #expect(picture[9, 2] == 0xff00_00ff && picture[9, 99] == 0xff00_00ff)
            window.surface.send(.damageBuffer(x: 0, y: 0, width: 256, height: 256))
            window.commit()
        }
        #expect(client.isOpen)
        #expect(try pages(copy) == 3)
    }

    @Test("what a buffer has beyond its pool is transparent", arguments: Owner.allCases)
    func beyond(owner: Owner) throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try connect(fixture, as: owner)
        // The file goes on where the pool ends.
        let memory = try client.memoryFile(words: 8 * 8 * 4, filledWith: 0xffff_0000)
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: memory, size: 8 * 8))
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(.createBuffer(id: buffer.id, offset: 0, width: 8, height: 8, stride: 8, format: .argb8888))
        let window = client.window("w").color(0xff00_00ff).frame(0, 0, 8, 8)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
        let picture = try fixture.screenshot()
        // The last row has the pool's last 8 bytes, the one before it 16.
        for y in 0..<8 {
            let count = min(8, (8 - y) * 2)
            for x in 0..<8 { #expect(picture[x, y] == (x < count ? 0xffff_0000 : 0xff00_00ff), "(\(x), \(y))") }
        }
    }
}
