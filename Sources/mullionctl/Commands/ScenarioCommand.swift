// scenario

import FoundationEssentials
import JSON5

extension Command {
    static var scenarioCommands: [Command] {
        [
            Command(
                name: "scenario", arguments: "FILE [--output DIR] [--here] [--update] [--variant NAME]…",
                summary: "run a scenario and check its expectations",
                details: """
                    FILE is JSON5 with a list of steps: plug, unplug, flap, mode, rotate, mirror,
                    input, claim, window, wait, expect, screenshot, compare and others. Each step is
                    printed when it is done; the first unmet expectation ends the scenario and is
                    printed with its place, the expected and the seen value.

                    A file with a "server" section runs on a private server with the screens and the
                    clock listed there, unless --control or --here is given. Other files run on the
                    running server.

                      --output DIR  the folder for pictures, including those of failed comparisons
                                    (default: ./NAME-pictures)
                      --here        use the running server even if there is a "server" section
                      --update      save the golden pictures instead of comparing with them
                      --variant NAME
                                    compare with GOLDEN.NAME.png instead, if that file exists; the
                                    first one that does

                    Exit status: 0 if all expectations are met, 1 if not or refused, 2 for an
                    invalid command line.
                    """,
                run: { (call) throws(CommandError) in try ScenarioFile.run(call) })
        ]
    }
}

/// A scenario file, prepared for the server, including its golden pictures.
struct ScenarioFile {
    private let path: String
    private var contents: [String: JSON]
    private let variants: GoldenVariants
    /// The golden files by the names under which the server returns their pictures.
    private var goldens: [String: String] = [:]

    static func run(_ call: Invocation) throws(CommandError) {
        let outputs = call.option("--output", "-o")
        let isHere = call.flag("--here")
        let updates = call.flag("--update")
        var file = try ScenarioFile(try call.word("FILE"), try GoldenVariants(call))
        try call.end()
        guard outputs.count <= 1 else { throw .usage("--output is given twice") }
        try file.checkNames()
        try file.takeGoldens(updates: updates)
        let options = try file.serverOptions()
        let folder = outputs.first ?? "\(file.name)-pictures"
        guard !isHere, call.line.control == nil, let options else {
            return try file.run(on: call.client, json: call.json, folder, updates: updates)
        }
        var command = [Process.ownPath, "scenario", file.path, "--here", "--output", folder]
        if updates { command.append("--update") }
        command += file.variants.words
        if call.json { command.append("--json") }
        try RunPlan(command: command, options: options).run()
    }

    private init(_ path: String, _ variants: GoldenVariants) throws(CommandError) {
        self.path = path
        self.variants = variants
        guard let bytes = try Picture.load(path) else { throw .refused("\(path): the file does not exist") }
        if let mistake = JSON5Syntax.firstMistake(in: bytes) { throw .refused("\(path): \(mistake)") }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let value: JSON
        do {
            value = try decoder.decode(JSON.self, from: Data(bytes))
        } catch {
            throw .refused("\(path): this is not JSON5: \(error)")
        }
        guard case .object(let contents) = value else {
            throw .refused("\(path): a scenario must be an object: { name: …, steps: […] }")
        }
        guard value.isFinite else { throw .refused("\(path): NaN and Infinity are not allowed") }
        self.contents = contents
    }

