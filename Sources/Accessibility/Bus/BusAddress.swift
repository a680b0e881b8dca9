// Addresses of D-Bus servers.

/// The address of a bus: a Unix socket. Others are not supported: programs on the session bus can name one, and some of them,
/// such as unixexec:, would start programs.
package struct BusAddress {
    let text: String

    /// Takes the first usable one of a list such as "unix:path=/run/bus,guid=…;unix:abstract=…".
    /// - Throws: `BusError.address` when there is none.
    package init(_ list: String) throws(BusError) {
        let usable = list.split(separator: ";").first { address in
            address.hasPrefix("unix:")
                && address.dropFirst(5).split(separator: ",").contains {
                    $0.hasPrefix("path=") || $0.hasPrefix("abstract=")
                }
        }
        guard let usable else { throw .address(list) }
        text = String(usable)
    }
}
