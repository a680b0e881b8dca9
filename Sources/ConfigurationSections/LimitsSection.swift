// Limits, as written in the configuration.

import JSON5
import MullionWayland

/// Each limit by its name.
public struct LimitsSection: Decodable {
    public var limits = Limits()

    private static let names: [(key: String, value: any WritableKeyPath<Limits, Int> & Sendable)] = [
        ("clients", \.clients.total), ("userClients", \.clients.share), ("objects", \.objects), ("windows", \.windows),
        ("popups", \.popups), ("surfaces", \.surfaces), ("surfaceDepth", \.surfaceDepth), ("regions", \.regions),
        ("regionRectangles", \.regionRectangles), ("frameCallbacks", \.frameCallbacks),
        ("queuedCommits", \.queuedCommits), ("bindings", \.bindings),
        ("pools", \.pools), ("poolBytes", \.poolBytes), ("allPoolBytes", \.allPoolBytes),
        ("allPools", \.allPools.total), ("userPools", \.allPools.share), ("userCopyBytes", \.allCopyBytes.share),
        ("allCopyBytes", \.allCopyBytes.total), ("clientBytes", \.clientBytes), ("userBytes", \.userBytes),
        ("userDescriptors", \.allDescriptors.share), ("descriptorsInFlight", \.descriptorsInFlight),
        ("descriptorsQueued", \.descriptorsQueued), ("outputHighWater", \.outputHighWater),
        ("outputMaximum", \.outputMaximum), ("messagesPerSecond", \.messagesPerSecond), ("titleBytes", \.titleBytes),
        ("screens", \.screens.total), ("screenCopies", \.screenCopies), ("touches", \.touches),
        ("sandboxes", \.sandboxes),
    ]

    public init() {}

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSON5.AnyKey.self)
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let path = Self.names.first(where: { $0.key == key.stringValue })?.value else {
                throw JSON5.unknownKey(key.stringValue, among: Self.names.map(\.key), decoder.codingPath)
            }
            let value = try container.decode(Int.self, forKey: key)
            guard (1...1 << 40).contains(value) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "a limit is within 1…\(1 << 40), not \(value)")
            }
            limits[keyPath: path] = value
        }
        guard limits.outputHighWater <= limits.outputMaximum else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "outputHighWater \(limits.outputHighWater) is more than outputMaximum "
                        + "\(limits.outputMaximum)"))
        }
    }
}
