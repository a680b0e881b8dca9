// S10: remembers the settings of displays.

import Geometry
import WindowModel

/// Remembers displays by their identity, so that one that is plugged in again gets the same name, mode, orientation,
/// position and mirroring as before. Displays of the same kind without a serial number are distinguished by their port,
/// or by the order in which they are connected.
public final class ScreenMemory {
    /// The number of records; the oldest beyond it are forgotten.
    static let limit = 256

    /// The record of one display.
    struct Record: Codable, Equatable {
        var name: String
        var vendor: String
        var model: String
        var serial: String
        var port: String
        var mode: String
        var scale: Double
        var orientation: String
        var flipped: Bool
        var overscan: String
        var mirroring: String
        var brightness: Double
        var x: Double
        var y: Double
    }

    /// Ordered by time of connection, the latest last.
    private(set) var records: [Record] = []
    /// Names of configured screens: remembered while the server runs, but not stored.
    private var configured: Set<String> = []
    /// Called when the stored records have changed.
    package var onChange: () -> Void = {}

    public init() {}

    /// The records to store for the next run of the server.
    var kept: [Record] { records.filter { !configured.contains($0.name) } }

    func restore(_ records: [Record]) { self.records = records }

    /// Whether the name is that of a display that is currently disconnected.
    func isReserved(_ name: String) -> Bool { records.contains { $0.name == name } }

    /// The record of a display being plugged in; `connected` are the names in use.
    func record(of display: ScreenDescription, name: String?, connected: Set<String>) -> Record? {
        records.first { record in
            record.vendor == display.vendor && record.model == display.model && record.serial == display.serial
                && (!display.serial.isEmpty || record.port == display.port)
                && (name == nil || record.name == name) && !connected.contains(record.name)
        }
    }

    /// Records a connected screen.
    /// - Parameter isConfigured: whether it is from the configuration, which decides at the next start.
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
        let properties = screen.properties
        name = screen.name
        vendor = properties.vendor
        model = properties.model
        serial = properties.serial
        port = properties.port
        mode = screen.currentMode.text
        scale = screen.scale
        orientation = screen.orientation.rawValue
        flipped = properties.isFlipped
        overscan = properties.overscan.rawValue
        mirroring = properties.mirroring.text
        brightness = properties.brightness
        x = screen.position.x
        y = screen.position.y
    }

    /// Restores a display's settings. A mode that it no longer has is skipped.
    func apply(to display: inout ScreenDescription) throws(ModelError) {
        display.currentMode = (try? display.modes.mode(mode, of: name)) ?? display.currentMode
        display.scale = scale
        display.orientation = try Screen.Orientation(parsing: orientation)
        display.isFlipped = flipped
        display.overscan = try Screen.Overscan(parsing: overscan)
        display.mirroring = Screen.Mirroring(parsing: mirroring)
        display.brightness = brightness
        display.position = Point(x: x, y: y)
    }

    /// Throws for impossible values: the file may have been edited.
    func validate() throws(ModelError) {
        var display = ScreenDescription(
            name: name, vendor: vendor, model: model, serial: serial, port: port,
            modes: [try Screen.Mode(parsing: mode)])
        try apply(to: &display)
        try ScreenSpecification.check(name: name)
        try display.checked()
    }
}
