// xdg-dialog: dialogs for which their parents wait.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ModalDialogTests {
    private let fixture: ServerFixture
    private let control: TestControl
    private let client: TestClient
    private let manager: Proxy<XdgWmDialogV1>

    init() throws {
        fixture = try ServerFixture.handingOver()
        control = try TestControl(fixture)
        client = try fixture.connect()
        manager = try client.bind(XdgWmDialogV1.self)
    }

    private func dialog(_ toplevel: TestToplevel) -> Proxy<XdgDialogV1> {
        let object = Proxy<XdgDialogV1>(client.connection, version: 1)
        manager.send(.getXdgDialog(id: object.id, toplevel: toplevel.toplevel.id))
        return object
    }

    private func isModal(_ title: String) throws -> Bool {
        try fixture.pump()
        let all = fixture.model.windows.compactMap { fixture.model.window($0) }
        let id = try #require(all.first { $0.title == title }).id
        let answer = try control.send("GET", "/v1/windows/\(id)").body
        #expect(answer.contains("\"modal\":"))
        return answer.contains("\"modal\":true")
    }

    @Test("the control API reports a modal dialog that has a parent, until the object is destroyed")
    func modal() throws {
        let main = try TestToplevel.map(client, fixture, "main")
        let question = try TestToplevel.map(client, fixture, "question")
        let object = dialog(question)
        object.send(.setModal)
        #expect(try !isModal("question"), "it has no parent")
        question.toplevel.send(.setParent(parent: main.toplevel.id))
        #expect(try isModal("question") && !isModal("main"))
        object.send(.unsetModal)
        #expect(try !isModal("question"))
        object.send(.setModal)
        #expect(try isModal("question"))
        object.send(.destroy)
        #expect(try !isModal("question"))
        dialog(question).send(.setModal)
        #expect(try isModal("question"))
    }

    @Test("a toplevel is one dialog at a time, and the object outlives it")
    func errors() throws {
        let main = try TestToplevel.map(client, fixture, "main")
        let object = dialog(main)
        main.toplevel.send(.destroy)
        object.send(.setModal)
        object.send(.destroy)
        let other = try TestToplevel.map(client, fixture, "other")
        _ = dialog(other)
        try fixture.pump()
        #expect(client.isOpen)
        _ = dialog(other)
        try fixture.pump()
        #expect(client.protocolError?.code == XdgWmDialogV1.Error.alreadyUsed.rawValue)
    }
}
