// Why the accessibility bus cannot be used.

import System

/// A failure of a bus or of its connection; that of a single call is a `BusReply`.
package enum BusError: Error, Equatable, CustomStringConvertible {
    /// The environment names no bus.
    case noBus
    /// An address that is not that of a Unix socket.
    case address(String)
    case cannotConnect(path: String, SystemError)
    /// The bus did not accept this user.
    case refused
    case closed
    case malformed
    /// The bus did not answer in time.
    case timeout
    /// The session bus has no accessibility bus; the error of the call.
    case noAccessibility(String)

    package var description: String {
        switch self {
        case .noBus:
            "DBUS_SESSION_BUS_ADDRESS names no session bus; start the programs and mullionctl in one, with "
                + "dbus-run-session"
        case .address(let address): "\"\(address)\" is not the address of a bus; use unix:path=PATH"
        case .cannotConnect(let path, let error): "the bus at \(path) cannot be reached: \(error)"
        case .refused: "the bus refuses this user"
        case .closed: "the bus closed the connection"
        case .malformed: "the bus sent what is not a message of D-Bus"
        case .timeout: "the bus does not answer"
        case .noAccessibility(let error):
            "the session bus has no accessibility bus (\(error)); install at-spi2-core"
        }
    }
}
