// The names of displays' manufacturers.

import MullionSystem

/// The manufacturers' names by their PNP ids, the three letters in an EDID. They are read from hwdata's list when the
/// first one is needed: programs that recognize a display by its name expect the same names from every server.
public final class VendorNames: Sendable {
    /// Those of this machine; none without hwdata.
    public static let installed = VendorNames(file: file)
    private static let file = "/usr/share/hwdata/pnp.ids"
    /// What is lost without hwdata; nil if nothing is.
    package static var shortage: String? {
        guard installed.names.isEmpty else { return nil }
        return "displays plugged in by EDID have three letters instead of their manufacturers' names: \(file) cannot "
            + "be read; mullionctl doctor vendors names its package"
    }

    /// No list is larger; hwdata's has 62 KB.
    static let maximumSize = 1 << 20
    /// Longer names are cut, in bytes of UTF-8.
    static let maximumBytes = 255

    private let names: [String: String]

    /// - Parameter path: a file with an id, a tab and a name on each line. What is not a regular file, too large or not of
    ///   this form is ignored.
    init(file path: String) {
        let bytes = (try? DescriptorIO.contents(ofRegularFile: path, atMost: Self.maximumSize)) ?? []
        var names: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard line.count > 4, line.prefix(3).allSatisfy(Self.isLetter),
                line.dropFirst(3).first == UInt8(ascii: "\t")
            else { continue }
            let name = line.dropFirst(4).prefix(Self.maximumBytes)
            guard name.allSatisfy({ $0 >= 32 && $0 != 127 }) else { continue }
            names[String(decoding: line.prefix(3), as: UTF8.self)] = String(decoding: name, as: UTF8.self)
        }
        self.names = names
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    /// The name of the manufacturer with this id; nil if it is unknown, or no id.
    public subscript(id: String) -> String? { names[id] }
}
