// mullionctl claim: what it refuses, and what it prints about its window.

import TestSupport
import Testing

@Suite struct ClaimTests {
    @Test("what others change through the control API is printed, once each")
    func changes() throws {
        let oracle = try OracleFixture("800x600")
        let claim = try oracle.fixture.spawn(Programs.built + "/mullionctl", ["claim", "title=c", "level=1"])
        try oracle.fixture.wait(for: "its window") { claim.readOutput().contains("didBecomeVisible") }
        for (body, line) in [
            (#"{"level": 7.5}"#, "levelDidChange level=7.5"), (#"{"alpha": 0.25}"#, "alphaDidChange alpha=0.25"),
            (#"{"userInteractionEnabled": false}"#, "userInteractionEnabledDidChange userInteractionEnabled=false"),
            (#"{"hidden": true}"#, "hiddenDidChange hidden=true"),
            (#"{"title": "other"}"#, "titleDidChange title=other"),
        ] {
            try oracle.patch("c", body)
            try oracle.fixture.wait(for: "\(line); it printed \(claim.readOutput())") {
                claim.readOutput().contains(line + "\n")
            }
            #expect(claim.readOutput().ranges(of: line).count == 1)
        }
    }

    @Test("values that no window can have are refused before there is one")
    func refusals() throws {
        let oracle = try OracleFixture("800x600")
        for (word, message) in [
            ("frame=0,0,-5,10", "frame: -5 is not a width or height; use 0 or more"),
            ("frame=0,0,5,-0.5", "frame: -0.5 is not a width or height; use 0 or more"),
            ("alpha=1.5", "alpha: 1.5 is not an opacity; use 0…1"),
        ] {
            let claim = try oracle.fixture.spawn(Programs.built + "/mullionctl", ["claim", word])
            try oracle.fixture.wait(for: "its end") { !claim.isRunning }
            #expect(claim.exitStatus == 2 && claim.readOutput().contains(message), "\(claim.readOutput())")
        }
        #expect(oracle.fixture.model.windows.isEmpty)
    }
}
