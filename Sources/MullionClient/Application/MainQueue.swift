// The main dispatch queue, which also runs the main actor.

import CMullionMainQueue
import Dispatch

/// Serves the main queue from a loop that has the main thread.
@MainActor enum MainQueue {
    /// Readable while the queue has work.
    static let descriptor = _dispatch_get_main_queue_handle_4CF()

    /// Runs what the queue has.
    static func drain() { _dispatch_main_queue_callback_4CF(nil) }
}
