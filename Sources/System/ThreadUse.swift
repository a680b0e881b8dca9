// The resource use of a thread.

import CMullionLinux

/// A thread of this process, observed from another one.
package struct ThreadUse: Sendable {
    private let thread: Int32

    /// The calling thread.
    package static var current: ThreadUse { ThreadUse(thread: linux_thread()) }

    private init(thread: Int32) { self.thread = thread }

    /// Processor time in microseconds; 0 when the thread has ended.
    package var processorTime: UInt64 { linux_thread_time(thread) }

    /// Whether it sleeps or waits for a device; false when it is running or could run.
    package var isWaiting: Bool { linux_thread_waits(thread) == 1 }
}
