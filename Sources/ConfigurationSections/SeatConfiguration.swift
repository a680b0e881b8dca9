// The section `seats` of the configuration.

import DisplayServer
import JSON5
import WindowModel

/// A seat in addition to the first one, with its screens and its keyboard (K1).
public struct SeatConfiguration: Decodable {
    /// Unique among the seats; the first seat is named `seat0`.
    public var name: String
    /// The names of its screens, connected or not.
    public var screens: [String]
    /// Nil: the common configuration.
    public var keyboard: KeyboardConfiguration?

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, screens, keyboard }

    /// `{name, screens: [NAME, …], keyboard: {layout, …}}`; unknown keys are errors.
    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        screens = try container.decode([String].self, forKey: .screens)
        keyboard = try container.decodeIfPresent(KeyboardConfiguration.self, forKey: .keyboard)
    }

    /// Decodes all seats, and checks that they do not conflict.
    public static func decode<K: CodingKey>(from container: KeyedDecodingContainer<K>, forKey key: K) throws -> [Self] {
        guard container.contains(key) else { return [] }
        let trial = WindowModel()
        var list = try container.nestedUnkeyedContainer(forKey: key)
        var seats: [Self] = []
        while !list.isAtEnd {
            let path = list.codingPath + [JSON5.AnyKey(index: list.currentIndex)]
            let seat = try list.decode(Self.self)
            do {
                try trial.addSeat(name: seat.name, screens: seat.screens)
            } catch {
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "\(error)"))
            }
            seats.append(seat)
        }
        return seats
    }
}
