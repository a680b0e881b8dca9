// Programs that answer slowly, or describe something without an end: commands end all the same.

import Glibc
import TestSupport
import Testing

@testable import Accessibility

extension WidgetCommandTests {
    /// A program in which every object has a child of a new name, and answers as often as `FakeBus.pace` says.
    private func showEndlessTree() {
        show(Node(43, "Save", (10, 10, 80, 20)))
        // Its windows are known by the process.
        bus.programs[0].pid = getpid()
        bus.instead = { call in
            guard call.destination == ":1.5" else { return nil }
            switch call.member {
            case "GetRole": return call.reply("u") { $0.put(UInt32(39)) }
            case "GetState": return call.reply("au") { $0.putArray(alignment: 4) { $0.put(UInt32(1 << 30)) } }
            case "GetChildren":
                return call.reply("a(so)") {
                    $0.putArray(alignment: 8) { writer in
                        for number in 0..<3 {
                            writer.align(8)
                            writer.put(":1.5")
                            writer.put("\(call.path)/\(number)")
                        }
                    }
                }
            case "Get" where call.strings.last == "Name": return call.reply("v") { $0.putVariant("Form") }
            default: return nil
            }
        }
    }

    @Test(
        "a program that answers slowly is cut when the time of the command is up, and makes no answer wrong",
        arguments: [
            (["click", "name=Save", "timeout=3s"], 124), (["scroll", "name=Save", "0,10", "timeout=3s"], 124),
            (["type", "into=Save", "a", "timeout=3s"], 124), (["wait", "widget", "name=Save", "timeout=3s"], 124),
            (["wait", "text", "Save", "timeout=3s"], 124),
            (["wait", "widget", "name=Nobody", "gone", "timeout=3s"], 124),
            (["find", "name=Save", "timeout=3s"], 1), (["widgets", "timeout=3s"], 0),
            (["widgets", "name=Save", "timeout=3s"], 0),
        ] as [([String], Int32)])
    func slowProgram(words: [String], status: Int32) throws {
        root.children[0].children = (0..<8).map { Node(43, $0 == 0 ? "Save" : "Button \($0)", (10, 10, 80, 20)) }
        bus.programs[0].pid = getpid()
        #expect(try mullionctl("find", "name=Save").status == 0)
        let whole = bus.answered
        // Often enough to count as an answer.
        bus.pace = 0.5
        let answer = try mullionctl(words)
        #expect(answer.status == status && bus.answered < 2 * whole, "\(answer)")
        #expect(answer.output.contains("had not described all of its widgets when the time was up"), "\(answer)")
    }

    @Test("a program that is slow makes nothing doubtful in the windows of others, which are read first")
    func slowOther() throws {
        showEndlessTree()
        let other = try fixture.spawn(
            "\(Programs.built)/mullionctl", ["claim", "title=Other", "frame=300,300,100,50"])
        try fixture.wait(for: "its window") { other.readOutput().contains("didBecomeVisible") }
        let group = Node(39, "", (0, 0, 100, 50), children: [Node(43, "Go", (10, 10, 80, 20))])
        let root = Node(75, "other", children: [Node(23, "Other", (0, 0, 100, 50), children: [group])])
        bus.programs.append(FakeBus.Program(name: ":1.6", pid: other.pid, isPaced: false, root: root))
        bus.pace = 0.5
        for (window, status) in [("Other", 0), ("Form", 124)] as [(String, Int32)] {
            let answer = try mullionctl("wait", "widget", "name=Save", "window=\(window)", "gone", "timeout=5s")
            #expect(answer.status == status, "\(answer)")
        }
    }

    @Test("without time to wait, programs still have time to answer, and an end", arguments: [0.0, 0.5])
    func noTime(pace: Double) throws {
        showEndlessTree()
        bus.pace = pace
        let answer = try mullionctl("click", "name=Save", "timeout=0s")
        #expect(answer.status == 124 && answer.output.contains("no widget has name=Save"), "\(answer)")
    }

