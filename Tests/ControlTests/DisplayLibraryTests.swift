// The shipped monitor library, and user-defined models.

import FoundationEssentials
import Glibc
import JSON5
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

/// The shipped models.
enum Shipped {
    static let folder =
        String(#filePath.dropLast("Tests/ControlTests/DisplayLibraryTests.swift".count)) + "Config/displays"

    /// File names without their extension, sorted.
    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".json5") }.map { String($0.dropLast(6)) }.sorted()

    static func model(_ name: String) throws -> DisplayModel {
        try JSON5.decode(DisplayModel.self, fromFile: "\(folder)/\(name).json5")
    }
}

@Suite struct DisplayLibraryTests {
    @Test("S1: the library has the usual displays, each named like its file")
    func complete() throws {
        #expect(Shipped.names.count >= 22)
        let models = try Shipped.names.map(Shipped.model)
        #expect(models.map(\.name) == Shipped.names)
        #expect(Set(models.compactMap(\.type)) == Set(DisplayType.allCases))
        #expect(Set(models.map { "\($0.vendor) \($0.model)" }).count == models.count)
        let library = DisplayLibrary()
        library.folders = [Shipped.folder]
        var warnings: [String] = []
        library.onWarning = { warnings.append($0) }
        #expect(library.models.map(\.name).sorted() == Shipped.names && warnings == [])
    }

    @Test("S1: every shipped model is a valid screen, and its EDID describes it", arguments: Shipped.names)
    func valid(name: String) throws {
        let display = try Shipped.model(name)
        let screen = try display.description(named: "S").checked()
        #expect(display.summary?.isEmpty == false && display.model.utf8.count <= 13)
        #expect(screen.isInteractive == (display.type?.isInteractive == true || name.hasPrefix("kiosk")))
        let read = try EDID.parse(screen.edid)
        #expect(Set(read.modes) == Set(screen.modes) && read.modes.count == screen.modes.count)
        #expect(read.preferredMode == screen.preferredMode)
        #expect(read.product == screen.model && read.vendor == "MUL" && read.serial == screen.serial)
        #expect(read.physicalSize == screen.physicalSize)
    }

    @Test("S1: edid-decode finds no failure in the EDID of any shipped model", arguments: Shipped.names)
    func conforms(name: String) throws {
        guard Program.isInstalled("edid-decode") else { return }
        for serial in [nil, "SN-0042"] {
            var display = try Shipped.model(name)
            display.serial = serial
            let (verdict, passed) = try edidDecode(display.edidBytes)
            #expect(passed, "\(verdict)")
        }
    }

    @Test("S1: a television has the rates of film, NTSC and PAL, to the mHz")
    func rates() throws {
        let television = try Shipped.model("tv-1080p")
        let rates = television.modes.filter { $0.width == 1920 }.map(\.refresh)
        #expect(rates == [60_000, 59_940, 50_000, 24_000, 23_976])
        #expect(television.overscan == .init(top: 27, left: 48, bottom: 27, right: 48))
    }

