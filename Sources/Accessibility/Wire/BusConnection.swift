// A connection to a bus: many calls at once, each with its answer.

import Glibc
import System

/// A client of a D-Bus server. A program that does not answer costs its patience once; afterwards its calls fail at once,
/// until it answers again.
package final class BusConnection {
    /// How long a program may leave all its calls unanswered, in seconds.
    package static let patience = 2.0
    /// How many calls may wait for their answer: a bus limits them.
    private static let window = 512

    private let socket: OwnedDescriptor
    private var output: [UInt8] = []
    private var input: [UInt8] = []
    private var serial: UInt32 = 0
    /// The destinations that do not answer.
    package private(set) var silent: Set<String> = []

    /// Connects and says hello. The user is authenticated by the socket.
    package init(_ address: BusAddress) throws(BusError) {
        socket = try address.connect()
        socket.makeNonBlocking()
        let deadline = MonotonicClock.seconds + 10
        let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
        output = [0] + Array("AUTH EXTERNAL \(user)\r\n".utf8)
        guard try line(until: deadline).hasPrefix("OK ") else { throw .refused }
        output += Array("BEGIN\r\n".utf8)
        let hello = try call(Self.bus("Hello"), until: deadline)
        guard hello.values("s") != nil else { throw .refused }
    }

    /// A method of the bus itself.
    package static func bus(_ member: String, _ arguments: [BusCall.Argument] = []) -> BusCall {
        BusCall(
            member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", destination: "org.freedesktop.DBus",
            arguments)
    }

    /// Makes one call.
    package func call(_ call: BusCall, until deadline: Double) throws(BusError) -> BusReply {
        try calls([call], until: deadline).first ?? .silence
    }

    /// Makes one call to a program that may have to start first.
    func call(_ call: BusCall, patience: Double) throws(BusError) -> BusReply {
        try calls([call], patience: patience, until: MonotonicClock.seconds + patience).first ?? .silence
    }

    /// Makes calls, many at once, and waits for their answers.
    /// - Parameter deadline: a time of `MonotonicClock.seconds`.
    /// - Returns: a reply for each call.
    package func calls(
        _ calls: [BusCall], patience: Double = patience, until deadline: Double
    ) throws(BusError) -> [BusReply] {
        var replies = [BusReply](repeating: .silence, count: calls.count)
        var waiting: [UInt32: Int] = [:]
        /// When each program answered last, or was first called.
        var heard: [String: Double] = [:]
        var counts: [String: Int] = [:]
        var next = 0
        func finish(_ index: Int, _ reply: BusReply) {
            replies[index] = reply
            counts[calls[index].destination, default: 1] -= 1
            heard[calls[index].destination] = MonotonicClock.seconds
        }
        while next < calls.count || !waiting.isEmpty {
            while next < calls.count, waiting.count < Self.window {
                let call = calls[next]
                if !silent.contains(call.destination) {
                    serial = serial == .max ? 1 : serial + 1
                    output += call.message(serial: serial)
                    waiting[serial] = next
                    if counts[call.destination, default: 0] == 0 { heard[call.destination] = MonotonicClock.seconds }
                    counts[call.destination, default: 0] += 1
                }
                next += 1
            }
            guard !waiting.isEmpty else { break }
            let now = MonotonicClock.seconds
            let open = counts.filter { $0.value > 0 }.keys
            let limits = open.map { min(deadline, (heard[$0] ?? now) + patience) }
            guard try transfer(until: limits.min() ?? deadline) else {
                // Those that have used up their patience.
                let late = MonotonicClock.seconds
                guard late < deadline else { return replies }
                let lost = Set(open.filter { late >= (heard[$0] ?? late) + patience })
                silent.formUnion(lost)
                for (serial, index) in waiting where lost.contains(calls[index].destination) { waiting[serial] = nil }
                for name in lost { counts[name] = 0 }
                continue
            }
            for message in try messages() {
                silent.remove(message.sender)
                guard let serial = message.replySerial, let index = waiting.removeValue(forKey: serial) else {
                    continue
                }
                switch message.kind {
                case .answer: finish(index, .answer(message))
                case .error: finish(index, .error(message.errorName))
                case .call, .signal, nil: waiting[serial] = index
                }
            }
        }
        return replies
    }

    // MARK: Bytes

    /// A line of the authentication.
    private func line(until deadline: Double) throws(BusError) -> String {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeFirst(end + 1) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            guard input.count < 1 << 16 else { throw .malformed }
            guard try transfer(until: deadline) else { throw .timeout }
        }
    }

    /// The complete messages that have arrived.
    private func messages() throws(BusError) -> [BusMessage] {
        var messages: [BusMessage] = []
        var rest = input[...]
        while let length = try BusMessage.length(rest), length <= rest.count {
            messages.append(try BusMessage(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        if !messages.isEmpty { input = Array(rest) }
        return messages
    }

    /// Waits until something could be sent or has arrived.
    /// - Returns: false when the time is over.
    private func transfer(until deadline: Double) throws(BusError) -> Bool {
        let left = max(0, min(deadline - MonotonicClock.seconds, 3600))
        let events = POLLIN | (output.isEmpty ? 0 : POLLOUT)
        guard
            DescriptorIO.wait(for: events, on: socket.rawValue, milliseconds: Int32((left * 1000).rounded(.up)))
        else { return false }
        try send()
        try receive()
        return true
    }

    private func send() throws(BusError) {
        while !output.isEmpty {
            let sent = unsafe output.withUnsafeBytes { bytes in
                unsafe UnixSocket.send(bytes, with: UnsafeBufferPointer(start: nil, count: 0), to: socket.rawValue)
            }
            if sent > 0 {
                output.removeFirst(sent)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw .closed
            }
        }
    }

    private func receive() throws(BusError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // Not until nothing is left: a program that never stops sending must not delay the others' deadlines.
        for _ in 0..<16 {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe read(socket.rawValue, chunk.baseAddress, chunk.count) }
            }
            guard count > 0 else {
                if count < 0, errno == EAGAIN { return }
                throw .closed
            }
            input += chunk[..<count]
        }
    }
}