    /// Without a process, its windows are known by their titles, as those of X11 programs are.
    @Test("while a program does not answer, nothing of it counts as gone", arguments: [true, false])
    func silentProgram(hasProcess: Bool) throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.programs[0].pid = hasProcess ? getpid() : nil
        bus.programs[0].isSilent = true
        let answer = try mullionctl("wait", "widget", "name=Save", "gone", "timeout=0s")
        #expect(answer.status == 124 && answer.output.contains("not everything was described in time"), "\(answer)")
        #expect(!answer.output.contains("is not on the accessibility bus"), "\(answer)")
        #expect(try mullionctl("wait", "widget", "name=Save", "window=Other", "gone", "timeout=30s").status == 0)
        #expect(try mullionctl("--json", "widgets", "1").output.contains(#""complete":false"#))
        bus.programs[0].isSilent = false
        let described = try mullionctl("--json", "widgets", "1").output
        #expect(described.contains("Save") && !described.contains("complete"), "\(described)")
    }

    @Test("while the bus does not say which programs it has, nothing counts as gone")
    func silentRegistry() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.instead = { $0.destination == "org.a11y.atspi.Registry" ? [] : nil }
        let answer = try mullionctl("wait", "widget", "name=Save", "gone", "timeout=0s")
        #expect(answer.status == 124 && answer.output.contains("not everything was described in time"), "\(answer)")
        #expect(answer.output.contains("did not say in time which programs it has"), "\(answer)")
    }

    @Test("a mask of a program that is not described in time is refused", arguments: [true, false])
    func slowMask(hasProcess: Bool) throws {
        let folder = try TemporaryFolder()
        show(Node(43, "Save", (10, 10, 80, 20)))
        client.window("Other").color(0xffff_0000).frame(300, 300, 40, 40).show()
        try fixture.pump()
        let words = ["compare", "\(folder.path)/golden.png"]
        #expect(try mullionctl(words + ["--update"]).status == 0)
        #expect(try mullionctl(words + ["--mask", "name=Save"]).status == 0)
        let pid = hasProcess ? getpid() : nil
        bus.programs[0].pid = pid
        bus.programs.append(FakeBus.Program(name: ":1.4", pid: pid, isSilent: true, root: Node(75, "stuck")))
        let answer = try mullionctl(words + ["--mask", "name=Save"])
        #expect(answer.status == 1 && answer.output.contains("the mask name=Save may not cover all"), "\(answer)")
        // A window that another program describes is not the silent one's.
        #expect(try mullionctl(words + ["--mask", "name=Save,window=Form"]).status == 0)
    }

    @Test("a bus that accepts connections and says nothing does not make a command endless")
    func silentBus() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.instead = { $0.member == "Hello" ? [] : nil }
        let answer = try mullionctl("click", "name=Save", "timeout=3s")
        #expect(answer.status == 1 && answer.output.contains("the bus does not answer"), "\(answer)")
    }

    @Test("a program that is slow for a while is waited for, and nothing of it is missing")
    func patience() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        bus.pace = 0.02
        let answer = try mullionctl("click", "name=Save", "timeout=60s")
        #expect(answer.status == 0 && !answer.output.contains("had not described"), "\(answer)")
    }

    @Test(
        "widgets and find wait for a program that has just started and is not on the bus yet",
        arguments: [
            ["find", "name=Go"], ["widgets"], ["widgets", "name=Go", "application=/claim/"], ["find", "window=Late"],
        ])
    func startingProgram(words: [String]) throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let late = try fixture.spawn(
            "\(Programs.built)/mullionctl", ["claim", "title=Late", "frame=300,300,100,50"])
        try fixture.wait(for: "its window") { late.readOutput().contains("didBecomeVisible") }
        let program = try start(words + ["timeout=60s"])
        // A whole look: it asks for the programs again.
        var looks = 0
        bus.instead = { call in
            if call.destination == "org.a11y.atspi.Registry" { looks += 1 }
            return nil
        }
        try serve(program) { looks > 1 || !program.isRunning }
        let button = Node(43, "Go", (10, 10, 80, 20))
        let root = Node(75, "late", children: [Node(23, "Late", (0, 0, 100, 50), children: [button])])
        bus.programs.append(FakeBus.Program(name: ":1.6", pid: late.pid, root: root))
        bus.namePaths()
        let answer = try end(program)
        #expect(answer.status == 0 && answer.output.contains("\"Late\""), "\(answer)")
        #expect(words.contains("window=Late") || answer.output.contains("button \"Go\""), "\(answer)")
    }

    @Test("nothing is waited for when that does not matter, or there is no time")
    func noWaiting() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        let late = try fixture.spawn(
            "\(Programs.built)/mullionctl", ["claim", "title=Late", "frame=300,300,100,50"])
        try fixture.wait(for: "its window") { late.readOutput().contains("didBecomeVisible") }
        var looks = 0
        bus.instead = { call in
            if call.destination == "org.a11y.atspi.Registry" { looks += 1 }
            return nil
        }
        for (words, status) in [
            (["find", "name=Save"], 0), (["find", "name=Go", "window=Form"], 1),
            (["find", "name=Go", "timeout=0s"], 1),
            (["widgets", "1"], 0), (["widgets", "timeout=0s"], 0), (["widgets", "application=program"], 0),
        ] as [([String], Int32)] {
            looks = 0
            let answer = try mullionctl(words)
            #expect(answer.status == status && looks == 1, "\(words): \(answer), \(looks)")
        }
    }
}
