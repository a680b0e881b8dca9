// Random changes by programs and through the control API, with the agreement checked after each.

import FoundationEssentials
import TestSupport

/// Three programs and a server, and what has been done to them.
final class AgreementRun {
    let server: ServerProcess
    var random: SeededRandom
    private var programs: [LibraryProcess]
    /// The numbers of each program's windows, by their ids.
    private var numbers: [[UInt32: Int]]
    private var created = 0
    /// The number of the window that each program created last.
    private var newest = [0, 0, 0]
    private var restarts = 0
    /// What was done last, for messages.
    private(set) var lastStep = "the start"

    init(_ random: SeededRandom) throws {
        self.random = random
        server = try ServerProcess(
            options: [
                "--screen", "phone-375x667@2x,name=MAIN", "--screen", "laptop-1440x900,name=SECOND,kind=external",
            ],
            program: Programs.built + "/mulliond")
        programs = []
        numbers = []
        for index in 0..<3 {
            programs.append(try LibraryProcess("program-\(index)", server))
            numbers.append([:])
        }
        try synchronize()
    }

    /// Does something at random.
    /// - Returns: what the library and the server disagree about.
    func step() throws -> [String] {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: return try changeByProgram()
        case ..<45: try changeAtOnce()
        case ..<78: try changeWindowByControl()
        case ..<80: return try destroyByControl()
        case ..<97: try changeScreen()
        default: try restart()
        }
        return try disagreements()
    }

    // MARK: Programs

    private func changeByProgram() throws -> [String] {
        let index = Int.random(in: programs.indices, using: &random)
        let line = randomLine(for: index)
        lastStep = "\(programs[index].name): \(line)"
        return try disagreements(with: programs[index].perform(line), of: index)
    }

    /// Requests of all programs and of the control API that cross: only the server knows which came first.
    private func changeAtOnce() throws {
        var steps: [String] = []
        for index in programs.indices {
            let line = randomLine(for: index)
            steps.append("\(programs[index].name): \(line)")
            try programs[index].send(line)
        }
        for _ in 0..<3 {
            try changeWindowByControl()
            steps.append(lastStep)
        }
        lastStep = "at once: " + steps.joined(separator: " | ")
        for program in programs { _ = try program.receive() }
    }

    private func randomLine(for index: Int) -> String {
        var requests: [String] = []
        let own = numbers[index].values.sorted()
        if own.isEmpty || (own.count < 6 && Int.random(in: 0..<4, using: &random) == 0) {
            created += 1
            newest[index] = created
            let place = Bool.random(using: &random) ? randomScreen() + " " + randomFrame() : randomScreen()
            requests.append("create \(created) \(place)")
            requests.append("title \(created) window \(created)")
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let number = own.randomElement(using: &random) else { break }
            requests.append(request(for: number))
            // Nothing can follow in the same window.
            if requests.last?.hasPrefix("close") == true { break }
        }
        return requests.isEmpty ? "report" : requests.joined(separator: ";")
    }

    private func request(for number: Int) -> String {
        let onOff = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return "level \(number) \(randomLevel())"
        case 1: return "hide \(number)"
        case 2, 3: return "show \(number)"
        case 4, 5: return "showAsKey \(number)"
        case 6: return "key \(number)"
        case 7: return "relinquish \(number)"
        case 8: return "canBecomeKey \(number) \(onOff)"
        case 9: return "frame \(number) \(randomFrame())"
        case 10: return "screen \(number) \(randomScreen())"
        case 11: return "alpha \(number) \(randomAlpha())"
        case 12: return "interaction \(number) \(onOff)"
        case 13: return "autoresizing \(number) \(Int.random(in: 0..<64, using: &random))"
        default: return "close \(number)"
        }
    }

    /// W7: a program that crashed leaves no windows, and key passes on.
    private func restart() throws {
        let index = Int.random(in: programs.indices, using: &random)
        let name = programs[index].name
        lastStep = "\(name) crashes"
        programs[index].crash()
        try server.fixture.wait(for: "the end of \(name)") {
            try !ServerPicture.applications(of: server).contains { $0.name == name }
        }
        restarts += 1
        numbers[index] = [:]
        programs[index] = try LibraryProcess("program-\(index)-\(restarts)", server)
    }

    // MARK: The control API

    private func changeWindowByControl() throws {
        guard let index = numbers.indices.randomElement(using: &random),
            let id = numbers[index].keys.sorted().randomElement(using: &random)
        else { return try changeScreen() }
        guard Int.random(in: 0..<20, using: &random) > 0 else {
            // The program closes it.
            return try control("DELETE", "/windows/\(id)")
        }
        var fields: [String] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let field = windowField()
            let name = field.prefix { $0 != ":" }
            if !fields.contains(where: { $0.hasPrefix(name) }) { fields.append(field) }
        }
        try control("PATCH", "/windows/\(id)", "{\(fields.joined(separator: ", "))}")
    }

    /// W7: hides the window first. Its program learns that it is closed; closing it once more does nothing.
    private func destroyByControl() throws -> [String] {
        guard let index = numbers.indices.randomElement(using: &random),
            let (id, number) = numbers[index].sorted(by: { $0.key < $1.key }).randomElement(using: &random)
        else { return [] }
        try control("DELETE", "/windows/\(id)?force=true")
        let picture = try programs[index].perform("report")
        let found = try disagreements(with: programs[index].perform("close \(number)"), of: index)
        let isLeft = picture.windows.contains { $0.number == number }
        return isLeft ? found + ["window \(number) is left"] : found
    }

    private func windowField() -> String {
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "\"level\": \(randomLevel())"
        case 1, 2: return "\"hidden\": \(flag)"
        case 3:
            let frame = randomFrame().split(separator: ",")
            return #""frame": {"x": \#(frame[0]), "y": \#(frame[1]), "width": \#(frame[2]), "height": \#(frame[3])}"#
        case 4: return "\"alpha\": \(randomAlpha())"
        case 5: return "\"screen\": \"\(randomScreen())\""
        case 6: return "\"title\": \"renamed \(Int.random(in: 0..<100, using: &random)) ü\""
        case 7, 8: return "\"key\": \(flag)"
        case 9: return "\"front\": true"
        case 10: return "\"userInteractionEnabled\": \(flag)"
        default: return #""autoresizing": \#(flag ? #"["width", "topMargin"]"# : #"["height", "leftMargin"]"#)"#
        }
    }

    private func changeScreen() throws {
        let names = try ServerPicture.screens(of: server).map(\.name)
        guard let name = names.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
            let models = ["tv-pal-576", "phone-375x667@2x", "projector-xga", "laptop-1440x900"]
            guard names.count < 4, let name = ["MAIN", "SECOND", "THIRD", "TV"].first(where: { !names.contains($0) })
            else { return try control("DELETE", "/screens/\(names[0])") }
            let kind = name == "MAIN" ? "builtIn" : "external"
            let model = models.randomElement(using: &random) ?? models[0]
            return try control("POST", "/screens", #"{"model": "\#(model)", "name": "\#(name)", "kind": "\#(kind)"}"#)
        }
        let field: String
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            let orientations = ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"]
            let duration = Bool.random(using: &random) ? "0" : "0.2"
            field = #""orientation": "\#(orientations.randomElement(using: &random) ?? "")", "duration": \#(duration)"#
        case 2:
            let scale = ["1", "1.5", "2", "3"].randomElement(using: &random) ?? "1"
            field = "\"scale\": \(scale)"
        case 3: field = "\"mode\": \"\(Bool.random(using: &random) ? "1280x800@60" : "1440x900@60")\""
        case 4:
            let overscan = ["scale", "insetBounds", "none"].randomElement(using: &random) ?? ""
            field = "\"overscan\": \"\(overscan)\""
        case 5: field = "\"brightness\": \(randomAlpha())"
        case 6:
            let sources = ["automatic", "off"] + names
            field = "\"mirroring\": \"\(sources.randomElement(using: &random) ?? "off")\""
        case 7: field = "\"enabled\": \(Bool.random(using: &random))"
        default: return try control("DELETE", "/screens/\(name)")
        }
        try control("PATCH", "/screens/\(name)", "{\(field)}")
    }

    /// A request that the server may refuse.
    private func control(_ method: String, _ path: String, _ body: String = "") throws {
        let answer = try server.request(method, "/v1" + path, body)
        lastStep = "\(method) \(path) \(body): \(answer.status)"
        guard answer.status < 500, answer.status != 400 else { throw FixtureError("\(lastStep): \(answer.body)") }
    }

    // MARK: Values

    private func randomLevel() -> String {
        ["0", "0", "0", "1", "-3.5", "10", "1000", "2000.25"].randomElement(using: &random) ?? "0"
    }
    private func randomAlpha() -> String { ["0", "0.005", "0.3", "1", "1"].randomElement(using: &random) ?? "1" }
    private func randomScreen() -> String {
        ["MAIN", "SECOND", "THIRD", "TV"].randomElement(using: &random) ?? "MAIN"
    }
    private func randomFrame() -> String {
        let size = Int.random(in: 0...300, using: &random)
        return "\(Int.random(in: -50...300, using: &random)).25,\(Int.random(in: 0...300, using: &random)),\(size),77.5"
    }

    // MARK: Agreement

    /// Lets all programs handle what has happened, to which they may react, and learns the ids of new windows.
    private func synchronize() throws {
        for program in programs { _ = try program.perform("report") }
        let applications = try ServerPicture.applications(of: server)
        for index in programs.indices {
            let present = Set(applications.first { $0.name == programs[index].name }?.windows ?? [])
            numbers[index] = numbers[index].filter { present.contains($0.key) }
            let new = present.subtracting(numbers[index].keys)
            guard new.count <= 1 else { throw FixtureError("\(new.count) windows came at once") }
            for id in new { numbers[index][id] = newest[index] }
        }
    }

    /// Compares what each library believes with what the server says.
    /// - Parameter immediate: what the library of a program believed right after its last requests.
    private func disagreements(with immediate: Picture? = nil, of index: Int = 0) throws -> [String] {
        try synchronize()
        let state = try ServerPicture(server)
        var found: [String] = []
        if let immediate {
            let server = try state.picture(of: programs[index].name, numbers[index])
            found += Picture.differences(immediate.windowFacts, server.windowFacts).map { "at once, \($0)" }
        }
        for (program, numbers) in zip(programs, numbers) {
            let library = try program.perform("report")
            let server = try state.picture(of: program.name, numbers)
            found += Picture.differences(library.windowFacts, server.windowFacts).map { "\(program.name): \($0)" }
            found += Picture.differences(library.screenFacts, server.screenFacts).map { "\(program.name): \($0)" }
            let order = library.windows.filter(\.isVisible).map(\.number)
            for drawn in state.drawn(program.name, numbers) where drawn != order.filter({ drawn.contains($0) }) {
                found.append("\(program.name): \(drawn) are drawn in this order, windows are \(order)")
            }
        }
        return found
    }
}
