// scenario

import FoundationEssentials

extension Command {
    static var scenarioCommands: [Command] {
        [
            Command(
                name: "scenario", arguments: "FILE [--output DIR] [--here|--update]",
                summary: "carry out a scenario and check what it expects",
                details: """
                    FILE is JSON5: timed steps (plug, unplug, flap, mode, rotate, mirror, input, claim, wait, expect,
                    screenshot, compare …). Prints each step; at the first one that is not as expected it says where,
                    what was expected and what was seen, and the exit status is 1. A file with a "server" section gets
                    a server of its own, with the screens and the clock it names; others act on the running server.

                      --output DIR  where pictures go (default: NAME-pictures beside where you are)
                      --here        act on the running server in any case
                      --update      write the golden pictures instead of comparing with them
                    """,
                run: { (call) throws(Failure) in try ScenarioFile.run(call) })
        ]
    }
}

/// A scenario as its file says, made ready for the server: golden pictures travel with it.
struct ScenarioFile {
    private let path: String
    private var contents: [String: JSON]
    /// By the names under which their pictures come back.
    private var goldens: [String: String] = [:]

    static func run(_ call: Invocation) throws(Failure) {
        let output = call.option("--output", "-o").last
        let isHere = call.flag("--here")
        let updates = call.flag("--update")
        var file = try ScenarioFile(try call.word("FILE"))
        try call.end()
        try file.takeGoldens(updates: updates)
        let folder = output ?? "\(file.name)-pictures"
        guard !isHere, call.line.control == nil, let options = try file.serverOptions() else {
            return try file.run(on: call.client, json: call.json, folder, updates: updates)
        }
        var command = [Process.ownPath, "scenario", file.path, "--here", "--output", folder]
        if updates { command.append("--update") }
        if call.json { command.append("--json") }
        try PrivateServer.run(command, options: options)
    }

    private init(_ path: String) throws(Failure) {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else { throw .refused("\(path): cannot be read") }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            contents = try decoder.decode([String: JSON].self, from: data)
        } catch {
            throw .refused("\(path): this is no JSON5 object: \(error)")
        }
    }

    /// The file's, without folder and extension.
    private var name: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").first.map(String.init) ?? file
    }

    // MARK: Goldens

    /// Files are named relative to the scenario's.
    private mutating func takeGoldens(updates: Bool) throws(Failure) {
        var steps = contents["steps"]?.elements ?? []
        for index in steps.indices {
            guard case .object(var fields) = steps[index]["compare"] else { continue }
            guard case .string(let golden)? = fields.removeValue(forKey: "golden") else {
                throw .refused("\(path): step \(index + 1): compare needs \"golden\", the name of a PNG file")
            }
            let file = golden.hasPrefix("/") ? golden : folder + golden
            goldens[golden] = file
            fields["name"] = .string(golden)
            if updates {
                fields["tolerance"] = nil
                steps[index] = .object(["screenshot": .object(fields)])
                continue
            }
            guard let data = FileManager.default.contents(atPath: file) else {
                throw .refused("\(path): step \(index + 1): \(file) cannot be read; --update writes it")
            }
            fields["png"] = .string(data.base64EncodedString())
            steps[index] = .object(["compare": .object(fields)])
        }
        if contents["steps"] != nil { contents["steps"] = .array(steps) }
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    // MARK: The server

    /// What the server has to be started with that the file asks for.
    private func serverOptions() throws(Failure) -> [String]? {
        guard let wanted = contents["server"] else { return nil }
        guard case .object(let fields) = wanted else { throw .refused("\(path): \"server\" is an object") }
        if let key = fields.keys.sorted().first(where: { !["screens", "clock"].contains($0) }) {
            throw .refused("\(path): server: unknown key \"\(key)\"; known are clock, screens")
        }
        let screens = fields["screens"]?.elements.map(\.text) ?? []
        let clock = fields["clock"].map { ["--clock", $0.text] } ?? []
        return screens.flatMap { ["--screen", $0] } + clock
    }

    private func run(
        on client: ControlClient, json: Bool, _ output: String, updates: Bool
    ) throws(Failure) {
        var event = ""
        var failure: Failure?
        var isDone = false
        try client.stream("POST", "/scenarios", .object(contents)) { line in
            if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
            guard line.hasPrefix("data: "), let data = try? JSON(parsing: String(line.dropFirst(6))) else {
                return true
            }
            if json, event != "picture" { Terminal.out(line.dropFirst(6) + "\n") }
            do throws(Failure) {
                switch event {
                case "step": if !json { report(data) }
                case "picture": try save(data, output, updates: updates)
                case "failed": throw .refused(reason(data))
                default: isDone = event == "done"
                }
            } catch {
                failure = error
                return false
            }
            return true
        }
        if let failure { throw failure }
        guard isDone else { throw .refused("\(path): the server has ended") }
        if !json { Terminal.out("\(name): as expected\n") }
    }

    private func report(_ step: JSON) {
        let number = Int(step["index"].number ?? 0) + 1
        Terminal.out("\(number)/\(step["steps"].text) \(step["title"].text)\n")
    }

    private func reason(_ failure: JSON) -> String {
        let number = Int(failure["index"].number ?? 0) + 1
        return "\(path): step \(number) of \(failure["steps"].text) (\(failure["title"].text)): "
            + "\(failure["place"].text): expected \(failure["expected"].text), seen \(failure["seen"].text)"
    }

    private func save(_ picture: JSON, _ output: String, updates: Bool) throws(Failure) {
        let name = picture["name"].text
        guard let data = Data(base64Encoded: picture["png"].text) else { throw .refused("\(name): no picture came") }
        if updates, let golden = goldens[name] {
            return try Picture.save(Array(data), as: golden)
        }
        // A name is a file's, and never leads out of the folder.
        let file = name.split(separator: "/").last.map(String.init) ?? name
        guard file != "..", !file.isEmpty else { throw .refused("\"\(name)\" is no name for a picture") }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw .refused("\(output): \(error)")
        }
        let base = file.hasSuffix(".png") ? String(file.dropLast(4)) : file.replacing(".png.", with: ".")
        try Picture.save(Array(data), as: "\(output)/\(base).png")
    }
}
