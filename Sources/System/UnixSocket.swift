// Unix stream sockets: peers, and messages with descriptors.

import CMullionLinux
import Glibc

/// System calls for Unix stream sockets. Receiving and sending do not block.
package enum UnixSocket {
    /// The most descriptors that one message sent by this library carries (libwayland's limit).
    package static let maximumDescriptors = Int(LINUX_MAX_DESCRIPTORS)
    /// The most descriptors that the kernel allows in one message (SCM_MAX_FD).
    package static let kernelMaximumDescriptors = Int(LINUX_MANY_DESCRIPTORS)

    /// Opens a blocking, close-on-exec connection.
    /// - Parameter seconds: how long the connection, and each write later, may take; 0: any time.
    /// - Throws: the error of socket(2) or connect(2); EAGAIN when nobody accepts in time, ENAMETOOLONG for a path that is
    ///   too long.
    package static func connect(to path: String, seconds: Int32 = 0) throws(SystemError) -> OwnedDescriptor {
        let socket = unsafe linux_connect_unix(path, seconds)
        guard socket >= 0 else { throw .last }
        return OwnedDescriptor(socket)
    }

    /// Opens a blocking, close-on-exec connection to a name in the kernel's abstract namespace.
    /// - Throws: the error of socket(2) or connect(2); ENAMETOOLONG for a name that is too long.
    package static func connect(toAbstract name: String) throws(SystemError) -> OwnedDescriptor {
        let socket = unsafe linux_connect_abstract(name)
        guard socket >= 0 else { throw .last }
        return OwnedDescriptor(socket)
    }

    /// Accepts a connection, non-blocking and close-on-exec.
    /// - Throws: the error of accept4(2).
    package static func accept(from listener: Int32) throws(SystemError) -> OwnedDescriptor {
        let socket = linux_accept4(listener)
        guard socket >= 0 else { throw .last }
        return OwnedDescriptor(socket)
    }

    /// Makes a listening Unix stream socket non-blocking; another process that has it can change that.
    /// - Returns: false when the descriptor is something else.
    package static func adoptListener(_ descriptor: OwnedDescriptor) -> Bool {
        linux_adopt_listener(descriptor.rawValue) == 1
    }

    /// Makes a connected Unix stream socket non-blocking; another process that has it can change that.
    /// - Returns: false when the descriptor is something else.
    package static func adoptConnection(_ descriptor: OwnedDescriptor) -> Bool {
        linux_adopt_connection(descriptor.rawValue) == 1
    }

    /// Whether connecting to a listening socket is no longer possible.
    package static func isShutDown(_ listener: OwnedDescriptor) -> Bool { linux_is_shut_down(listener.rawValue) == 1 }

    /// The process at the other end when it connected.
    package struct Peer: Equatable {
        package var pid: Int32
        package var uid: UInt32
        package var gid: UInt32
        package var supplementaryGroups: Set<UInt32>
    }

    /// The peer's credentials; nil when the kernel has none (SO_PEERCRED, SO_PEERGROUPS).
    package static func peer(of socket: Int32) -> Peer? {
        var peer = linux_peer()
        guard unsafe linux_peer_credentials(socket, &peer) == 0 else { return nil }
        return Peer(pid: peer.pid, uid: peer.uid, gid: peer.gid, supplementaryGroups: supplementaryGroups(socket))
    }

    /// A descriptor of the process at the other end; nil when the kernel has none (SO_PEERPIDFD).
    package static func peerProcess(of socket: Int32) -> OwnedDescriptor? {
        let process = OwnedDescriptor(linux_peer_process(socket))
        return process.rawValue >= 0 ? process : nil
    }

    /// How such a process has ended, as in waitpid(2); nil while that is not known.
    /// - Throws: when the kernel cannot tell, then or later.
    package static func exitCode(of process: OwnedDescriptor) throws(SystemError) -> Int32? {
        var code: Int32 = 0
        switch unsafe linux_process_exit(process.rawValue, &code) {
        case 1: return code
        case 0: return nil
        default: throw .last
        }
    }

    private static func supplementaryGroups(_ socket: Int32) -> Set<UInt32> {
        var groups = [UInt32](repeating: 0, count: 32)
        var count = unsafe linux_peer_groups(socket, &groups, Int32(groups.count))
        if count > groups.count {
            groups = [UInt32](repeating: 0, count: Int(count))
            count = unsafe linux_peer_groups(socket, &groups, count)
        }
        return Set(groups.prefix(max(0, Int(count))))
    }

    /// The number of bytes waiting to be received (SIOCINQ); nil when the kernel does not report it.
    package static func unreceivedBytes(_ socket: Int32) -> Int? {
        let count = linux_unreceived(socket)
        return count < 0 ? nil : Int(count)
    }

    /// How much was sent that the peer has not read (SIOCOUTQ), including the kernel's overhead; nil when the kernel
    /// does not report it.
    package static func unreadBytes(_ socket: Int32) -> Int? {
        let count = linux_unread(socket)
        return count < 0 ? nil : Int(count)
    }

    /// The result of one call.
    package struct Received {
        /// The result of recvmsg(2): 0 when the peer has closed the connection, -1 with errno.
        package var bytes: Int
        package var descriptors: Int
        /// Whether descriptors were lost.
        package var isTruncated: Bool
    }

    /// Receives up to `buffer.count` bytes, and all their descriptors, close-on-exec.
    /// - Parameter descriptors: room for `kernelMaximumDescriptors`.
    package static func receive(
        from socket: Int32, into buffer: UnsafeMutableRawBufferPointer, descriptors: UnsafeMutablePointer<Int32>
    ) -> Received {
        var (count, truncated): (Int32, Int32) = (0, 0)
        let bytes = unsafe linux_receive(
            socket, buffer.baseAddress, buffer.count, descriptors, Int32(LINUX_MANY_DESCRIPTORS), &count, &truncated)
        return Received(bytes: bytes, descriptors: Int(count), isTruncated: truncated != 0)
    }

    /// Sends bytes with up to `maximumDescriptors` descriptors.
    /// - Returns: the number of bytes that the socket accepted; -1 with errno.
    package static func send(
        _ bytes: UnsafeRawBufferPointer, with descriptors: UnsafeBufferPointer<Int32>, to socket: Int32
    ) -> Int {
        unsafe linux_send(socket, bytes.baseAddress, bytes.count, descriptors.baseAddress, Int32(descriptors.count))
    }
}
