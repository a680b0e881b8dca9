// Rules, as written in the configuration.

import DisplayServer
import Glibc
import JSON5
import WindowModel

extension PeerRule: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case user, group, sandboxed, connect, rights, systemApplication, highestLevel, xdg, connections, windows,
            screens
        case pixels
    }

    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func mistake(_ key: CodingKeys, _ text: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: text)
        }
        func ids(_ key: CodingKeys, _ find: (String) -> UInt32?) throws -> Set<UInt32>? {
            guard let names = try container.decodeIfPresent(Names.self, forKey: key)?.values else { return nil }
            guard !names.isEmpty else { throw mistake(key, "an empty list matches nobody; name at least one") }
            return Set(
                try names.map { name in
                    if let id = UInt32(name), id != .max { return id }
                    guard let id = find(name) else { throw mistake(key, "there is no \(key.rawValue) \"\(name)\"") }
                    return id
                })
        }
        func number(_ key: CodingKeys) throws -> Int? {
            guard let value = try container.decodeIfPresent(Int.self, forKey: key) else { return nil }
            guard value >= 0 else { throw mistake(key, "\(value) is less than 0") }
            return value
        }
        self.init(
            users: try ids(.user) { unsafe getpwnam($0)?.pointee.pw_uid },
            groups: try ids(.group) { unsafe getgrnam($0)?.pointee.gr_gid },
            isSandboxed: try container.decodeIfPresent(Bool.self, forKey: .sandboxed),
            rights: try container.decodeNames(Rights.names, forKey: .rights))
        mayConnect = try container.decodeIfPresent(Bool.self, forKey: .connect)
        isSystemApplication = try container.decodeIfPresent(Bool.self, forKey: .systemApplication)
        highestLevel = try container.decodeIfPresent(Double.self, forKey: .highestLevel)
        if let highestLevel {
            guard Window.Level.isValid(highestLevel) else {
                throw mistake(.highestLevel, "\(Rule.w2): \(Window.Level.mistake(highestLevel))")
            }
            guard highestLevel >= 0 else {
                throw mistake(.highestLevel, "\(highestLevel) is less than 0, the level of a new window")
            }
        }
        xdg = try container.decodeNames(XdgPermissions.names, forKey: .xdg)
        connections = try number(.connections)
        windows = try number(.windows)
        screens = try number(.screens)
        pixels = try number(.pixels)
    }
}
