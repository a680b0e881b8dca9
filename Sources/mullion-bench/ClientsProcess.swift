// This program run as a large number of clients.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// Clients in a separate process, so that measuring does not wait for them.
enum AnimatedClients {
    /// The argument that starts this program as the clients; the path of the server's socket follows.
    static let argument = "--clients"

    /// Commands over descriptor 3: animate, or stop and reply with the number of pictures shown.
    enum Command: UInt8 { case go, stop }

    /// Serves until the other end closes.
    static func serve(descriptor: Int32, socket: String) throws {
        DescriptorLimit.raise()
        let loop = try EventLoop()
        var members: [Member] = []
        for index in 0..<ManyClients.clients { members.append(try Member(socket, index, loop)) }
        // One timer for all clients: each has a different moment within the period.
        let step = 1_000_000 / UInt64(ManyClients.clients * ManyClients.rate)
        var next = 0
        let timer = Timer(loop)
        timer.handler = { deadline, now in
            var due = deadline
            while due <= now {
                try? members[next].show()
                next = (next + 1) % members.count
                due += step
            }
            timer.arm(at: due)
        }
        let source = try IOSource(loop, descriptor: descriptor) {
            var byte: UInt8 = 0
            guard unsafe recv(descriptor, &byte, 1, 0) == 1 else { return loop.stop() }
            switch Command(rawValue: byte) {
            case .go:
                for member in members { member.shown = 0 }
                timer.arm(at: loop.now)
            case .stop, nil:
                timer.cancel()
                var count = UInt64(members.reduce(0) { $0 + $1.shown })
                unsafe send(descriptor, &count, 8, Int32(MSG_NOSIGNAL))
            }
        }
        var ready: UInt8 = 1
        unsafe send(descriptor, &ready, 1, Int32(MSG_NOSIGNAL))
        try loop.run()
        source.cancel()
    }

    /// One client with one window.
    private final class Member {
        /// The side of its window, in points.
        private static let side = 32
        let client: BenchClient
        private let surface: Proxy<WlSurface>
        private let buffers: [Proxy<WlBuffer>]
        private var source: IOSource?
        /// Whether the server has requested a picture.
        private var isDue = true
        private var turn = 0
        /// The number of frame callbacks.
        var shown = 0

        init(_ socket: String, _ index: Int, _ loop: EventLoop) throws {
            let client = try BenchClient(socket)
            self.client = client
            let side = Self.side
            buffers = try [0xff20_4060, 0xff60_4020].map { try client.buffer($0, width: side, height: side) }
            let columns = BenchClient.screen.width / side
            surface = try client.window(
                buffers[0], at: (x: index % columns * side, y: index / columns * side, width: side, height: side))
            source = try IOSource(loop, descriptor: client.connection.descriptor) { [client] in
                do { try client.connection.dispatchAvailable() } catch { loop.stop() }
            }
        }

        /// Shows its other picture, if the server has requested one.
        func show() throws {
            guard isDue else { return }
            isDue = false
            turn += 1
            client.show(buffers[turn % 2], on: surface) { [unowned self] in
                isDue = true
                shown += 1
            }
            try client.connection.flush()
        }
    }
}

/// The process with the clients, once they are connected.
final class ClientsProcess {
    private let process: Child
    private let socket: OwnedDescriptor

    init(_ server: PrivateServer) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw MeasurementError.system("socketpair")
        }
        socket = OwnedDescriptor(ends[0])
        defer { close(ends[1]) }
        process = try Child([try Child.ownProgram(), AnimatedClients.argument, server.socket], descriptors: [ends[1]])
        var ready: UInt8 = 0
        guard unsafe recv(socket.rawValue, &ready, 1, 0) == 1 else {
            throw MeasurementError("the clients could not connect")
        }
    }

    /// Starts the animation of all clients.
    func go() throws { try command(.go) }

    /// Stops the animation of all clients.
    /// - Returns: the number of frame callbacks since `go`.
    func stop() throws -> UInt64 {
        try command(.stop)
        var count: UInt64 = 0
        guard unsafe recv(socket.rawValue, &count, 8, Int32(MSG_WAITALL)) == 8 else {
            throw MeasurementError("the clients have exited")
        }
        return count
    }

    private func command(_ command: AnimatedClients.Command) throws {
        var byte = command.rawValue
        guard unsafe send(socket.rawValue, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else {
            throw MeasurementError.system("send")
        }
    }
}