    @Test(
        "S1: unknown keys and impossible values are reported with their file and path",
        arguments: [
            ("overscan: { top: 1, left: 1, bottom: 1, right: 1, up: 1 }", "overscan: unknown key \"up\""),
            ("physicalSize: { width: 1, height: 1, depth: 1 }", "physicalSize: unknown key \"depth\""),
            ("physicalSize: { width: -1, height: 1 }", "physicalSize: "), ("scale: 65", "scale: "),
            ("physicalSize: { width: NaN, height: 1 }", "physicalSize: "),
            ("physicalSize: { width: 1, height: -1e300 }", "physicalSize: "),
            ("physicalSize: { width: Infinity, height: 1 }", "physicalSize: "), ("scale: NaN", "scale: "),
            ("serial: 'a\\nb'", "serial: "),
            ("pnp: 'ab'", "pnp: "), ("type: 'watch'", "type: \"watch\" is not a type; use one of phone, tablet"),
            ("connector: 'SCART'", "connector: \"SCART\" is not a connector; use one of HDMI-A, DP"),
            ("kind: 'x'", "is not a kind; use one of builtIn, external"),
            ("overscan: { top: 300, left: 0, bottom: 300, right: 0 }", "overscan: "),
            ("overscan: { top: -1, left: 0, bottom: 0, right: 0 }", "overscan: "),
            ("preferredMode: '800x601'", "preferredMode: 800x601 is not a mode of x"),
            ("maximumFramesPerSecond: 0", "maximumFramesPerSecond: "),
            ("edid: 'none.bin'", "/here/none.bin cannot be read"),
            ("edid: 7", "edid: expected a string"), ("pnp: 'ABCD'", "three letters"),
            ("serial: '\(String(repeating: "x", count: 256))'", "serial: "),
        ])
    func mistakes(key: String, message: String) {
        let text = "{ displays: [{ name: 'x', vendor: 'v', model: 'm', modes: ['800x600', '640x480'], \(key) }] }"
        struct Section: Decodable { var displays: [DisplayModel] }
        let failure = #expect(throws: JSON5Error.self) {
            try JSON5.decode(Section.self, from: Array(text.utf8), file: "/here/own.json5")
        }
        let said = failure?.description ?? ""
        #expect(
            said.hasPrefix("/here/own.json5:1:") && said.contains(": displays[0]") && said.contains(message), "\(said)")
    }

    @Test("S1: an invalid mode is reported with its index in the list")
    func wrongMode() {
        let text = "{ name: 'x', vendor: 'v', model: 'm', modes: ['800x600', '640x480~0:1'] }"
        let failure = #expect(throws: JSON5Error.self) {
            try JSON5.decode(DisplayModel.self, from: Array(text.utf8), file: "f")
        }
        #expect(failure?.description.contains(": modes[1]: \"640x480~0:1\" is not a mode") == true)
    }

    @Test("S1: a model's EDID file describes the display; explicit keys take precedence")
    func edidFile() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        var source = try Shipped.model("monitor-5k@2x")
        source.serial = "AB12"
        let bytes = source.edidBytes
        try Data(bytes).write(to: URL(filePath: folder + "/real.bin"))
        func load(_ more: String) throws -> DisplayModel {
            try Data("{ name: 'real', edid: 'real.bin', \(more) }".utf8).write(
                to: URL(filePath: folder + "/real.json5"))
            return try JSON5.decode(DisplayModel.self, fromFile: folder + "/real.json5")
        }
        let plain = try load("scale: 2").description(named: "S")
        #expect(plain.edid == bytes && plain.scale == 2)
        #expect(plain.vendor == "MUL" && plain.model == "Monitor 5K" && plain.serial == "AB12")
        #expect(Set(plain.modes) == Set(source.modes) && plain.preferredMode == source.modes[0])
        #expect(plain.physicalSize == Size(width: 597, height: 336))
        #expect(try load("port: 'HDMI-A-2'").description(named: "S").port == "HDMI-A-2" && plain.port.isEmpty)
        let changed = try load("vendor: 'ACME', serial: '7', modes: ['640x480'], physicalSize: { width: 9, height: 8 }")
            .description(named: "S").checked()
        #expect(changed.vendor == "ACME" && changed.model == "Monitor 5K" && changed.serial == "7")
        #expect(changed.modes == [Screen.Mode(width: 640, height: 480)] && changed.edid == bytes)
        #expect(changed.physicalSize == Size(width: 9, height: 8))
        try Data(bytes.prefix(127)).write(to: URL(filePath: folder + "/real.bin"))
        let failure = #expect(throws: JSON5Error.self) { try load("scale: 2") }
        #expect(failure?.description.contains("edid: real.bin: edid: an EDID has 128 bytes") == true)
    }
}

/// edid-decode's output for the bytes, and whether it found no failure.
func edidDecode(_ bytes: [UInt8]) throws -> (verdict: String, passed: Bool) {
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let path = "/tmp/mullion-test-\(UUID().uuidString).edid"
    try Data(hex.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let program = try Program("edid-decode", ["--check", "--skip-hex-dump", path])
    let verdict = program.outputAtEnd()
    return (verdict, program.exitStatus == 0 && !verdict.contains("Failures:"))
}
