// Pop-ups and pictures of a test client.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland

/// xdg_popup with its surface.
public final class TestPopup {
    public let surface: Proxy<WlSurface>
    public let xdg: Proxy<XdgSurface>
    public let popup: Proxy<XdgPopup>
    /// The last configure, in the parent's geometry.
    public private(set) var place: (x: Int32, y: Int32, width: Int32, height: Int32)?
    public private(set) var isDone = false
    public private(set) var repositioned: [UInt32] = []
    public var acknowledges = true

    public init(_ client: TestClient, parent: Proxy<XdgSurface>?, positioner: Proxy<XdgPositioner>) {
        surface = client.surface()
        xdg = Proxy(client.connection, version: client.wmBase.version)
        client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        popup = Proxy(client.connection, version: client.wmBase.version)
        xdg.send(.getPopup(id: popup.id, parent: parent?.id, positioner: positioner.id))
        // A test may drop a pop-up whose events are still in flight.
        xdg.onEvent = { [weak self] event in
            guard case .configure(let serial) = event, let self, acknowledges else { return }
            xdg.send(.ackConfigure(serial: serial))
        }
        popup.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .configure(let x, let y, let width, let height): place = (x, y, width, height)
            case .popupDone: isDone = true
            case .repositioned(let token): repositioned.append(token)
            }
        }
    }

    /// Destroys pop-up, role and surface, in the order that the protocol requires.
    public func destroy() {
        popup.send(.destroy)
        xdg.send(.destroy)
        surface.send(.destroy)
    }

    /// A complete positioner: below the top left corner of the anchor, which is that of the parent.
    public static func positioner(
        _ client: TestClient, width: Int32, height: Int32, x: Int32 = 0, y: Int32 = 0,
        anchor: XdgPositioner.Anchor = .topLeft, gravity: XdgPositioner.Gravity = .bottomRight
    ) -> Proxy<XdgPositioner> {
        let positioner = Proxy<XdgPositioner>(client.connection, version: client.wmBase.version)
        client.wmBase.send(.createPositioner(id: positioner.id))
        positioner.send(.setSize(width: width, height: height))
        positioner.send(.setAnchorRect(x: x, y: y, width: 1, height: 1))
        positioner.send(.setAnchor(anchor: anchor))
        positioner.send(.setGravity(gravity: gravity))
        return positioner
    }
}

extension TestClient {
    /// Shared memory with these bytes.
    public func memoryFile(_ bytes: [UInt8]) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(linux_memfd_create("mullion-test", MFD_CLOEXEC))
        guard descriptor.rawValue >= 0, ftruncate(descriptor.rawValue, bytes.count) == 0,
            bytes.withUnsafeBytes({ pwrite(descriptor.rawValue, $0.baseAddress, $0.count, 0) }) == bytes.count
        else { throw FixtureError("memfd: \(errorText())") }
        return descriptor
    }

    /// A buffer of these bytes, with contiguous rows.
    public func buffer(_ bytes: [UInt8], width: Int32, height: Int32, format: WlShm.Format) throws -> Proxy<WlBuffer> {
        let pool = Proxy<WlShmPool>(connection, version: 1)
        shm.send(.createPool(id: pool.id, fd: try memoryFile(bytes), size: Int32(bytes.count)))
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        let stride = Int32(bytes.count) / height
        pool.send(.createBuffer(id: buffer.id, offset: 0, width: width, height: height, stride: stride, format: format))
        pool.send(.destroy)
        return buffer
    }

    /// An argb8888 buffer with the pixels that a function returns.
    public func picture(width: Int32, height: Int32, _ pixel: (Int32, Int32) -> UInt32) throws -> Proxy<WlBuffer> {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let value = pixel(x, y)
                for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
            }
        }
        return try buffer(bytes, width: width, height: height, format: .argb8888)
    }
}
