// Addresses that are reachable only from this machine.

import DisplayServer
import MullionSystem

/// A loopback address with its port: 127.0.0.1:8080 or [::1]:8080.
public struct LoopbackAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address, in brackets for IP version 6.
    public let host: String
    /// 0 for any free port.
    public let port: UInt16

    init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// - Throws: for names, for addresses other than 127.0.0.0/8 or [::1], and for an invalid port.
    public init(parsing text: String) throws(LoopbackAddressError) {
        let allowed = "use 127.0.0.1:PORT or [::1]:PORT; other machines are not served"
        guard let colon = text.lastIndex(of: ":"),
            let port = DecimalText.whole(text[text.index(after: colon)...], as: UInt16.self)
        else {
            throw LoopbackAddressError(description: "\"\(text)\" is not an address with a port; \(allowed)")
        }
        let host = String(text[..<colon])
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map {
            DecimalText.whole($0, as: UInt8.self)
        }
        guard host == "[::1]" || (parts.count == 4 && parts[0] == 127 && !parts.contains(nil)) else {
            throw LoopbackAddressError(description: "\"\(host)\" is not a loopback address; \(allowed)")
        }
        self.init(host: host, port: port)
    }

    public var description: String { "\(host):\(port)" }

    /// The valid values of the Host field.
    var authorities: [String] {
        [description, "localhost:\(port)"] + (port == 80 ? [host, "localhost"] : [])
    }
}

/// The reason a text is not a loopback address, with the allowed forms.
public struct LoopbackAddressError: Error, CustomStringConvertible { public let description: String }
