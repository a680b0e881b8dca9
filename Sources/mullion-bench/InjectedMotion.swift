// The requests of a virtual pointer as bytes: the same for the server and for the bare relay.

import Glibc
import MullionSystem
import MullionWayland

/// Pointer motions to the cells of a grid of 10×10 on the screen.
struct InjectedMotion {
    /// The number of words of a motion and its frame.
    static let words = 9
    static let columns: UInt32 = 10
    static let cells = 100

    private var bytes: [UInt32] = []

    /// A motion to each of the cells, in order, by the virtual pointer with that object id; `offsets` from the middle of
    /// the cell, in turn, in parts of a hundred of its width: there is no event for a motion to the same point.
    init(_ device: ObjectID, to cells: [Int], offsets: [UInt32] = [0]) {
        let extent = Self.columns * 100
        for (index, cell) in cells.enumerated() {
            let x = UInt32(cell) % Self.columns * 100 + 50 + offsets[index % offsets.count]
            let y = UInt32(cell) / Self.columns * 100 + 50
            bytes += [device.rawValue, 28 << 16 | 1, 0, x, y, extent, extent]
            bytes += [device.rawValue, 8 << 16 | 4]
        }
    }

    /// The cell that a motion goes to.
    static func cell(x: UInt32, y: UInt32) -> Int { Int(y / 100 * columns + x / 100) }

    /// The frame of a cell, in points of the screen.
    static func place(of cell: Int) -> (x: Int, y: Int, width: Int, height: Int) {
        let (width, height) = (BenchClient.screen.width / 10, BenchClient.screen.height / 10)
        return (x: cell % 10 * width, y: cell / 10 * height, width: width, height: height)
    }

    /// Writes everything to a socket, however slowly the other end reads.
    func send(to socket: OwnedDescriptor) throws {
        try unsafe bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = unsafe Glibc.send(socket.rawValue, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count > 0 {
                    sent += count
                } else {
                    try Interruption.check()
                    guard errno == EAGAIN || errno == EINTR else { throw MeasurementError.system("send") }
                    var full = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
                    unsafe poll(&full, 1, 1000)
                }
            }
        }
    }
}
