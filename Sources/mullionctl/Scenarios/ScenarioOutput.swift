// Output whose reader may not read.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland

/// Standard output and standard error of a process that waits for signals instead of being ended by them: while it waits for
/// a reader, a signal must still end it.
final class ScenarioOutput {
    /// How long the reader has after a signal.
    private static let patience = Duration.seconds(1)
    /// A pipe that is ready accepts as many bytes without blocking.
    private static let most = 4096

    /// Readable while a signal is pending that ends scenarios.
    private let signals: OwnedDescriptor
    /// Whether a signal arrived during a wait.
    private var isInterrupted = false
    /// Whether nothing more is written, because nobody reads it.
    private var isLost = false

    init() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, BlockedSignals.parentEnded] { unsafe sigaddset(&set, number) }
        signals = unsafe OwnedDescriptor(linux_signal_descriptor(&set))
    }

    /// Prints to standard output, as `Terminal.out` does.
    func out(_ text: String) { out(Array(text.printable(keepsLines: true).utf8)) }

    func out(_ bytes: [UInt8]) { write(bytes, 1) { Terminal.out(Array($0)) } }

    /// Prints a line to standard error, as `Terminal.error` does.
    func error(_ line: String) {
        write(Array("\(line)\n".printable(keepsLines: true).utf8), 2) { try? Terminal.write(2, $0) }
    }

    private func write(_ bytes: [UInt8], _ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty, !isLost {
            guard waitForReader(descriptor) else {
                isLost = true
                return
            }
            body(rest.prefix(Self.most))
            rest = rest.dropFirst(Self.most)
        }
    }

    /// - Returns: false when a signal arrived and the reader still does not read.
    private func waitForReader(_ descriptor: Int32) -> Bool {
        var deadline = isInterrupted ? ContinuousClock.now + Self.patience : nil
        while true {
            var waiting = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
            if deadline == nil { waiting.append(pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0)) }
            let left = deadline.map { max(0, (($0 - .now) / .milliseconds(1)).rounded(.up)) } ?? -1
            _ = retryingWhenInterrupted { unsafe poll(&waiting, nfds_t(waiting.count), Int32(left)) }
            // Errors too: writing reports them.
            if waiting[0].revents != 0 { return true }
            if let deadline {
                guard ContinuousClock.now < deadline else { return false }
            } else if waiting[1].revents & Int16(POLLIN) != 0 {
                isInterrupted = true
                deadline = .now + Self.patience
            }
        }
    }
}
