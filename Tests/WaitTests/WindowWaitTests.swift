// Waiting for windows, applications, clients and screens.

import DisplayServer
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct WindowWaitTests {
    @Test("window: a wait ends when a matching window exists, with that window")
    func appears() throws {
        let setup = try WaitFixture()
        let wait = try setup.begin("for=window&title=late&visible")
        let client = try setup.fixture.connect("app")
        let other = client.window("early").color(0xffff_0000)
        other.show()
        let window = client.window("late").color(0xffff_0000)
        window.commit()
        try setup.fixture.pump()
        #expect(wait.answer == nil, "it is hidden")
        window.show()
        let report = try setup.report(wait)
        #expect(report.windows?.map(\.title) == ["late"] && report.windows?.first?.visible == true)
        #expect(report.condition == "window title=late visible" && (report.elapsed ?? -1) >= 0)
        #expect(setup.fixture.server.onEffect == nil, "nothing is observed while nobody waits")
        #expect(try setup.fulfilled("for=window&title=late").windows?.count == 1, "it is there already")
    }

    @Test(
        "a program is meant by its whole name and by the 15 bytes that the kernel keeps of it, whichever it has",
        arguments: ["gnome-calculator", "gnome-calculato"])
    func longNames(name: String) throws {
        let setup = try WaitFixture()
        let client = try setup.fixture.connect("app")
        client.window("w").color(0xffff_0000).show()
        try setup.fixture.pump()
        for id in setup.fixture.model.applications { try setup.fixture.model.setName(name, of: id) }
        for word in ["gnome-calculator", "gnome-calculato"] {
            #expect(try setup.fulfilled("for=window&application=\(word)").windows?.count == 1)
            #expect(try setup.fulfilled("for=application&application=\(word)").applications?.count == 1)
        }
        #expect(try setup.fulfilled("for=gone&application=gnome-calc").windows == [])
    }

    @Test("gone: a wait ends when the last matching window has gone; one that never existed has")
    func gone() throws {
        let setup = try WaitFixture()
        #expect(try setup.fulfilled("for=gone&title=w").windows == [])
        let client = try setup.fixture.connect("app")
        let windows = [client.window("w"), client.window("w")]
        windows.forEach { $0.color(0xffff_0000).show() }
        try setup.fixture.pump()
        let wait = try setup.begin("for=gone&title=w")
        let hidden = try setup.begin("for=gone&title=w&visible=true")
        windows[0].destroy()
        try setup.fixture.pump()
        #expect(wait.answer == nil && hidden.answer == nil)
        windows[1].hide()
        #expect(try setup.report(hidden).windows == [])
        try setup.fixture.pump()
        #expect(wait.answer == nil)
        try client.kill()
        #expect(try setup.report(wait).condition == "gone title=w")
    }

    @Test("window: every word, both ways")
    func words() throws {
        let setup = try WaitFixture(screens: ["200x100,name=A", "200x100,name=B"])
        let client = try setup.fixture.connect("app")
        client.application.send(.setName(name: "editor"))
        let screen = try #require(client.screens.first { $0.name == "B" })
        let first = client.window("Save as").color(0xffff_0000)
        first.show()
        first.makeKey()
        client.window("Save all", on: screen).color(0xffff_0000).show()
        client.window("hidden").commit()
        try setup.fixture.pump()
        for (words, count) in [
            ("", 3), ("title=Save%20as", 1), ("title=/Save/", 2), ("title=/^save.*l$/i", 1), ("application=editor", 3),
            ("application=/edit/", 3), ("application=nobody", 0), ("screen=B", 1), ("screen=2", 1), ("screen=C", 0),
            ("visible", 2), ("visible=false", 1), ("key", 1), ("key=false", 2), ("key=true&title=Save%20all", 0),
        ] {
            let query = "for=window&" + words
            if count > 0 {
                #expect(try setup.fulfilled(query).windows?.count == count, "\(words)")
                #expect(try setup.unfulfilled(query.replacing("=window", with: "=gone")).count == 1)
            } else {
                #expect(try setup.unfulfilled(query).count == 1, "\(words)")
                #expect(try setup.fulfilled(query.replacing("=window", with: "=gone")).windows == [])
            }
            #expect(try setup.fulfilled("\(query)&count=\(count)").windows?.count == count)
            #expect(try setup.unfulfilled("\(query)&count=\(count + 1)").count == 1)
        }
    }

    @Test("window: titles, keys, screens and names that change are noticed")
    func changes() throws {
        let setup = try WaitFixture(screens: ["200x100,name=A", "200x100,name=B"])
        let client = try setup.fixture.connect("app")
        let window = client.window("old").color(0xffff_0000)
        window.show()
        try setup.fixture.pump()
        let id = try #require(setup.fixture.model.windows.first)
        let waits = try ["title=new", "key", "screen=B", "application=renamed"].map {
            try setup.begin("for=window&" + $0)
        }
        func ended() throws -> [Bool] {
            try setup.fixture.pump()
            return waits.map { $0.answer != nil }
        }
        #expect(try ended() == [false, false, false, false])
        window.window.send(.setTitle(title: "new"))
        window.commit()
        #expect(try ended() == [true, false, false, false])
        window.makeKey()
        #expect(try ended() == [true, true, false, false])
        try setup.fixture.model.move(id, to: setup.fixture.model.screens[1])
        #expect(try ended() == [true, true, true, false])
        client.application.send(.setName(name: "renamed"))
        #expect(try ended() == [true, true, true, true])
    }

    @Test("application and client: by name, application id and process")
    func applications() throws {
        let setup = try WaitFixture()
        let byName = try setup.begin("for=application&application=editor")
        let byID = try setup.begin("for=application&application=org.example.Editor")
        let any = try setup.begin("for=client")
        let own = try setup.begin("for=client&pid=\(getpid())")
        let foreign = try setup.begin("for=client&pid=1")
        #expect([byName, byID, any, own].allSatisfy { $0.answer == nil })
        let client = try setup.fixture.connect("app")
        #expect(try setup.report(any).applications?.count == 1 && setup.report(own).applications?.count == 1)
        client.application.send(.setName(name: "editor"))
        #expect(try setup.report(byName).applications?.first?.name == "editor")
        let toplevel = client.toplevel("t")
        toplevel.toplevel.send(.setAppId(appId: "org.example.Editor"))
        try setup.fixture.pump()
        #expect(try setup.report(byID).applications?.count == 1 && foreign.answer == nil)
        #expect(try setup.fulfilled("for=window&application=org.example.Editor").windows?.first?.applicationID != nil)
        #expect(try setup.unfulfilled("for=client&pid=1").first?.reason == "no client of this process is connected")
    }

    @Test("application: it matches as long as one of its windows has the application id")
    func applicationIDs() throws {
        let setup = try WaitFixture()
        let client = try setup.fixture.connect("app")
        let toplevels = ["one", "two"].map { client.toplevel($0) }
        for toplevel in toplevels {
            toplevel.toplevel.send(.setAppId(appId: "org.example.Editor"))
            toplevel.surface.send(.commit)
        }
        try setup.fixture.pump()
        let query = "for=application&application=org.example.Editor&for=window&title="
        let waits = try ["first", "second", "third"].map { try setup.begin(query + $0) }
        let window = client.window("first")
        window.commit()
        #expect(try setup.report(waits[0]).applications?.count == 1)
        toplevels[0].toplevel.send(.setAppId(appId: "org.example.Viewer"))
        window.window.send(.setTitle(title: "second"))
        window.commit()
        #expect(try setup.report(waits[1]).applications?.count == 1, "the other window has it")
        toplevels[1].toplevel.send(.destroy)
        window.window.send(.setTitle(title: "third"))
        window.commit()
        try setup.fixture.pump()
        #expect(waits[2].answer == nil)
        toplevels[0].toplevel.send(.setAppId(appId: "org.example.Editor"))
        #expect(try setup.report(waits[2]).applications?.count == 1)
    }

    @Test("screen: connected, disconnected and main")
    func screens() throws {
        let setup = try WaitFixture(screens: [])
        let main = try setup.begin("for=screen&screen=TV&main")
        let second = try setup.begin("for=screen&screen=B")
        _ = try setup.fixture.server.plug(ScreenSpecification(parsing: "80x60,name=TV"))
        #expect(try setup.report(main).screen?.name == "TV" && second.answer == nil)
        let screen = try setup.fixture.server.plug(ScreenSpecification(parsing: "80x60,name=B"))
        #expect(try setup.report(second).condition == "screen B connected")
        #expect(try setup.unfulfilled("for=screen&screen=B&main").first?.reason == "it is not the main screen")
        let gone = try setup.begin("for=screen&screen=B&connected=false")
        #expect(gone.answer == nil)
        try setup.fixture.server.disconnect(screen)
        #expect(try setup.report(gone).screen == nil)
        let unmet = try setup.unfulfilled("for=screen&screen=TW")
        #expect(unmet.first?.instead.map(\.text) == ["screen 1 TV, the main one"], "\(unmet)")
    }

    @Test("several conditions have to hold at the same moment")
    func several() throws {
        let setup = try WaitFixture()
        let client = try setup.fixture.connect("app")
        let wait = try setup.begin("for=window&title=a&visible&for=gone&title=b&for=window&title=c")
        let a = client.window("a").color(0xffff_0000)
        let b = client.window("b").color(0xffff_0000)
        a.show()
        b.show()
        try setup.fixture.pump()
        a.hide()
        b.destroy()
        client.window("c").commit()
        try setup.fixture.pump()
        #expect(wait.answer == nil, "a is hidden")
        a.show()
        let report = try setup.report(wait)
        #expect(report.windows?.map(\.title) == ["a", "c"])
        #expect(report.condition == "window title=a visible and gone title=b and window title=c")
    }

    @Test("when the time is up: what there is instead, nearest first, with the reasons")
    func instead() throws {
        let setup = try WaitFixture(screens: ["200x100,name=A", "200x100,name=B"])
        let empty = try setup.unfulfilled("for=window&title=x")
        #expect(empty.first?.reason == "no program is connected" && empty.first?.instead.isEmpty == true)
        let client = try setup.fixture.connect("app")
        client.application.send(.setName(name: "editor"))
        for title in ["Open file", "Save As", "Preferences"] { client.window(title).color(0xffff_0000).show() }
        let toplevel = client.toplevel("Save as")
        toplevel.surface.send(.commit)
        try setup.fixture.pump()
        let unmet = try setup.unfulfilled("for=window&title=Save%20as&visible&screen=A", timeout: "20")
        #expect(unmet.count == 1 && unmet.first?.condition == "window title=\"Save as\" screen=A visible")
        #expect(unmet.first?.reason == "no window matches")
        let near = unmet.first?.instead ?? []
        #expect(near.count == 4)
        #expect(near[0].text == "window 4 \"Save as\" of editor, hidden: it has no content yet", "\(near)")
        #expect(near[1].title == "Save As" && near[1].text == "window 2 \"Save As\" of editor")
        let count = try setup.unfulfilled("for=window&count=3")
        #expect(count.first?.reason == "4 windows match, not 3" && count.first?.instead.count == 4)
        let left = try setup.unfulfilled("for=gone&title=Preferences")
        #expect(left.first?.instead.map(\.text) == ["window 3 \"Preferences\" of editor"])
        let name = try setup.unfulfilled("for=application&application=editro")
        #expect(name.first?.instead.first?.text == "application 1 editor (pid \(getpid()))")
        let both = try setup.unfulfilled("for=window&title=x&for=application&application=y&for=client")
        #expect(both.map(\.condition) == ["window title=x", "application y"])
    }

    @Test(
        "mistakes are refused, with what is allowed",
        arguments: [
            ("", "\"for\" is missing; use window, gone"), ("for=windows", "is not a condition; use window"),
            ("for=idle&title=x", "\"title\" is not a word of the condition idle; it has none"),
            ("for=gone&count=1", "use title, application, screen, visible, key"),
            ("for=window&title=a&title=b", "title is given twice"), ("for=window&count=-1", "use 0…"),
            ("for=window&visible=maybe", "use true or false"), ("for=application", "needs application"),
            ("for=screen", "needs screen"), ("for=pixel&x=1&color=%23ff0000", "needs x and y"),
            ("for=pixel&x=1&y=1&color=red", "use #RRGGBB"), ("for=still&duration=fast", "is not a duration"),
            ("for=still&duration=11m", "is not a duration"), ("for=idle&timeout=601s", "at most 10 minutes"),
            ("for=idle&timeout=1&timeout=2", "is repeated"), ("for=window&title=/(/", "a ( has no )"),
            ("title=x&for=idle&for=client", "comes before every"), ("for=window&sceen=A", "is not a query item"),
            (String(repeating: "for=idle&", count: 9), "at most 8"),
        ])
    func mistakes(query: String, message: String) throws {
        let setup = try WaitFixture()
        let answer = try setup.control.send("GET", "/v1/wait?" + query)
        let problem = answer.body.replacing("\\\"", with: "\"")
        #expect(answer.status == 400 && problem.contains(message), "\(query): \(answer)")
    }
}
