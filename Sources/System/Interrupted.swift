// Signals that interrupt system calls.

import Glibc

/// Repeats a system call for as long as a signal interrupts it (EINTR).
/// - Returns: what the call returned in the end; -1 with another errno when it failed.
@inlinable
package func retryingWhenInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
