// Unix stream sockets: who is at the other end, and messages with descriptors.

import CLinux
import Glibc

/// Calls on Unix stream sockets. Those that receive and send do not wait.
package enum UnixSocket {
    /// As many descriptors as one message of ours carries (libwayland's limit).
    package static let maximumDescriptors = Int(LINUX_MAX_DESCRIPTORS)
    /// As many descriptors as the kernel lets travel in one message (SCM_MAX_FD).
    package static let kernelMaximumDescriptors = Int(LINUX_MANY_DESCRIPTORS)

    /// A blocking, close-on-exec connection.
    /// - Throws: what socket(2) or connect(2) failed with; ENAMETOOLONG for a path that does not fit.
    package static func connect(to path: String) throws(SystemError) -> OwnedDescriptor {
        let socket = unsafe linux_connect_unix(path)
        guard socket >= 0 else { throw .last }
        return OwnedDescriptor(socket)
    }

    /// A non-blocking, close-on-exec connection of a listening socket.
    /// - Throws: what accept4(2) failed with.
    package static func accept(from listener: Int32) throws(SystemError) -> OwnedDescriptor {
        let socket = linux_accept4(listener)
        guard socket >= 0 else { throw .last }
        return OwnedDescriptor(socket)
    }

    /// Makes a listening Unix stream socket non-blocking, until another process that has it changes that.
    /// - Returns: false when the descriptor is something else.
    package static func adoptListener(_ descriptor: OwnedDescriptor) -> Bool {
        linux_adopt_listener(descriptor.rawValue) == 1
    }

    /// Whether nobody can connect to a listening socket any more.
    package static func isShutDown(_ listener: OwnedDescriptor) -> Bool { linux_is_shut_down(listener.rawValue) == 1 }

    /// Who was at the other end when it connected.
    package struct Peer: Equatable {
        package var pid: Int32
        package var uid: UInt32
        package var gid: UInt32
        package var supplementaryGroups: Set<UInt32>
    }

    /// The peer's credentials, nil where the kernel has none (SO_PEERCRED, SO_PEERGROUPS).
    package static func peer(of socket: Int32) -> Peer? {
        var peer = linux_peer()
        guard unsafe linux_peer_credentials(socket, &peer) == 0 else { return nil }
        return Peer(pid: peer.pid, uid: peer.uid, gid: peer.gid, supplementaryGroups: supplementaryGroups(socket))
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

    /// Bytes that wait to be received (SIOCINQ); nil when the kernel does not say.
    package static func unreceivedBytes(_ socket: Int32) -> Int? {
        let count = linux_unreceived(socket)
        return count < 0 ? nil : Int(count)
    }

    /// A measure of what was sent and the peer has not read (SIOCOUTQ), the kernel's overhead included; nil when the kernel does
    /// not say.
    package static func unreadBytes(_ socket: Int32) -> Int? {
        let count = linux_unread(socket)
        return count < 0 ? nil : Int(count)
    }

    /// What one call received.
    package struct Received {
        /// As recvmsg(2) returns it: 0 when the peer has closed, -1 with errno.
        package var bytes: Int
        package var descriptors: Int
        /// Whether descriptors were lost.
        package var isTruncated: Bool
    }

    /// Receives up to `buffer.count` bytes, and all descriptors that come with them, close-on-exec.
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
    /// - Returns: how many bytes the socket took, -1 with errno.
    package static func send(
        _ bytes: UnsafeRawBufferPointer, with descriptors: UnsafeBufferPointer<Int32>, to socket: Int32
    ) -> Int {
        unsafe linux_send(socket, bytes.baseAddress, bytes.count, descriptors.baseAddress, Int32(descriptors.count))
    }
}
