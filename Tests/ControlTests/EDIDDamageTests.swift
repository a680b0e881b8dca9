// Foreign EDIDs, with parts that are damaged, unknown, or in forms that no generated one has.

import ControlProtocol
import EventLoop
import FoundationEssentials
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct EDIDDamageTests {
    /// 1920x1080@60, 531 mm × 299 mm.
    private static let fullHD: [UInt8] = [
        0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c, 0x45, 0x00, 0x13, 0x2b, 0x21, 0x00, 0x00, 0x1e,
    ]
    private static let empty: [UInt8] = [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 14)

    /// A base block of a Dell with a few descriptors, and its extensions.
    private static func edid(
        _ descriptors: [[UInt8]] = [fullHD], revision: UInt8 = 3, declared: Int? = nil, extensions: [[UInt8]] = []
    ) -> [UInt8] {
        var base = EDID.header + [0x10, 0xac, 0x41, 0xa0, 0, 0, 0, 0, 1, 30, 1, revision, 0x80, 53, 30, 120, 0x0a]
        base += [UInt8](repeating: 0, count: 10) + [0, 0, 0] + [UInt8](repeating: 1, count: 16)
        base += (descriptors + [empty, empty, empty, empty]).prefix(4).flatMap { $0 }
        base.append(UInt8(declared ?? extensions.count))
        return base + [EDID.checksum(base)] + extensions.flatMap { $0 }
    }

    private static func extended(_ extensions: [UInt8]...) -> [UInt8] { edid(extensions: extensions) }

    /// Pads and seals an extension.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let block = bytes + [UInt8](repeating: 0, count: 127 - bytes.count)
        return block + [EDID.checksum(block)]
    }

    private static func cta(revision: UInt8 = 3, _ data: [UInt8], timings: [UInt8] = []) -> [UInt8] {
        sealed([0x02, revision, UInt8(4 + data.count), 0] + data + timings)
    }

    private static func displayID(version: UInt8 = 0x12, _ data: [UInt8]) -> [UInt8] {
        let section: [UInt8] = [version, UInt8(data.count), 3, 0] + data
        return sealed([0x70] + section + [EDID.checksum(section)])
    }

    /// 2560x1440 with a total of 2720x1481, at 60 Hz.
    private static func typeOne(width: Int = 2560, kilohertz: Bool = false) -> [UInt8] {
        let clock = kilohertz ? 241_699 : 24_169
        let numbers = [width - 1, 159, 47, 31, 1439, 40, 2, 4]
        return [UInt8(clock & 255), UInt8(clock >> 8 & 255), UInt8(clock >> 16), 0x04]
            + numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    private static func changed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = bytes
        change(&bytes)
        return bytes
    }

    /// Changes the first timing, and seals the base block.
    private static func timing(_ change: (inout [UInt8]) -> Void) -> [UInt8] { edid([changed(fullHD, change)]) }

    private static func resealed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        changed(bytes) {
            change(&$0)
            $0[127] = EDID.checksum($0[..<127])
        }
    }

    // MARK: What is read

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        /// Parts of the remarks, in order; there are no others.
        var remarks: [String]
        /// Modes that are read, among others.
        var modes: [String]
        /// Whether Linux, and so the server, decides otherwise than edid-decode.
        var isDisputed: Bool

        var testDescription: String { name }

        init(
            _ name: String, _ bytes: [UInt8], _ remarks: [String] = [], modes: [String] = ["1920x1080@60"],
            isDisputed: Bool = false
        ) {
            (self.name, self.bytes, self.remarks, self.modes) = (name, bytes, remarks, modes)
            self.isDisputed = isDisputed
        }
    }

    private static let hdmi: [UInt8] = [0x6c, 0x03, 0x0c, 0, 0x10, 0, 0, 0x3c, 0x20, 0, 0x40, 1, 3]

    static let cases: [Case] = [
        Case("intact", edid()),
        // The base block.
        Case(
            "two wrong bytes of the header",
            changed(edid()) {
                $0[0] = 1; $0[7] = 9
            }, ["2 bytes of the header are wrong"]),
        Case("revision 9", edid(revision: 9)),
        Case("no letters", resealed(edid()) { $0[8] = 0xff }, ["the manufacturer's id, bytes 8 and 9"]),
        Case(
            "tiny timing", edid([[1, 0] + [UInt8](repeating: 0, count: 16), fullHD]),
            ["block 0, byte 54: a timing of 0x0 pixels"]),
        Case(
            "a timing without sync", edid([changed(fullHD) { $0[9] = 0 }, fullHD]), ["byte 54: a timing has no sync"]),
        Case("a stereo timing", edid([changed(fullHD) { $0[17] = 0x3e }, fullHD]), ["byte 54: a timing for stereo"]),
        Case(
            "too little blanking", timing { ($0[3], $0[4]) = (0x40, 0x70) }, modes: ["1920x1080@64.296"],
            isDisputed: true),
        Case(
            "a display descriptor with a clock's high byte",
            edid([fullHD, [0, 0, 9, 0xfc] + [UInt8](repeating: 65, count: 14)])),
        Case(
            "no mode at all", edid([]), ["it has no progressive mode"],
            modes: ["1024x768@60.004", "800x600@60.317", "640x480@59.94"]),
        Case(
            "no mode that can be shown", edid([], extensions: [displayID([3, 0, 20] + typeOne(width: 65_535))]),
            ["it has no mode of which there can be pictures"], modes: ["1024x768@60.004"]),
        Case(
            "only an interlaced timing", timing { $0[17] |= 0x80 }, ["it has no progressive mode"],
            modes: ["1024x768@60.004"]),
        Case(
            "unused standard timings",
            resealed(edid()) {
                $0[38] = 0x20; $0[39] = 0x20; $0[40] = 0; $0[41] = 0x40
            }, isDisputed: true),
        Case(
            "1366x768 as a standard timing",
            resealed(edid()) {
                $0[38] = 0x8b; $0[39] = 0xc0
            }, modes: ["1366x768@60"], isDisputed: true),
        Case(
            "a square standard timing of EDID 1.2",
            resealed(edid(revision: 2)) {
                $0[38] = 0x61; $0[39] = 0
            },
            modes: ["1024x1024@60"]),
        Case(
            "coordinated timings", edid([fullHD, [0, 0, 0, 0xf8, 0, 1, 0x1b, 0x24, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0]]),
            modes: ["1920x1080@60", "1920x1080@85"]),
        Case(
            "a coordinated timing without width, at two rates, before another",
            edid([fullHD, [0, 0, 0, 0xf8, 0, 1, 0, 0, 0x18, 0x1b, 0x24, 0x0a, 0, 0, 0, 0, 0, 0]]),
            [
                "block 0, byte 72: a timing of 0x2 pixels at 50000 mHz is out of range",
                "block 0, byte 72: a timing of 0x2 pixels at 60000 mHz is out of range",
            ],
            modes: ["1920x1080@60", "1920x1080@85"]),
        Case(
            "a timing that is too fast",
            edid([[0xff, 0xff, 64, 2, 0, 64, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0x1e], fullHD]),
            ["block 0, byte 54: a timing of 64x64 pixels at 150447658 mHz is out of range"]),
        Case(
            "further established and standard timings",
            edid([
                fullHD, [0, 0, 0, 0xf7, 0, 10, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0],
                [0, 0, 0, 0xfa, 0, 0x61, 0x4a] + [UInt8](repeating: 1, count: 11),
            ]),
            modes: ["1920x1440@75", "1024x768@70.069"]),
        // Blocks.
        Case("missing extension", edid(declared: 1), ["1 extensions are declared, 0 of them are complete"]),
        Case("truncated extension", edid(declared: 1) + cta([0x41, 4]).dropLast(), ["1 extensions are declared, 0"]),
        Case("more bytes than declared", edid() + [1, 2, 3], ["3 bytes follow the declared blocks"]),
        Case("an undeclared extension", edid(declared: 0, extensions: [cta([0x41, 97])]), ["128 bytes follow"]),
        Case(
            "a wrong checksum of CTA-861, which is read", extended(changed(cta([0x41, 4])) { $0[127] ^= 1 }),
            ["block 1: the checksum is"], modes: ["1280x720@60"]),
        Case(
            "a wrong checksum of DisplayID", extended(changed(displayID([3, 0, 20] + typeOne())) { $0[127] ^= 1 }),
            ["it is skipped"]),
        Case("an unknown extension", extended(sealed([0x40, 1])), ["an extension of type 64 is unknown"]),
        Case("an empty extension", extended(sealed([])), ["an extension of type 0 is unknown"]),
        Case("a block map", extended(sealed([0xf0, 0x02]), cta([0x41, 4])), modes: ["1280x720@60"]),
        Case(
            "a block of timings", extended(sealed([0x10, 1, 1, 0, 0] + changed(fullHD) { $0[0] = 1 })),
            modes: ["1920x1080@59.996"]),
        Case(
            "a block of timings of another version", extended(sealed([0x10, 2, 1, 0, 0] + fullHD)),
            ["version 2 of its timings"]),
        Case(
            "HDMI's override of the number",
            edid(declared: 1, extensions: [cta([0xe2, 0x78, 2, 0x41, 4]), displayID([3, 0, 20] + typeOne())]),
            modes: ["1280x720@60", "2560x1440@60"]),
        // CTA-861.
        Case("CTA-861 without anything", extended(sealed([0x02, 3, 0, 0, 0x41, 97]))),
        Case(
            "CTA-861 with an impossible offset", extended(sealed([0x02, 3, 3, 0, 0x41, 97])),
            ["block 1: the timings begin at byte 3"]),
        Case("CTA-861 of revision 1", extended(cta(revision: 1, [0x41, 97]))),
        Case(
            "a data block that is too long", extended(cta([0x41, 4, 0x65, 3, 12], timings: fullHD)),
            ["block 1, byte 6: the data block is longer"], modes: ["1280x720@60"]),
        Case(
            "a timing with nothing but a clock, before others",
            edid([], extensions: [cta([], timings: [1, 0] + [UInt8](repeating: 0, count: 16) + fullHD)]),
            ["block 1, byte 4: a timing of 0x0"]),
        Case("an empty descriptor before a timing", edid([], extensions: [cta([], timings: empty + fullHD)])),
        Case("unknown codes", extended(cta([0x43, 255, 128, 4])), modes: ["1280x720@60"]),
        Case("4K of HDMI", extended(cta(hdmi)), modes: ["3840x2160@30", "3840x2160@29.97", "3840x2160@24"]),
        Case(
            "4K of HDMI after latencies",
            extended(cta([0x6e, 0x03, 0x0c, 0, 0x10, 0, 0, 0x3c, 0xa0, 1, 2, 0, 0x20, 4, 0])),
            modes: ["4096x2160@24"]),
        Case("HDMI without codes", extended(cta([0x65, 0x03, 0x0c, 0, 0x10, 0]))),
        Case(
            "HDMI with fewer codes than it says",
            extended(cta([0x6b, 0x03, 0x0c, 0, 0x10, 0, 0, 0x3c, 0x20, 0, 0xe0, 1])), modes: ["3840x2160@30"]),
        Case("modes of 4:2:0 only", extended(cta([0xe2, 0x0e, 97])), modes: ["3840x2160@60"]),
        Case("which modes have 4:2:0, too", extended(cta([0x41, 97, 0xe2, 0x0f, 1])), modes: ["3840x2160@60"]),
        // DisplayID.
        Case("type I of DisplayID 1.2", extended(displayID([3, 0, 20] + typeOne())), modes: ["2560x1440@60"]),
        Case(
            "type I after an empty block", extended(displayID([0, 0, 0, 3, 0, 20] + typeOne())),
            modes: ["2560x1440@60"], isDisputed: true
        ),
        Case(
            "type VII of DisplayID 2.0", extended(displayID(version: 0x20, [0x22, 0, 20] + typeOne(kilohertz: true))),
            modes: ["2560x1440@60"]),
        Case(
            "type I of 65,536 pixels",
            extended(displayID([3, 0, 40] + typeOne(width: 65_536) + typeOne())),
            ["block 1, byte 8: a timing of 65536x1440 pixels"], modes: ["2560x1440@60"]),
        Case(
            "CTA-861 in DisplayID", extended(displayID(version: 0x20, [0x81, 0, 2, 0x41, 97])), modes: ["3840x2160@60"]),
        Case(
            "a block of timings of a wrong size", extended(displayID([3, 0, 19] + typeOne().dropLast())),
            ["has 19 bytes, not a multiple of 20"]),
        Case(
            "a data block beyond the section", extended(displayID([3, 0, 40] + typeOne())),
            ["block 1, byte 5: the data block is longer"]),
        Case(
            "a section beyond the block", extended(sealed([0x70, 0x12, 122])), ["the DisplayID section has 122 bytes"]),
        Case(
            "a wrong checksum of the section", extended(sealed([0x70, 0x12, 3, 0, 0, 1, 0, 0, 9])),
            ["the DisplayID section's checksum is 9"]),
    ]

    @Test("S1: what is damaged or unknown is skipped and named, and the rest is read", arguments: cases)
    func parts(_ example: Case) throws {
        let read = try EDID.parse(example.bytes)
        let modes = Set(read.modes.map(\.text))
        #expect(modes.isSuperset(of: example.modes), "\(read.modes.map(\.text))")
        #expect(read.remarks.count == example.remarks.count, "\(read.remarks)")
        for (remark, part) in zip(read.remarks, example.remarks) { #expect(remark.contains(part)) }
        #expect(read.preferredMode.map(read.modes.contains) == true)
        let display = try DisplayModel(name: "foreign", edid: example.bytes)
        try display.description(named: "S").checked()
    }

    @Test(
        "the modes are those that edid-decode lists, to the hertz",
        arguments: cases.filter { $0.remarks.isEmpty && !$0.isDisputed })
    func judge(_ example: Case) throws {
        let listed = try edidDecode(example.bytes).verdict.matches(
            of: /(?m)^\s.*?\b(?<width>\d+)x(?<height>\d+)\s+(?<rate>\d+\.\d+) Hz/
        ).map { "\($0.width)x\($0.height)@\(Int((Double($0.rate) ?? 0).rounded()))" }
        let read = try EDID.parse(example.bytes).modes.map { "\($0.width)x\($0.height)@\(($0.refresh + 500) / 1000)" }
        #expect(!listed.isEmpty && Set(read) == Set(listed))
    }

    @Test("S1: what was skipped is named when a screen is plugged in, and in every later description of it")
    func plug() throws {
        let server = DisplayServer(loop: try EventLoop())
        let bytes = Self.extended(Self.sealed([0x40, 1]), Self.cta([0x41, 4, 0x65, 3]))
        let body = #"{"edid": "\#(Data(bytes).base64EncodedString())"}"#
        let payload = try JSONDecoder().decode(Strict<PlugPayload>.self, from: Data(body.utf8)).value
        let screen = try #require(server.model.screen(try server.plug(payload.specification)))
        let facts = API.Screen(screen, in: server.model)
        #expect(facts.edidRemarks.count == 2, "\(facts.edidRemarks)")
        #expect(facts.edid.text == Data(bytes).base64EncodedString() && facts.modes.contains("1280x720@60"))
        let plain = try #require(server.model.screen(try server.plug(ScreenSpecification(parsing: "640x480"))))
        #expect(API.Screen(plain, in: server.model).edidRemarks == [])
    }
}
