// Selects one of several servers.

import Glibc
import MullionControl

/// The sockets of the default server, or of one started with `mulliond --name`.
struct ServerName {
    /// Nil for the default server.
    let name: String?

    /// - Throws: for an invalid name.
    init(_ name: String?) throws(CommandError) {
        self.name = name
        guard let name else { return }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: "._-:\\".utf8.contains(byte)
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            throw .usage(
                "\(name) is not a server name; use 1 to 64 letters, digits and . _ - : without . or - at the start")
        }
    }

    var control: String { path("control.sock") }

    /// Nil for the server named by WAYLAND_DISPLAY.
    var display: String? { name == nil ? nil : path("wayland-0") }

    /// The path where a server of this user listens, otherwise the system's.
    private func path(_ socket: String) -> String {
        let place = "/mullion" + (name.map { "@\($0)" } ?? "") + "/" + socket
        if let directory = Terminal.variable("XDG_RUNTIME_DIR") {
            let own = directory + place
            if unsafe access(own, F_OK) == 0 || access("/run" + place, F_OK) != 0 { return own }
        }
        return "/run" + place
    }
}
