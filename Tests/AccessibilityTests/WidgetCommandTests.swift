// widgets, find, click, scroll and type of mullionctl, on programs whose widgets a test decides.

import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import Accessibility

@Suite struct WidgetCommandTests {
    typealias Node = FakeBus.Node

    let fixture: ServerFixture
    let control: ControlSession
    let bus: FakeBus
    let client: TestClient
    let window: TestWindow
    let input: TestInput
    let root: Node

    /// A window of 200 × 100 points at 30,40, and a program that describes it.
    init() throws {
        fixture = try ServerFixture(screens: ["800x600,name=PANEL"])
        control = try ControlSession(fixture)
        bus = try FakeBus(folder: control.folder)
        client = try fixture.connect("program")
        window = client.window("Form").color(0xff00_ff00).frame(30, 40, 200, 100)
        window.show()
        input = try TestInput(client)
        try fixture.pump()
        for id in fixture.model.windows {
            if let owner = fixture.model.window(id)?.application { try fixture.model.setName("program", of: owner) }
        }
        root = Node(75, "program", children: [Node(23, "Form", (0, 0, 200, 100))])
        bus.programs = [FakeBus.Program(name: ":1.5", root: root)]
    }

    func mullionctl(_ words: String...) throws -> (status: Int32, output: String) { try mullionctl(words) }

    func mullionctl(_ words: [String]) throws -> (status: Int32, output: String) { try end(start(words)) }

    func start(_ words: [String]) throws -> Program {
        try fixture.spawn(
            "\(Programs.built)/mullionctl", ["--control", "\(control.folder)/socket"] + words,
            environment: ["AT_SPI_BUS_ADDRESS": bus.address])
    }

    /// Answers a program's calls until a condition holds.
    func serve(_ program: Program, until isDone: () -> Bool) throws {
        try fixture.wait(for: "mullionctl") {
            try bus.serve()
            _ = program.readOutput()
            return isDone()
        }
    }

    func end(_ program: Program) throws -> (status: Int32, output: String) {
        try serve(program) { !program.isRunning }
        return (program.exitStatus ?? -1, program.readOutput())
    }

    func show(_ nodes: Node...) { root.children[0].children = nodes }

