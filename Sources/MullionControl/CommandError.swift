// Why a command, or what it does, failed.

/// Why a command failed.
package enum CommandError: Error {
    /// A wrong command line: exit status 2.
    case usage(String?)
    /// The server refused, or cannot be reached: exit status 1.
    case refused(String)
    /// A file has mistakes, each on a line: exit status 3.
    case invalidFile(String)
    /// The time was up: exit status 124.
    case timedOut(String)
    /// Another program's exit status, passed on.
    case status(Int32)

    package var message: String? {
        switch self {
        case .usage(let message): message
        case .refused(let message), .invalidFile(let message), .timedOut(let message): message
        case .status: nil
        }
    }

    package var status: Int32 {
        switch self {
        case .usage: 2
        case .refused: 1
        case .invalidFile: 3
        case .timedOut: 124
        case .status(let status): status
        }
    }
}
