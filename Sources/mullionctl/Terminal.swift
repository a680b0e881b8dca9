// Standard input, standard output and standard error, unbuffered.

import Glibc
import MullionControl
import MullionSystem
import MullionWayland

/// Output for people.
enum Terminal {
    /// The signals that a write can cause. Programs are started with their usual effect.
    static let signals = [SIGPIPE, SIGXFSZ]

    /// Makes failures to write errors, instead of a signal or the loss of a file. Call it first.
    static func prepare() {
        for number in Self.signals { signal(number, SIG_IGN) }
        // A socket or a file must not take the place of a closed descriptor, which is then written to. Neither of these
        // can be used: reading from the one and writing to the others is still an error.
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", (descriptor == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        }
    }

    /// Prints to standard output. If that fails, ends the program: a command whose output is lost has failed.
    // Titles and names may contain anything, in tables, errors and JSON alike.
    static func out(_ text: String) { out(Array(text.printable(keepsLines: true).utf8)) }

    static func out(_ bytes: [UInt8]) {
        do throws(SystemError) { try write(1, bytes[...]) } catch { fail(error) }
    }

    static func error(_ line: String) {
        // There is no one left to report a failure to.
        try? write(2, Array((line.hasSuffix("\n") ? line : line + "\n").printable(keepsLines: true).utf8)[...])
    }

    /// Ends the program if nobody reads standard output any more. For streams, which would wait for their next line.
    static func checkReader() {
        var request = pollfd(fd: 1, events: 0, revents: 0)
        guard retryingWhenInterrupted({ unsafe poll(&request, 1, 0) }) > 0 else { return }
        fail(SystemError(EPIPE))
    }

    /// Ends a stream, and the program, if nobody reads standard output any more.
    final class Reader: StreamCompanion {
        /// It may be long until the next line would show that.
        static let waits = [pollfd(fd: 1, events: 0, revents: 0)]

        var waits: [pollfd] { Self.waits }

        func turn() -> Bool {
            Terminal.checkReader()
            return true
        }
    }

    private static func fail(_ failure: SystemError) -> Never {
        error("mullionctl: \(loss("output", failure))")
        exit(1)
    }

    /// A sentence without a full stop.
    /// - Parameter stream: "output" or "error".
    static func loss(_ stream: String, _ failure: SystemError) -> String {
        let reason = failure.code == EPIPE ? "its reader has closed it" : failure.description
        return "cannot write to standard \(stream): \(reason)"
    }

    /// Writes all bytes, even to a descriptor that another program has made non-blocking.
    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                retryingWhenInterrupted { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) }
            }
            if count < 0, errno == EAGAIN {
                _ = DescriptorIO.wait(for: POLLOUT, on: descriptor, milliseconds: -1)
            } else {
                guard count > 0 else { throw count < 0 ? .last : SystemError(EIO) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The width of the terminal on standard output, otherwise COLUMNS, otherwise 80; at least 20.
    static var width: Int {
        var size = winsize()
        if unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return max(20, Int(size.ws_col)) }
        return max(20, variable("COLUMNS").flatMap { DecimalText.whole($0) } ?? 80)
    }

    static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

    /// The text of errno.
    static var reason: String { SystemError.last.description }

    /// An environment variable; nil when it is unset or empty.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
