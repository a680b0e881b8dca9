// The locations of a server's sockets and files.

import Glibc
import MullionSystem

/// The folders of the default server, or of a named one.
struct Places {
    /// "mullion", or "mullion@NAME".
    let folder: String
    /// The default configuration file.
    let configuration: String

    init(name: String?) {
        folder = name.map { "mullion@\($0)" } ?? "mullion"
        let common = "/etc/mullion/mullion.json5"
        let own = name.map { "/etc/mullion/\($0).json5" }
        // Without its own file, a named server uses the common one, above all for the rules on who may connect.
        // A link to a file that does not exist is an error, not a missing file.
        var status = stat()
        configuration = own.flatMap { unsafe lstat($0, &status) == 0 ? $0 : nil } ?? common
    }

    /// Why a text is not a valid server name; nil when it is. Names become parts of paths and of unit names.
    static func mistake(inName name: String) -> String? {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: "._-:\\".utf8.contains(byte)
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            return "this is not a server name; use 1 to 64 letters, digits and . _ - : without . or - at the start"
        }
        return nil
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The service manager separates several folders by colons.
    private static func first(of name: String) -> String? {
        variable(name)?.split(separator: ":").first.map(String.init)
    }

    /// The folder that the service manager creates for the running service; nil outside of a service.
    static var service: String? { first(of: "RUNTIME_DIRECTORY") }

    /// The folder for sockets and token when no service manager creates one.
    var runtime: String { (Self.variable("XDG_RUNTIME_DIR") ?? "/run") + "/" + folder }

    /// The same folder, created if necessary.
    func makeRuntime() throws(DaemonError) -> String {
        guard unsafe mkdir(runtime, 0o700) == 0 || errno == EEXIST else {
            let hint = Self.variable("XDG_RUNTIME_DIR") == nil ? "; XDG_RUNTIME_DIR is not set" : ""
            throw DaemonError(description: "\(runtime): \(SystemError.last)\(hint)")
        }
        return runtime
    }

    /// The WAYLAND_DISPLAY value for a socket in that folder.
    func display(_ socket: String) -> String {
        Self.variable("XDG_RUNTIME_DIR") == nil ? "\(runtime)/\(socket)" : "\(folder)/\(socket)"
    }

    /// The path of the token file for TCP clients.
    func token() throws(DaemonError) -> String {
        // The service's own folder can be entered by those who may read the token.
        if let folder = Self.service { return folder + "/token" }
        return try makeRuntime() + "/token"
    }

    /// S10: the service's own folder, or the user's.
    var state: String? {
        if let folder = Self.first(of: "STATE_DIRECTORY") { return folder }
        if let home = Self.variable("XDG_STATE_HOME") { return "\(home)/\(folder)" }
        return Self.variable("HOME").map { "\($0)/.local/state/\(folder)" }
    }
}
