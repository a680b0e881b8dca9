// Checks whether the control API can be served on an address.

import ControlAPI
import DisplayServer
import EventLoop
import Glibc
import MullionSystem

/// Finds what would keep clients from reaching an address. Usually that is a service's sandbox, which is visible
/// only from inside.
enum WebAddress {
    /// - Throws: the obstacle and, for a sandbox, the unit's setting responsible for it.
    static func check(_ address: LoopbackAddress) throws(DaemonError) {
        do throws(EventLoopError) {
            _ = try ListeningSocket.tcp(address.description)
        } catch {
            // In use, possibly by this very server.
            guard error.code != EADDRINUSE else { return try checkSandbox(address) }
            throw failure(error)
        }
        try checkSandbox(address)
    }

    /// The error in terms of the configuration.
    static func failure(_ error: EventLoopError) -> DaemonError {
        let cause =
            error.code == EAFNOSUPPORT ? "; the unit's RestrictAddressFamilies= must list AF_INET and AF_INET6" : ""
        return DaemonError(description: "http: \(error)\(cause)")
    }

    /// Binding succeeds behind a unit's packet filter and in a private network, but clients cannot connect then.
    private static func checkSandbox(_ address: LoopbackAddress) throws(DaemonError) {
        let isSixth = address.host.hasPrefix("[")
        if let reason = isSixth ? filterOfSixth() : filterOfFourth() {
            throw DaemonError(
                description: "http: cannot send to \(address.host): \(reason); "
                    + "a unit with IPAddressDeny= needs IPAddressAllow=localhost")
        }
        if isNetworkPrivate {
            throw DaemonError(
                description: "http: \(address) is unreachable in the service's private network; "
                    + "the unit needs PrivateNetwork=no")
        }
    }

    private static func filterOfFourth() -> String? {
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return unsafe withUnsafeMutableBytes(of: &own) { unsafe filter(AF_INET, $0) }
    }

    private static func filterOfSixth() -> String? {
        var own = sockaddr_in6()
        own.sin6_family = sa_family_t(AF_INET6)
        own.sin6_addr = in6addr_loopback
        return unsafe withUnsafeMutableBytes(of: &own) { unsafe filter(AF_INET6, $0) }
    }

    /// Sends a datagram to itself: a filter rejects it immediately, whereas a connection would time out.
    /// - Returns: the reason when nothing can be sent.
    private static func filter(_ family: Int32, _ own: UnsafeMutableRawBufferPointer) -> String? {
        guard let address = unsafe own.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return nil }
        var size = socklen_t(own.count)
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return SystemError.last.description }
        defer { close(descriptor) }
        guard unsafe bind(descriptor, address, size) == 0, unsafe getsockname(descriptor, address, &size) == 0,
            unsafe sendto(descriptor, [0], 1, 0, address, size) == 1
        else { return SystemError.last.description }
        return nil
    }

    /// Whether this process has another network namespace than the service manager, which made the journal's socket.
    private static var isNetworkPrivate: Bool {
        let own = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard Log.isForJournal, own >= 0 else { return false }
        defer { close(own) }
        guard let network = network(of: own), let managers = self.network(of: 2) else { return false }
        return network != managers
    }

    /// The network namespace of a socket (SO_NETNS_COOKIE); nil when the kernel is too old, or it is not a socket.
    private static func network(of socket: Int32) -> UInt64? {
        let cookie: Int32 = 71
        var number: UInt64 = 0
        var size = socklen_t(MemoryLayout<UInt64>.size)
        return unsafe getsockopt(socket, SOL_SOCKET, cookie, &number, &size) == 0 ? number : nil
    }
}
