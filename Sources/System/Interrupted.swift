// Retries system calls interrupted by signals.

import Glibc

/// Repeats a system call as long as signals interrupt it (EINTR).
/// - Returns: the result of the last call; -1, with another errno, on failure.
@inlinable
package func retryingWhenInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
