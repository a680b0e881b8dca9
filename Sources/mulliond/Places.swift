// Where a server's sockets and files are.

import Glibc
import System

/// The folders of the one server, or of one of several that have names.
struct Places {
    /// "mullion", or "mullion@NAME".
    let folder: String
    /// The configuration, unless the command line names one.
    let configuration: String

    init(name: String?) {
        folder = name.map { "mullion@\($0)" } ?? "mullion"
        let common = "/etc/mullion/mullion.json5"
        let own = name.map { "/etc/mullion/\($0).json5" }
        // What is said for all servers, who may connect above all, holds for those that nobody has spoken of.
        configuration = own.flatMap { unsafe access($0, F_OK) == 0 ? $0 : nil } ?? common
    }

    /// Why a text is no name of a server; nil when it is one. It becomes a part of paths and of units' names.
    static func mistake(inName name: String) -> String? {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: "._-:\\".utf8.contains(byte)
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            return "a name has 1 to 64 letters, digits and . _ - : and begins with none of . and -"
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

    /// The folder that the service manager makes for the service while it runs; nil for no service.
    static var service: String? { first(of: "RUNTIME_DIRECTORY") }

    /// Where the sockets and the token of those are who have no service manager to make them.
    var runtime: String { (Self.variable("XDG_RUNTIME_DIR") ?? "/run") + "/" + folder }

    /// The same, once it is there.
    func makeRuntime() throws(Daemon.Failure) -> String {
        guard unsafe mkdir(runtime, 0o700) == 0 || errno == EEXIST else {
            let hint = Self.variable("XDG_RUNTIME_DIR") == nil ? "; XDG_RUNTIME_DIR is not set" : ""
            throw Daemon.Failure(description: "\(runtime): \(SystemError.last)\(hint)")
        }
        return runtime
    }

    /// What clients call a socket in that folder: WAYLAND_DISPLAY.
    func display(_ socket: String) -> String {
        Self.variable("XDG_RUNTIME_DIR") == nil ? "\(runtime)/\(socket)" : "\(folder)/\(socket)"
    }

    /// Where the token of those who come over TCP is written.
    func token() throws(Daemon.Failure) -> String {
        // The service's own folder, which those can enter who are to read the token.
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
