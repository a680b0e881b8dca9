// sd-bus's connection.

import CSystemd
import Glibc

/// An sd_bus: a client of a D-Bus server, which never blocks except in `wait`.
@safe struct SystemdBus: ~Copyable {
    /// The result of one step.
    enum Step {
        case nothing
        /// Something else than a reply: there may be more.
        case done
        case reply(BusReply, to: UInt64, sender: String)
        /// A reply that is not awaited.
        case stray(sender: String)
    }

    private let pointer: OpaquePointer

    /// Connects. The user is authenticated by the socket, in the steps that follow.
    init(_ address: BusAddress) throws(BusError) {
        var bus: OpaquePointer?
        let result = unsafe systemd_bus_open(address.text, &bus)
        guard result >= 0, let bus = unsafe bus else {
            switch -result {
            case ELIBACC: throw .noLibrary
            case EINVAL: throw .address(address.text)
            default: throw .cannotConnect(address: address.text, .init(-result))
            }
        }
        unsafe pointer = bus
    }

    deinit { unsafe systemd_bus_close(pointer) }

    /// Whether the bus has said hello.
    func isReady() throws(BusError) -> Bool { try Self.check(unsafe systemd_bus_is_ready(pointer)) > 0 }

    /// Sends and receives one message at most, without blocking.
    /// - Parameter extract: the part of a reply that is kept, by its serial number and sender; nil: it is not awaited.
    func step(_ extract: (UInt64, _ sender: String) -> BusCall.Extract?) throws(BusError) -> Step {
        var message: OpaquePointer?
        guard try Self.check(unsafe systemd_bus_process(pointer, &message)) > 0 else { return .nothing }
        guard let message = unsafe message.map({ unsafe SystemdMessage(owning: $0) }), let serial = message.replySerial
        else { return .done }
        let sender = message.sender
        guard let extract = extract(serial, sender) else { return .stray(sender: sender) }
        let reply = message.errorName.map { .error($0) } ?? BusReply.answer(message.value(extract))
        return .reply(reply, to: serial, sender: sender)
    }

    /// Waits until there is something to do.
    func wait(seconds: Double) throws(BusError) {
        let microseconds = UInt64((max(0, min(seconds, 3600)) * 1_000_000).rounded(.up))
        let result = unsafe systemd_bus_wait(pointer, microseconds)
        if result != -EINTR { try Self.check(result) }
    }

    /// Sends a call.
    /// - Returns: the serial number that the reply will refer to; nil for a name or path that D-Bus does not allow, which
    ///   may come from another program.
    func send(_ call: BusCall) throws(BusError) -> UInt64? {
        guard let message = unsafe SystemdMessage.call(call, on: pointer) else { return nil }
        return try unsafe message.send(to: pointer)
    }

    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        guard result >= 0 else { throw BusError(result) }
        return result
    }
}
