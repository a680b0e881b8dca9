// Why the accessibility bus cannot be used.

import Glibc
import MullionSystem
import Requirements

/// A failure of a bus or its connection. A failed call is a `BusReply`.
package enum BusError: Error, Equatable, CustomStringConvertible {
    /// The environment names no bus.
    case noBus
    /// An address of another kind than a Unix socket.
    case address(String)
    case cannotConnect(address: String, SystemError)
    /// libsystemd is not installed.
    case noLibrary
    /// The bus did not accept this user.
    case refused
    case closed
    case malformed
    /// The bus did not answer in time.
    case timeout
    /// The session bus has no accessibility bus; the error of the call.
    case noAccessibility(String)

    /// What an error of an established connection means.
    /// - Parameter result: a negative value of errno, from sd-bus.
    init(_ result: Int32) {
        self =
            switch -result {
            case EPERM, EACCES: .refused
            case EBADMSG, EINVAL, EPROTO, EIO: .malformed
            case ETIMEDOUT: .timeout
            default: .closed
            }
    }

    /// Whether there is no bus on purpose, or no accessibility bus.
    package var isAbsence: Bool {
        switch self {
        case .noAccessibility, .address("disabled:"): true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .noBus:
            "DBUS_SESSION_BUS_ADDRESS names no session bus; start the programs and mullionctl in one, with "
                + "dbus-run-session"
        case .address(let address): "\"\(address)\" is not the address of a bus; use unix:path=PATH"
        case .cannotConnect(let address, let error): "the bus at \(address) cannot be reached: \(error)"
        case .noLibrary: "libsystemd.so.0, which speaks D-Bus, is not installed; \(Requirement.libsystemd.remedy)"
        case .refused: "the bus refuses this user"
        case .closed: "the bus closed the connection"
        case .malformed: "the bus sent an invalid D-Bus message"
        case .timeout: "the bus does not answer"
        case .noAccessibility(let error):
            "the session bus has no accessibility bus (\(error)); \(Requirement.accessibilityBus.remedy)"
        }
    }
}
