// The section "http" of the configuration.

import ConfigurationSections
import DisplayServer
import Glibc
import JSON5
import MullionSystem

/// Whether the control API is served over TCP too, and the rights of its token.
public struct HTTPConfiguration: Decodable {
    /// Nil: not served over TCP.
    public var listen: LoopbackAddress?
    /// The path of the token file; nil: next to the control socket.
    public var tokenFile: String?
    /// The group id that may read that file in addition to its owner.
    public var tokenGroup: UInt32?
    public var rights: Rights = [.view, .capture]

    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case listen, tokenFile, tokenGroup, rights }

    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func mistake(_ key: CodingKeys, _ why: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: why)
        }
        if let text = try container.decodeIfPresent(String.self, forKey: .listen) {
            do throws(LoopbackAddressError) {
                listen = try LoopbackAddress(parsing: text)
            } catch {
                throw mistake(.listen, error.description)
            }
        }
        tokenFile = try container.decodeIfPresent(String.self, forKey: .tokenFile)
        if let tokenFile, !tokenFile.hasPrefix("/") {
            throw mistake(.tokenFile, "\"\(tokenFile)\" is not an absolute path; use one that begins with /")
        }
        if let names = try container.decodeIfPresent(Names.self, forKey: .tokenGroup)?.values {
            guard let name = names.first, names.count == 1 else { throw mistake(.tokenGroup, "use a single group") }
            tokenGroup = unsafe DecimalText.whole(name, as: UInt32.self) ?? getgrnam(name)?.pointee.gr_gid
            if tokenGroup == nil { throw mistake(.tokenGroup, "\"\(name)\" is not a group") }
        }
        rights = try container.decodeNames(Rights.names, forKey: .rights) ?? rights
    }
}
