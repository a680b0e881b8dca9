// The section "http" of the configuration.

import DisplayServer
import Glibc
import JSON5

/// Whether the control API is served over TCP too, and what its token is good for.
public struct HTTPConfiguration: Decodable {
    /// Nil: it is not.
    public var listen: LoopbackAddress?
    /// Where the token is written; nil: beside the control socket.
    public var tokenFile: String?
    /// Who may read that file besides its owner: a group's number.
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
            do throws(LoopbackAddress.Failure) {
                listen = try LoopbackAddress(parsing: text)
            } catch {
                throw mistake(.listen, error.description)
            }
        }
        tokenFile = try container.decodeIfPresent(String.self, forKey: .tokenFile)
        if let tokenFile, !tokenFile.hasPrefix("/") {
            throw mistake(.tokenFile, "\"\(tokenFile)\" is no absolute path: it begins with /")
        }
        if let names = try container.decodeIfPresent(Names.self, forKey: .tokenGroup)?.values {
            guard let name = names.first, names.count == 1 else { throw mistake(.tokenGroup, "it is one group") }
            tokenGroup = unsafe UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
            if tokenGroup == nil { throw mistake(.tokenGroup, "there is no group \"\(name)\"") }
        }
        rights = try container.decodeNames(Rights.names, forKey: .rights) ?? rights
    }
}
