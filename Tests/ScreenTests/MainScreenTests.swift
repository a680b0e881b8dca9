// S2: which screen is main, and servers without any.

import DisplayServer
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct MainScreenTests {
    @Test("S2: MullionClient follows the main screen, also when it is unplugged and plugged in again")
    func library() throws {
        let fixture = try ServerFixture(screens: ["640x480,external,name=TV", "800x600,kind=builtIn,name=PANEL"])
        let claim = try fixture.spawn(Programs.built + "/mullionctl", ["claim", "screen=TV"])
        func lines() -> [String] {
            claim.readOutput().split(separator: "\n").map(String.init).filter { $0.hasPrefix("mainScreen") }
        }
        try fixture.wait(for: "its window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        var expected: [String] = []
        for _ in 0..<2 {
            try fixture.server.disconnect(fixture.server.screen("PANEL").id)
            expected.append("mainScreenDidChange screen=TV")
            try fixture.wait(for: "\(expected), it printed \(claim.readOutput())") { lines() == expected }
            try fixture.server.plug(ScreenSpecification(parsing: "800x600,kind=builtIn,name=PANEL"))
            expected.append("mainScreenDidChange screen=PANEL")
            try fixture.wait(for: "\(expected), it printed \(claim.readOutput())") { lines() == expected }
        }
        for name in ["PANEL", "TV"] { try fixture.server.disconnect(fixture.server.screen(name).id) }
        expected += ["mainScreenDidChange screen=TV", "mainScreenDidChange screen="]
        try fixture.wait(for: "\(expected), it printed \(claim.readOutput())") { lines() == expected }
    }

    @Test(
        "S2: a server starts without a screen; what clients claim is shown by the first that is plugged in",
        arguments: ["--screen none", "--config $folder/none.json5"])
    func startsWithout(option: String) throws {
        let setup = try ServerProcess(
            "echo '{ screens: [] }' > $folder/none.json5; set -- \"$@\" \(option)", program: Programs.server)
        #expect(try setup.request("GET", "/v1/screens").body.contains("\"screens\":[]"))
        let claim = try setup.fixture.spawn(
            Programs.built + "/mullionctl", ["claim", "key"],
            environment: ["WAYLAND_DISPLAY": setup.folder + "/socket"])
        try setup.fixture.wait(for: "its window") {
            try setup.request("GET", "/v1/windows").body.contains("mullionctl claim")
        }
        #expect(!claim.readOutput().contains("didBecomeVisible"))
        #expect(try setup.request("POST", "/v1/screens", "{\"model\": \"640x480\"}").status == 201)
        try setup.fixture.wait(for: "its key, it printed \(claim.readOutput())") {
            claim.readOutput().contains("didBecomeKey")
        }
        try setup.stop()
    }
}