    @Test("widgets prints the tree, and as JSON with ids, states and frames")
    func tree() throws {
        let entry = Node(61, "Name", (10, 50, 80, 20), states: [.sensitive, .showing, .visible, .editable])
        entry.text = "Ada"
        show(Node(39, "", (0, 0, 200, 40), children: [Node(43, "Save", (10, 10, 80, 20))]), entry)
        let text = try mullionctl("widgets")
        #expect(
            text.output == """
                window 1 "Form", program (fake)
                  window "Form"  0,0 200×100
                    group  0,0 200×40
                      button "Save"  10,10 80×20
                    textbox "Name"  text="Ada"  10,50 80×20

                """)
        let json = try mullionctl("--json", "widgets", "1").output
        let place = #"{"height":20,"width":80,"x":10,"y":50}"#
        let field = [
            #"{"application":"program","children":[],"description":"","frame":\#(place)"#, #""id":":1.5/root/0/1""#,
            #""name":"Name","nativeRole":"text","part":\#(place),"partInWindow":\#(place),"role":"textbox""#,
            #""states":["enabled","visible","showing","editable"],"text":"Ada","window":1}"#,
        ]
        #expect(json.contains(field.joined(separator: ",")), "\(json)")
        #expect(try mullionctl("widgets", "9").status == 1)
    }

    @Test("find takes exact names and expressions, and names the nearest when there is none")
    func find() throws {
        show(Node(43, "Save", (10, 10, 80, 20)), Node(43, "Save as", (10, 40, 80, 20)), Node(7, "Saved", (0, 70, 9, 9)))
        let found = try mullionctl("find", "role=button", "name=Save")
        #expect(found.status == 0 && found.output == "button \"Save\"  10,10 80×20  in window 1 \"Form\"\n")
        #expect(try mullionctl("find", "name=/^save/i").output.split(separator: "\n").count == 3)
        #expect(try mullionctl("find", "role=push button", "name=/as$/", "window=Form").output.contains("Save as"))
        #expect(try mullionctl("find", "name=Save", "state=focused").status == 1)
        #expect(try mullionctl("find", "name=Save", "state=!focused,enabled").status == 0)
        let missing = try mullionctl("find", "role=button", "name=Svae")
        #expect(missing.status == 1)
        #expect(missing.output.contains("no widget has role=button name=Svae; the nearest: button \"Save\""))
        let role = try mullionctl("find", "role=buton")
        #expect(role.status == 2 && role.output.contains("\"buton\" is not a role; use button"))
    }

    @Test(
        "wait returns when a widget or a text is there or gone, and else says what there is; exit status 0, 124 and 2")
    func wait() throws {
        let save = Node(43, "Save", (10, 10, 80, 20))
        show(save)
        let there = try mullionctl("wait", "widget", "role=button", "name=Save")
        #expect(there.status == 0 && there.output == "button \"Save\"\n", "\(there)")
        let json = try mullionctl("--json", "wait", "widget", "name=Save").output
        #expect(json.hasPrefix("{\"widgets\":[{") && json.contains(#""role":"button""#), "\(json)")
        let text = try mullionctl("wait", "text", "Save", "timeout=1s")
        #expect(text.status == 0, "\(text)")
        let still = try mullionctl("wait", "widget", "name=Save", "gone", "timeout=0s")
        #expect(still.status == 124 && still.output.contains("button \"Save\" has name=Save"), "\(still)")
        let other = try mullionctl("wait", "timeout=0s", "text", "Saved")
        #expect(other.status == 124, "\(other)")
        let missing = try mullionctl("wait", "text", "Saved", "timeout=0s")
        #expect(missing.status == 124 && missing.output.contains("button \"Save\" in window 1"), "\(missing)")
        #expect(try mullionctl("wait", "widget", "name=Svae", "gone").status == 0)
        for words in [
            ["widget"], ["widget", "Save"], ["text"], ["text", "a", "b"], ["widget", "name=a", "timeout=11m"],
        ] {
            #expect(try mullionctl(["wait"] + words).status == 2, "\(words)")
        }
        // It changes while a command waits.
        let program = try start(["wait", "widget", "name=Saved", "timeout=60s"])
        let before = bus.calls
        try serve(program) { bus.calls > before }
        show(save, Node(29, "Saved", (10, 40, 80, 20)))
        bus.namePaths()
        #expect(try end(program).output == "label \"Saved\"\n")
    }

    @Test("H3: click finds the middle of a widget in its window, wherever that is")
    func click() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let answer = try mullionctl("click", "role=button", "name=Save")
        #expect(answer.status == 0 && answer.output.hasPrefix("button \"Save\": window 1 \"Form\""), "\(answer)")
        #expect(answer.output.contains("at 50,20"))
        // The screen turns, and the window is elsewhere.
        try fixture.model.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0, time: 1)
        window.frame(200, 300, 200, 100).commit()
        try fixture.pump()
        #expect(try mullionctl("click", "name=Save").output.contains("at 50,20"))
    }

    @Test("places are those of the surface, of its content or of pixels, as the size shows")
    func places() throws {
        show(Node(43, "Save", (103, 130, 80, 20)))
        // Qt's decoration: 3 points around, 30 above.
        root.children[0].extents = (100, 100, 194, 67)
        #expect(try mullionctl("find", "name=Save").output.contains("6,60 80×20"))
        try fixture.model.setScale(2, of: fixture.mainScreen)
        root.children[0].extents = (0, 0, 400, 200)
        root.children[0].children[0].extents = (20, 20, 160, 40)
        #expect(try mullionctl("find", "name=Save").output.contains("10,10 80×20"))
    }

    @Test(
        "click waits for one widget that is enabled, visible and in view, and says what it is instead",
        arguments: [
            ("disabled", "button \"Save\" is disabled"), ("hidden", "button \"Save\" is hidden"),
            ("twice", "2 widgets have name=Save"), ("moving", "button \"Save\" does not stand still"),
            ("covered", "button \"Save\" is covered at 80,60 of PANEL by window 2 \"Alert\""),
            ("outside", "button \"Save\" is out of view"), ("absent", "no widget has name=Save"),
        ])
    func readiness(kind: String, message: String) throws {
        let button = Node(43, "Save", (10, 10, 80, 20))
        show(button)
        switch kind {
        case "disabled": button.states = [.showing, .visible]
        case "hidden": button.states = [.enabled]
        case "twice": show(button, Node(43, "Save", (10, 40, 80, 20)))
        case "moving": button.onExtents = { $0.extents.0 = ($0.extents.0 + 1) % 50 }
        case "covered":
            client.window("Alert").color(0xffff_0000).frame(60, 50, 40, 40).level(2000).show()
            try fixture.pump()
        case "outside": button.extents = (300, 10, 80, 20)
        default: button.name = "Open"
        }
        let answer = try mullionctl("click", "name=Save", "timeout=2")
        #expect(answer.status == 124 && answer.output.contains("not fulfilled within 2 s: \(message)"), "\(answer)")
    }

    @Test("a widget that becomes ready in time is clicked")
    func becomesReady() throws {
        let button = Node(43, "Save", (10, 10, 80, 20), states: [.showing, .visible])
        show(button)
        var looks = 0
        button.onExtents = { button in
            looks += 1
            if looks > 4 { button.states = [.enabled, .showing, .visible] }
        }
        #expect(try mullionctl("click", "name=Save", "timeout=30").status == 0)
    }

    @Test("what one widget shows is meant where others of the name are hidden")
    func hiddenTwin() throws {
        show(Node(43, "Save", (10, 10, 80, 20)), Node(43, "Save", (10, 40, 80, 20), states: [.enabled, .visible]))
        #expect(try mullionctl("click", "name=Save", "timeout=10s").output.contains("at 50,20"))
    }

    @Test("type clicks the field first; a single word is a text, whatever it looks like")
    func typing() throws {
        let entry = Node(61, "Name", (10, 10, 80, 20), states: [.enabled, .showing, .visible, .editable])
        show(Node(29, "Name", (10, 40, 80, 20)), entry)
        window.makeKey()
        try fixture.pump()
        let input = try TestInput(client)
        try fixture.pump()
        let answer = try mullionctl("type", "into=Name", "ab")
        #expect(answer.status == 0, "\(answer)")
        #expect(input.events.contains { $0.contains("button") } && input.events.contains { $0.contains("key") })
        #expect(try mullionctl("type", "name=x").output.hasPrefix("window 1"))
        for answer in [try mullionctl("type", ""), try mullionctl("type", "into=Name", "")] {
            #expect(answer.status == 2 && answer.output.contains("type: TEXT is empty; a text of at"), "\(answer)")
        }
    }

    @Test("a program that does not answer is named, and delays others only once")
    func silence() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let stuck = Node(75, "stuck", children: [Node(23, "Other", (0, 0, 10, 10))])
        bus.programs[0].pid = getpid()
        bus.programs.insert(FakeBus.Program(name: ":1.4", pid: getpid(), isSilent: true, root: stuck), at: 0)
        #expect(try mullionctl("find", "name=Save").status == 0)
        let once = bus.unanswered
        #expect(once > 0)
        // It looks more than once, until the button stands still.
        let answer = try mullionctl("click", "name=Save", "timeout=60")
        #expect(answer.status == 0 && bus.unanswered == 2 * once, "\(answer)")
        let remark = "mullionctl: program (process \(getpid())) does not answer on the accessibility bus"
        #expect(answer.output.contains(remark), "\(answer)")
    }

    @Test("a tree of more than 10,000 widgets is cut, with a remark")
    func hugeTree() throws {
        let rows = (0..<150).map { row in
            Node(39, "", (0, 0, 200, 100), children: (0..<99).map { Node(29, "\(row)/\($0)", (1, 1, 9, 9)) })
        }
        root.children[0].children = rows
        let answer = try mullionctl("find", "name=0/0")
        #expect(answer.status == 0, "\(answer.output.prefix(400))")
        #expect(answer.output.contains("program has more than 10000 widgets; the others are left out"))
    }

    @Test("a tree that contains itself ends")
    func cycles() throws {
        let button = Node(43, "Save", (10, 10, 80, 20))
        show(button)
        var deep = button
        for _ in 0..<200 {
            deep.children = [Node(39, "", (10, 10, 80, 20))]
            deep = deep.children[0]
        }
        let answer = try mullionctl("find", "name=Save")
        #expect(answer.status == 0 && answer.output.contains("nests more than 100 widgets"), "\(answer)")
    }

    @Test("without a bus the message says what to do")
    func noBus() throws {
        let path = "\(control.folder)/socket"
        bus.instead = { $0.destination == "org.a11y.Bus" ? $0.error("org.test.None") : nil }
        for (variables, message) in [
            ([:], "DBUS_SESSION_BUS_ADDRESS names no session bus"),
            (
                ["AT_SPI_BUS_ADDRESS": "unix:path=/no/bus"],
                "the bus at unix:path=/no/bus cannot be reached: No such file"
            ),
            (["DBUS_SESSION_BUS_ADDRESS": "disabled:"], "\"disabled:\" is not the address of a bus"),
            (["DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/true"], "/bin/true\" is not the address of a bus"),
            (["DBUS_SESSION_BUS_ADDRESS": bus.address], "(org.test.None); use apt-get install at-spi2-core"),
            // As in a run without --accessibility.
            (
                ["DBUS_SESSION_BUS_ADDRESS": bus.address, "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"],
                "this run has no accessibility bus; use mullionctl run --accessibility"
            ),
            (
                ["DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"],
                "this run has no accessibility bus; use mullionctl run --accessibility"
            ),
        ] {
            let program = try fixture.spawn(
                "\(Programs.built)/mullionctl", ["--control", path, "widgets"], environment: variables)
            try serve(program) { !program.isRunning }
            let output = program.readOutput()
            #expect(program.exitStatus == 1 && output.contains(message), "\(output)")
        }
    }
}