    /// The file's name without folder and extension.
    private var name: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").first.map(String.init) ?? file
    }

    /// A picture's name becomes a file in the output folder and must not lead elsewhere.
    private func checkNames() throws(CommandError) {
        for (index, step) in (contents["steps"]?.elements ?? []).enumerated() {
            guard case .string(let name) = step["screenshot"]["name"].or(step["screenshot"]) else { continue }
            guard !name.isEmpty, !name.contains(where: { "/\0".contains($0) }), !name.hasPrefix(".") else {
                throw .refused(
                    "\(path): step \(index + 1): \"\(name)\" is not a name for a picture; use one without / that does "
                        + "not begin with a dot")
            }
        }
    }

    // MARK: Goldens

    /// Loads the golden files, which are named relative to the scenario.
    private mutating func takeGoldens(updates: Bool) throws(CommandError) {
        var steps = contents["steps"]?.elements ?? []
        for index in steps.indices {
            var fields: [String: JSON]
            switch steps[index]["compare"] {
            case .object(let members): fields = members
            // The short form.
            case .string(let golden): fields = ["golden": .string(golden)]
            default: continue
            }
            guard case .string(let golden)? = fields.removeValue(forKey: "golden") else {
                throw .refused("\(path): step \(index + 1): compare needs \"golden\", the name of a PNG file")
            }
            if let key = ["name", "png"].first(where: { fields[$0] != nil }) {
                throw .refused(
                    "\(path): step \(index + 1): compare has no \"\(key)\"; it takes golden, screen, window, crop, masks, "
                        + "tolerance and maxDiffering")
            }
            let file = golden.hasPrefix("/") ? golden : folder + golden
            fields["name"] = .string(golden)
            if updates {
                let target = variants.target(file)
                if let other = goldens.first(where: { Self.isSame($0.value, target) })?.key {
                    throw .refused(
                        "\(path): step \(index + 1): --update would write \(target) twice, also for \"\(other)\" before; "
                            + "use a golden for each picture")
                }
                goldens[golden] = target
                for key in ["tolerance", "masks", "maxDiffering"] { fields[key] = nil }
                steps[index] = .object(["screenshot": .object(fields)])
                continue
            }
            guard let bytes = try variants.load(file).bytes else {
                throw .refused("\(path): step \(index + 1): \(file) does not exist; --update writes it")
            }
            fields["png"] = .string(Data(bytes).base64EncodedString())
            steps[index] = .object(["compare": .object(fields)])
        }
        if contents["steps"] != nil { contents["steps"] = .array(steps) }
    }

    /// Whether two paths lead to the same file, which need not exist.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        URL(fileURLWithPath: a).standardizedFileURL == URL(fileURLWithPath: b).standardizedFileURL
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    // MARK: The server

    /// The server options that the file requires.
    private func serverOptions() throws(CommandError) -> [String]? {
        guard let wanted = contents["server"] else { return nil }
        guard case .object(let fields) = wanted else { throw .refused("\(path): \"server\" must be an object") }
        if let key = fields.keys.sorted().first(where: { !["screens", "clock"].contains($0) }) {
            throw .refused("\(path): server: unknown key \"\(key)\"; use clock or screens")
        }
        var options: [String] = []
        if let screens = fields["screens"] {
            let names = screens.elements.compactMap(\.string)
            guard !names.isEmpty, names.count == screens.elements.count else {
                throw .refused("\(path): server.screens is not a list; use a list of models, as for mulliond --screen")
            }
            options += names.flatMap { ["--screen", $0] }
        }
        if let clock = fields["clock"] {
            guard let mode = clock.string, ["real", "manual"].contains(mode) else {
                throw .refused("\(path): server.clock: \(clock.encoded) is not a clock; use \"real\" or \"manual\"")
            }
            options += ["--clock", mode]
        }
        return options
    }

    private func run(
        on client: ControlClient, json: Bool, _ output: String, updates: Bool
    ) throws(CommandError) {
        var event = ""
        var failure: CommandError?
        var isDone = false
        var saved: [String] = []
        func take(_ line: String) -> Bool {
            if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
            guard line.hasPrefix("data: "), let data = try? JSON(parsing: String(line.dropFirst(6))) else {
                return true
            }
            if json, event != "picture" { Terminal.out(line.dropFirst(6) + "\n") }
            do throws(CommandError) {
                switch event {
                case "step": if !json { report(data) }
                case "picture": saved.append(try save(data, output, updates: updates))
                case "failed":
                    throw .refused(reason(data) + (saved.isEmpty ? "" : "; see \(saved.joined(separator: ", "))"))
                default: isDone = event == "done"
                }
            } catch {
                failure = error
                return false
            }
            return true
        }
        do throws(CommandError) {
            try client.stream("POST", "/scenarios", .object(contents), take)
        } catch {
            throw .refused("\(path): \(error.message ?? "")")
        }
        if let failure { throw failure }
        guard isDone else { throw .refused("\(path): the server exited") }
        if !json {
            let places = saved.isEmpty ? "" : "; saved \(saved.joined(separator: ", "))"
            Terminal.out("\(name): as expected\(places)\n")
        }
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

    /// Saves a picture and returns its file.
    private func save(_ picture: JSON, _ output: String, updates: Bool) throws(CommandError) -> String {
        let name = picture["name"].text
        guard let data = Data(base64Encoded: picture["png"].text) else {
            throw .refused("\(name): the picture is missing")
        }
        if updates, let golden = goldens[name] {
            try Self.makeFolder(golden.lastIndex(of: "/").map { String(golden[...$0]) } ?? ".")
            try Picture.save(Array(data), as: golden)
            return golden
        }
        // Pictures seen by a comparison are named like their golden, in any folder: "goldens/a.png.seen" becomes
        // a.seen.png.
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let base = file.hasSuffix(".png") ? String(file.dropLast(4)) : file.replacing(".png.", with: ".")
        try Self.makeFolder(output)
        let path = "\(output)/\(base).png"
        try Picture.save(Array(data), as: path)
        return path
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .refused("\(path): cannot create the folder: \(Terminal.reason)")
        }
    }
}
