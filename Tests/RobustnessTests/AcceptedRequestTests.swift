// Core requests that servers with libwayland accept: no client is disconnected here for what works elsewhere.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

/// Something that a client may do.
struct AcceptedCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: @Sendable (TestClient) throws -> Void

    init(_ description: String, _ request: @escaping @Sendable (TestClient) throws -> Void) {
        testDescription = description
        self.request = request
    }

    /// A buffer in a pool of that many bytes, on a file of 100 words or another size.
    private static func buffer(
        _ client: TestClient, pool bytes: Int32 = 400, words: Int = 100, offset: Int32 = 0, _ width: Int32,
        _ height: Int32, stride: Int32, format: WlShm.Format = .argb8888
    ) throws {
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: try client.memoryFile(words: words, filledWith: 1), size: bytes))
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: offset, width: width, height: height, stride: stride, format: format))
        let window = client.window("w")
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
    }

    static let all: [AcceptedCase] = [
        AcceptedCase("a stride of fewer bytes than a row has") { try buffer($0, 10, 10, stride: 39) },
        AcceptedCase("a stride of as many bytes as there are pixels") { try buffer($0, 40, 10, stride: 40) },
        AcceptedCase("a last row that ends beyond the pool") { try buffer($0, offset: 380, 10, 1, stride: 20) },
        AcceptedCase("an overlapping row at the end of the pool") { try buffer($0, offset: 399, 1, 1, stride: 1) },
        AcceptedCase("a stride that is not a multiple of the pixel's size") {
            try buffer($0, 10, 9, stride: 43, format: .xrgb8888)
        },
        AcceptedCase("a pool that is larger than its file") {
            try buffer($0, pool: 4096, words: 16, 32, 32, stride: 128)
        },
        AcceptedCase("a pool of an empty file") { try buffer($0, pool: 4096, words: 0, 32, 32, stride: 128) },
        AcceptedCase("a pool resized to its own size") { client in
            let pool = Proxy<WlShmPool>(client.connection, version: 1)
            client.shm.send(.createPool(id: pool.id, fd: try client.memoryFile(words: 4, filledWith: 0), size: 16))
            pool.send(.resize(size: 16))
        },
        AcceptedCase("damage of any size and place") { client in
            let surface = client.surface()
            for (x, y, width, height) in [(0, 0, -1, -1), (.max, .max, .max, .max), (.min, 0, .max, 0)]
                as [(Int32, Int32, Int32, Int32)]
            {
                surface.send(.damage(x: x, y: y, width: width, height: height))
                surface.send(.damageBuffer(x: x, y: y, width: width, height: height))
            }
            surface.send(.commit)
        },
        AcceptedCase("regions of any numbers") { client in
            let region = client.region([(0, 0, -5, 5), (.max, .max, .max, .max)])
            region.send(.subtract(x: .min, y: .min, width: -1, height: .max))
            client.surface().send(.setInputRegion(region: region.id))
        },
        AcceptedCase("contents without a role whose size is no multiple of the scale") { client in
            let surface = client.surface()
            surface.send(.setBufferScale(scale: 2))
            try client.attach(0xff00_0000, width: 7, height: 7, to: surface)
            surface.send(.commit)
        },
        AcceptedCase("contents with a viewport's source whose size is no multiple of the scale") { client in
            let window = client.window("w")
            window.surface.send(.setBufferScale(scale: 2))
            try client.viewport(of: window.surface).source(0, 0, 3, 3)
            try client.attach(0xff00_0000, width: 7, height: 7, to: window.surface)
            window.show()
        },
        AcceptedCase("a sub-surface placed after its parent is destroyed") { client in
            let (parent, surface) = (client.surface(), client.surface())
            let child = TestSubsurface(bare: client, surface: surface, parent: parent)
            parent.send(.destroy)
            child.subsurface.send(.placeAbove(sibling: client.surface().id))
            child.subsurface.send(.setPosition(x: 1, y: 1))
            child.subsurface.send(.setDesync)
            surface.send(.commit)
        },
        AcceptedCase("a sub-surface used after its surface is destroyed") { client in
            let (parent, surface) = (client.surface(), client.surface())
            let child = TestSubsurface(bare: client, surface: surface, parent: parent)
            surface.send(.destroy)
            child.subsurface.send(.placeBelow(sibling: parent.id))
            child.subsurface.send(.setSync)
            parent.send(.commit)
        },
        AcceptedCase("a sub-surface placed above its parent") { client in
            let parent = client.surface()
            let child = TestSubsurface(bare: client, surface: client.surface(), parent: parent)
            child.subsurface.send(.placeAbove(sibling: parent.id))
            parent.send(.commit)
        },
        AcceptedCase("a cursor with an unknown serial, and none") { client in
            let seat = try client.bind(WlSeat.self)
            let pointer = Proxy<WlPointer>(client.connection, version: seat.version)
            seat.send(.getPointer(id: pointer.id))
            let surface = client.surface()
            for _ in 0..<2 {
                pointer.send(.setCursor(serial: 99, surface: surface.id, hotspotX: -5, hotspotY: .max))
            }
            pointer.send(.setCursor(serial: 1, surface: nil, hotspotX: 0, hotspotY: 0))
            surface.send(.destroy)
        },
        AcceptedCase("a selection and a drag with a serial of long ago") { client in
            let manager = try client.bind(WlDataDeviceManager.self)
            let seat = try client.bind(WlSeat.self)
            let device = Proxy<WlDataDevice>(client.connection, version: manager.version)
            manager.send(.getDataDevice(id: device.id, seat: seat.id))
            let source = Proxy<WlDataSource>(client.connection, version: manager.version)
            manager.send(.createDataSource(id: source.id))
            for _ in 0..<2 { source.send(.offer(mimeType: "text/plain")) }
            device.send(.setSelection(source: source.id, serial: 0))
            device.send(.setSelection(source: source.id, serial: 0))
            device.send(.setSelection(source: nil, serial: 0))
            device.send(.startDrag(source: nil, origin: client.surface().id, icon: nil, serial: 0))
            source.send(.destroy)
        },
        AcceptedCase("a title that is not UTF-8, and one with a NUL inside") { client in
            let toplevel = client.toplevel("t").toplevel
            // The length in bytes with the NUL, and "a", 0xE4, "b" in Latin-1.
            for words in [[4, 0x0062_e461], [4, 0x0062_0061]] as [[UInt32]] {
                let out = client.connection.transport.queue()
                out.begin(toplevel.id, opcode: 2)
                for word in words { out.put(word) }
                out.end()
            }
        },
        AcceptedCase("two registries, and globals bound again and again in old versions") { client in
            let registry = Proxy<WlRegistry>(client.connection, version: 1)
            client.connection.display.send(.getRegistry(registry: registry.id))
            for version in 1...WlSeat.version {
                for _ in 0..<3 { _ = try client.bind(WlSeat.self, version: version) }
            }
        },
    ]
}

@Suite struct AcceptedRequestTests {
    @Test("what every server with libwayland accepts is no error", arguments: AcceptedCase.all)
    func accepted(request: AcceptedCase) throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        try request.request(client)
        _ = try fixture.screenshot()
        #expect(client.isOpen, "\(client.protocolError?.message ?? "")")
        #expect(fixture.model.checkInvariants() == [])
    }
}
