// Manufacturers' names, as programs see them.

import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct VendorNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ bytes: [UInt8]) throws -> VendorNames {
        let path = folder.path + "/pnp.ids"
        try Data(bytes).write(to: URL(filePath: path))
        return VendorNames(file: path)
    }

    @Test("hwdata's list is read; lines of another form are ignored")
    func list() throws {
        let long = "LNG\t" + String(repeating: "é", count: 200)
        let text =
            "DEL\tDell Inc.\n# a comment\n\nGSM\tLG Electronics\nABCD\tX\nab1\tX\nXYZ\t\nBEL\ta\u{7}b\n\(long)\nEND\tLast"
        let names = try names(Array(text.utf8) + [10, 0x41, 0x41, 0x41, 9, 0xff])
        #expect(names["DEL"] == "Dell Inc." && names["GSM"] == "LG Electronics" && names["END"] == "Last")
        for id in ["ABC", "ab1", "XYZ", "BEL", "", "Dell Inc.", "# a"] { #expect(names[id] == nil, "\(id)") }
        #expect(names["LNG"]?.utf8.count ?? 0 <= VendorNames.maximumBytes + 2)
    }

    @Test("what is no regular file, or too large, is not read, and nothing waits for it")
    func strange() throws {
        #expect(VendorNames(file: folder.path + "/missing")["DEL"] == nil)
        #expect(VendorNames(file: folder.path)["DEL"] == nil)
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(VendorNames(file: pipe)["DEL"] == nil)
        #expect(VendorNames(file: "/dev/zero")["DEL"] == nil)
        let line = Array("DEL\tDell Inc.\n".utf8)
        #expect(try names(line + [UInt8](repeating: 10, count: VendorNames.maximumSize - line.count))["DEL"] != nil)
        #expect(try names(line + [UInt8](repeating: 10, count: VendorNames.maximumSize))["DEL"] == nil)
        try #require(symlink("/dev/zero", folder.path + "/link") == 0)
        #expect(VendorNames(file: folder.path + "/link")["DEL"] == nil)
    }

    @Test("programs see the manufacturer's name for the letters of an EDID, and the API the letters")
    func outputs() throws {
        let fixture = try ServerFixture(screens: [])
        var display = DisplayModel(
            name: "x", vendor: "DEL", model: "DELL U2415", modes: [Screen.Mode(width: 640, height: 480)])
        display.serial = "7MT0167B2YNL"
        let edid = Data(EDID.generate(for: display)).base64EncodedString()
        try fixture.server.plug(ScreenSpecification(parsing: "edid=\(edid),name=HDMI-A-1"))
        let screen = try #require(fixture.model.screen(named: "HDMI-A-1"))
        #expect(screen.properties.vendor == "DEL" && screen.make == "Dell Inc.")
        let client = try fixture.connect()
        let output = try client.bind(WlOutput.self)
        var (make, model, description) = ("", "", "")
        output.onEvent = { event in
            switch event {
            case .geometry(_, _, _, _, _, let maker, let name, _): (make, model) = (maker, name)
            case .description(let text): description = text
            case .mode, .done, .scale, .name: break
            }
        }
        try fixture.pump()
        #expect(make == "Dell Inc." && model == "DELL U2415")
        #expect(description == "Dell Inc. DELL U2415 7MT0167B2YNL (HDMI-A-1)")
        let head = OutputHeadState(screen).display
        #expect(head.make == "Dell Inc." && head.model == "DELL U2415" && head.serialNumber == "7MT0167B2YNL")
        #expect(head.description == description)
    }

    @Test("a display without serial number, an unknown manufacturer, and a model of the library keep what they have")
    func others() throws {
        let fixture = try ServerFixture(screens: ["640x480,name=A"])
        func plug(_ vendor: String, _ name: String) throws -> Screen {
            let display = DisplayModel(
                name: "x", vendor: vendor, model: "M", modes: [Screen.Mode(width: 640, height: 480)])
            let edid = Data(EDID.generate(for: display)).base64EncodedString()
            try fixture.server.plug(ScreenSpecification(parsing: "edid=\(edid),name=\(name)"))
            return try #require(fixture.model.screen(named: name))
        }
        #expect(try plug("DEL", "B").localizedDescription == "Dell Inc. M (B)")
        #expect(try plug("QZQ", "C").localizedDescription == "QZQ M (C)")
        let own = try #require(fixture.model.screen(named: "A"))
        #expect(own.make == own.properties.vendor)
        // The number of an EDID without a text, as libdisplay-info writes it.
        var bytes = EDID.generate(
            for: DisplayModel(name: "x", vendor: "DEL", model: "M", modes: [Screen.Mode(width: 640, height: 480)]))
        bytes.replaceSubrange(12...15, with: [0x53, 0x33, 0x44, 0x4c])
        bytes[127] = EDID.checksum(bytes[..<127])
        #expect(try EDID.parse(bytes).serial == "0x4C443353")
    }
}
