// Responses whose length depends on clients are not encoded on the loop.

import ControlProtocol
import JSON5
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct LongAnswerTests {
    @Test("documents encoded by the worker equal those encoded immediately", arguments: [3, 300])
    func length(windows count: Int) throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let application = fixture.model.addApplication(name: "many")
        for number in 0..<count {
            let window = try fixture.model.createWindow(application: application)
            try fixture.model.setTitle("number \(number)", of: window)
            if number % 2 == 0 { try fixture.model.setHidden(false, of: window) }
        }
        let tree = API.Tree(fixture.model)
        let expected = String(decoding: try JSONWriter.encode(tree), as: UTF8.self) + "\n"
        #expect(try control.send("GET", "/v1/tree") == (200, expected))
        let list = try control.send("GET", "/v1/windows").body
        #expect((0..<count).allSatisfy { list.contains("\"number \($0)\"") })
    }

    @Test("C3, C1: the roots of a window's surface trees, front to back")
    func tops() throws {
        let fixture = try ServerFixture()
        let model = fixture.model
        let window = try model.createWindow(application: model.addApplication())
        #expect(model.rootAndPopups(of: window) == [])
        let surfaces = (0..<5).map { _ in model.createSurface() }
        try model.setRoot(surfaces[0], of: window)
        try model.addSubsurface(surfaces[1], to: surfaces[0])
        try model.addPopup(surfaces[2], to: window, at: .zero)
        try model.addPopup(surfaces[3], to: window, at: .zero)
        try model.addSubsurface(surfaces[4], to: surfaces[3])
        #expect(model.rootAndPopups(of: window) == [surfaces[3], surfaces[2], surfaces[0]])
        let branches = API.Tree.surfaces(of: window, model)
        #expect(branches.map(\.id) == [surfaces[3], surfaces[2], surfaces[0]].map(\.text))
        #expect(branches.map { $0.children.map(\.id) } == [[surfaces[4].text], [], [surfaces[1].text]])
        try model.destroyWindow(window)
        #expect(model.rootAndPopups(of: window) == [])
    }
}
