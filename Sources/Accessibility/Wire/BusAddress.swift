// Addresses of D-Bus servers.

import Glibc
import System

/// The address of a bus: a Unix socket. Others, such as TCP, are not supported.
package struct BusAddress {
    private enum Place {
        case path(String)
        case abstract(String)
    }

    private let place: Place

    /// Takes the first usable one of a list such as "unix:path=/run/bus,guid=…;unix:abstract=…".
    package init(_ list: String) throws(BusError) {
        for address in list.split(separator: ";") where address.hasPrefix("unix:") {
            for pair in address.dropFirst(5).split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let value = Self.unescape(parts[1]) else { continue }
                switch parts[0] {
                case "path":
                    place = .path(value)
                    return
                case "abstract":
                    place = .abstract(value)
                    return
                default: break
                }
            }
        }
        throw .address(list)
    }

    func connect() throws(BusError) -> OwnedDescriptor {
        switch place {
        case .path(let path):
            do throws(SystemError) {
                return try UnixSocket.connect(to: path)
            } catch {
                throw .cannotConnect(path: path, error)
            }
        case .abstract(let name):
            do throws(SystemError) {
                return try UnixSocket.connect(toAbstract: name)
            } catch {
                throw .cannotConnect(path: "@\(name)", error)
            }
        }
    }

    /// Replaces %XX by the byte; nil when it is not hexadecimal.
    private static func unescape(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
