// Another program's pipe, read and written where waiting harms nothing.

import CMullionLinux
import Glibc
import Synchronization

/// Moves bytes between this process and a pipe or socket that another program holds, in a process of its own.
///
/// No call that reads, writes or closes such a descriptor is certain to return. O_NONBLOCK belongs to the open file, which
/// the other program shares and can change. Without it, too, the kernel holds the lock of a pipe while it copies: a program
/// that writes to it from memory on FUSE stops every other call for this pipe, close(2) and the end of a process included,
/// for as long as it likes. The process of a relay can wait for ever, and may then outlive this one.
package final class Relay {
    /// How many relays there may be at the same time, including those that cannot end.
    package final class Room: Sendable {
        private let most: Int
        private let reserve: Int
        private let running = Atomic(0)

        /// - Parameter reserve: those of `most` that only close.
        package init(_ most: Int, reserve: Int) { (self.most, self.reserve) = (most, reserve) }

        fileprivate func take(toClose: Bool) -> Bool {
            guard running.add(1, ordering: .relaxed).newValue > (toClose ? most : most - reserve) else { return true }
            give()
            return false
        }

        fileprivate func give() { running.subtract(1, ordering: .relaxed) }
    }

    /// That of this process. Other programs can use up what reads and writes; then their descriptors are still closed.
    package static let room = Room(128, reserve: 32)

    /// This process's end, which never blocks. What is written to it goes to the other program, until it is closed;
    /// or it gives what the other program writes.
    package let socket: OwnedDescriptor
    package let process: Process

    private init(_ socket: OwnedDescriptor, _ process: Process) {
        (self.socket, self.process) = (socket, process)
    }

    /// Starts a relay to a pipe or socket, which it then owns.
    /// - Parameter patience: how many seconds the reader may take nothing, even after `socket` was closed.
    /// - Returns: nil for any other kind, or when no relay can be started; the caller remains the owner.
    package static func writing(to stranger: OwnedDescriptor, patience: UInt32, in room: Room = room) -> Relay? {
        guard linux_is_pipe_or_socket(stranger.rawValue) != 0 else { return nil }
        return start(stranger, reads: false, patience, in: room)
    }

    /// Starts a relay from a new pipe.
    /// - Returns: the relay, and the end of the pipe for the other program; nil when there is no room.
    package static func reading(in room: Room = room) -> (relay: Relay, end: OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { return nil }
        let (readEnd, writeEnd) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        return start(readEnd, reads: true, 0, in: room).map { ($0, writeEnd) }
    }

    /// Closes a descriptor in another process.
    /// - Returns: false when that is impossible; the caller remains the owner.
    package static func discard(_ descriptor: Int32, in room: Room = room) -> Bool {
        let stranger = OwnedDescriptor(descriptor)
        guard start(stranger, reads: false, 0, toClose: true, in: room) != nil else {
            _ = stranger.release()
            return false
        }
        return true
    }

    private static func start(
        _ stranger: OwnedDescriptor, reads: Bool, _ patience: UInt32, toClose: Bool = false, in room: Room
    ) -> Relay? {
        guard room.take(toClose: toClose) else { return nil }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            room.give()
            return nil
        }
        let (own, its) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        own.makeNonBlocking()
        // The optimiser would otherwise close it after its last mention.
        let id = withExtendedLifetime(its) {
            linux_start_relay(its.rawValue, stranger.rawValue, reads ? 1 : 0, patience)
        }
        let process = id > 0 ? Process(id) { room.give() } : nil
        guard let process else {
            room.give()
            return nil
        }
        // The other process still holds it, so that this is not the last reference and returns.
        stranger.closer = nil
        stranger.close()
        if !toClose { _ = unsafe send(own.rawValue, [1] as [UInt8], 1, Int32(MSG_NOSIGNAL)) }
        return Relay(own, process)
    }

    /// The process of a relay.
    package final class Process: Sendable {
        /// Nil once it has ended.
        private let id: Mutex<Int32?>

        /// Nil when no thread is left to wait for it; it has ended then.
        fileprivate init?(_ id: Int32, onEnd: @escaping @Sendable () -> Void) {
            self.id = Mutex(id)
            let waits = DetachedThread.start { [self] in
                _ = linux_wait_for_relay(id, 0)
                // Its number can belong to another process from here on.
                self.id.withLock { id in
                    if let id { _ = linux_wait_for_relay(id, 1) }
                    id = nil
                }
                onEnd()
            }
            guard !waits else { return }
            Glibc.kill(id, SIGKILL)
            _ = linux_wait_for_relay(id, 1)
            return nil
        }

        /// Ends it, whatever was not moved yet; one that waits for a stopped pipe ends when that goes on.
        package func end() {
            id.withLock { id in
                if let id { _ = kill(id, SIGKILL) }
            }
        }
    }
}
