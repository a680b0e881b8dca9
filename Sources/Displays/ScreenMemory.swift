// S10: remembers the settings of displays.

import MullionGeometry
import WindowModel

/// Remembers displays by their identity, so that one that is plugged in again gets the same name, mode, orientation,
/// position and mirroring as before. Displays of the same kind without a serial number are distinguished by their port,
/// or by the order in which they are connected.
public final class ScreenMemory {
    /// The maximum number of records; the oldest are dropped.
    static let limit = 256

    /// The record of one display.
    struct Record: Equatable {
        /// What is recorded: the identity, and all that can change while the screen is connected.
        fileprivate static let properties = ScreenProperty.all.filter { $0.lifetime != .fixed }

        var vendor: String
        var model: String
        /// Those of `properties`.
        var settings: ScreenSettings
        /// Whether the position was set explicitly. Nil in files of earlier versions, which did not store it.
        var isPositioned: Bool?
        /// What a display is taken for that does not say. Nil in files of earlier versions.
        var kind: Screen.Kind?

        var name: String { settings.name ?? "" }
    }

    /// Ordered by time of connection, the latest last.
    private(set) var records: [Record] = []
    /// Names of configured screens: remembered while the server runs, and handed over to the next one, but not stored.
    private(set) var configured: Set<String> = []
    /// Called when the stored records have changed.
    package var onChange: () -> Void = {}

    public init() {}

    /// The records to store for the next run of the server.
    var kept: [Record] { records.filter { !configured.contains($0.name) } }

    /// Adds older records, and names of configured screens. What is known already stays as it is: in a server that took
    /// over, it is newer.
    func restore(_ older: [Record], configured names: [String] = []) {
        let known = Set(records.map(\.name))
        let added = older.filter { !known.contains($0.name) }
        records = (added + records).suffix(Self.limit)
        configured.formUnion(Set(names).intersection(added.map(\.name)))
    }

    /// Whether the name is that of a display that is currently disconnected.
    func isReserved(_ name: String) -> Bool { records.contains { $0.name == name } }

    /// The record of a display being plugged in; `connected` are the names in use.
    func record(of display: ScreenDescription, name: String?, connected: Set<String>) -> Record? {
        records.first { record in
            record.vendor == display.vendor && record.model == display.model
                && record.settings.serial == display.serial
                && (!display.serial.isEmpty || record.settings.port == display.port)
                && (name == nil || record.name == name) && !connected.contains(record.name)
        }
    }

    /// Records a connected screen.
    /// - Parameter isConfigured: whether it is from the configuration, which takes precedence at the next start.
    package func remember(_ screen: Screen, isConfigured: Bool) {
        let record = Record(screen)
        let old = records.firstIndex { $0.name == record.name }
        if let old, records[old] == record, configured.contains(record.name) == isConfigured { return }
        if let old { records.remove(at: old) }
        records.append(record)
        if isConfigured { configured.insert(record.name) } else { configured.remove(record.name) }
        if records.count > Self.limit { configured.remove(records.removeFirst().name) }
        if !isConfigured { onChange() }
    }
}

extension ScreenMemory.Record {
    fileprivate init(_ screen: Screen) {
        vendor = screen.properties.vendor
        model = screen.properties.model
        settings = ScreenSettings(screen.properties, Self.properties)
        isPositioned = screen.properties.isPositioned
        kind = screen.properties.kind
    }

    /// Restores a display's settings. A mode that it no longer has is skipped.
    func apply(to display: inout ScreenDescription) throws(ModelError) {
        var settings = settings
        for property in ScreenProperty.all where property.lifetime == .identity { property.clear(in: &settings) }
        // S3: earlier servers stored modes of which there can be no picture.
        if let mode = settings.mode, (try? display.modes.mode(mode, of: name))?.isDrawable != true {
            settings.mode = nil
        }
        try settings.apply(to: &display, of: name)
        display.isPositioned = isPositioned ?? true
    }

    /// Throws for impossible values: the file may have been edited.
    func validate() throws(ModelError) {
        var display = ScreenDescription(
            name: name, vendor: vendor, model: model, serial: settings.serial ?? "", port: settings.port ?? "",
            modes: [try Screen.Mode(parsing: settings.mode ?? ""), Screen.Mode(width: 640, height: 480)])
        try apply(to: &display)
        try display.checked()
    }
}

extension ScreenMemory.Record: Codable {
    /// What is not a property, and the position, which is stored as two numbers.
    private enum Keys: CodingKey { case vendor, model, kind, x, y, positioned }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        vendor = try container.decode(String.self, forKey: .vendor)
        model = try container.decode(String.self, forKey: .model)
        settings = try ScreenSettings(from: decoder, Self.properties)
        settings.position = Point(
            x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y))
        isPositioned = try container.decodeIfPresent(Bool.self, forKey: .positioned)
        kind = try container.decodeIfPresent(Screen.Kind.self, forKey: .kind)
        for property in Self.properties where property.value(in: settings) == nil {
            throw DecodingError.keyNotFound(
                ScreenProperty.Key(property),
                .init(codingPath: decoder.codingPath, debugDescription: "a record has every setting"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(vendor, forKey: .vendor)
        try container.encode(model, forKey: .model)
        try container.encode(settings.position?.x, forKey: .x)
        try container.encode(settings.position?.y, forKey: .y)
        try container.encodeIfPresent(isPositioned, forKey: .positioned)
        try container.encodeIfPresent(kind, forKey: .kind)
        var others = settings
        others.position = nil
        try others.encode(to: encoder)
    }
}
