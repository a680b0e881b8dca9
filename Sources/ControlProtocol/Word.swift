// Words of the control API that later versions may add to. The other types are generated from the contract.

// For the generated types.
import JSON5

/// One of a list of words. A program that does not know a word gets it as it is.
package protocol Word: RawRepresentable<String>, Codable, Hashable, Sendable {
    init(rawValue: String)
    /// The words of this version.
    static var all: [Self] { get }
}
