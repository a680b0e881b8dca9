// Reads a scenario file.

import FoundationEssentials
import JSON5

/// A scenario file, prepared for the server, including its golden pictures.
struct ScenarioFile {
    let path: String
    private let document: JSON5Document
    private(set) var contents: [String: JSON]
    private let variants: GoldenVariants
    /// The golden files by the names under which the server returns their pictures.
    private(set) var goldens: [String: String] = [:]
    /// What is wrong with the parts that the server does not read. The contents have something valid in their place, so
    /// that it finds the mistakes of the others.
    private var mistakes: [JSON5Mistake] = []

    /// Runs or checks a scenario on its own server, or on that of the command line.
    static func run(_ path: String, _ options: ScenarioOptions, _ call: Invocation) throws(CommandError) {
        var file = try ScenarioFile(path, options.variants)
        file.checkNames()
        file.takeGoldens(updates: options.updates)
        var server = file.serverOptions()
        let folder = options.output ?? "\(file.name)-pictures"
        let isPrivate = !options.isHere && call.line.control == nil
        guard isPrivate, options.isCheck || file.contents["server"] != nil else {
            if options.isCheck { return try file.check(on: call.client, json: call.json) }
            try file.refuseMistakes(call.client)
            return try file.run(on: call.client, json: call.json, folder, updates: options.updates)
        }
        // The same command reports the mistakes, with those that the private server finds.
        var command = [Process.ownPath, "scenario", file.path, "--here", "--output", folder] + options.wordsForOne
        if call.json { command.append("--json") }
        // Which steps are possible may depend on the clock, but on nothing else that the caller's server could have.
        if options.isCheck, file.contents["server"] == nil { server = ["--clock", "manual"] }
        var plan = RunPlan(command: command, options: server)
        plan.isProfiled = !options.isCheck
        try plan.run()
    }

    private init(_ path: String, _ variants: GoldenVariants) throws(CommandError) {
        self.path = path
        self.variants = variants
        guard let bytes = try Picture.load(path) else { throw .refused("\(path): the file does not exist") }
        let value: JSON
        do throws(JSON5Mistake) {
            document = try JSON5Document(bytes)
            value = try document.decode(JSON.self)
        } catch {
            throw Self.refusal([error], of: path)
        }
        guard case .object(let contents) = value else {
            let message = "a scenario must be an object: { name: …, steps: […] }"
            throw Self.refusal([document.mistake(at: [], message)], of: path)
        }
        if let number = value.firstNonFinite {
            throw Self.refusal([document.mistake(at: number, "NaN and Infinity are not allowed")], of: path)
        }
        self.contents = contents
    }

    /// The file's name without folder and extension.
    var name: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").first.map(String.init) ?? file
    }

    // MARK: Mistakes

    /// Each on a line: "FILE:LINE:COLUMN: what is wrong".
    func refusal(_ mistakes: [JSON5Mistake]) -> CommandError { Self.refusal(mistakes, of: path) }

    private static func refusal(_ mistakes: [JSON5Mistake], of path: String) -> CommandError {
        let inOrder = mistakes.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        return .invalidFile(
            inOrder.map { "\(path):\($0.line):\($0.column): \($0.text)" }.joined(separator: "\nmullionctl: "))
    }

    private mutating func note(_ step: Int, _ keys: [JSON5Mistake.Key], _ message: String) {
        let place = document.mistake(at: [.member("steps"), .element(step)] + keys, "")
        mistakes.append(
            JSON5Mistake(
                line: place.line, column: place.column,
                message: "step \(step + 1): " + JSON5Mistake.text(keys, message)))
    }

    /// The mistakes that the server has found, at their places in the file.
    func mistakes(in answer: ControlClient.Answer) -> [JSON5Mistake] {
        guard answer.status >= 400, let problem = try? JSON(parsing: answer.text) else { return [] }
        return problem["errors"].elements.map { error in
            let place = document.mistake(atPointer: error["pointer"].string ?? "")
            return JSON5Mistake(line: place.line, column: place.column, message: error["detail"].text)
        }
    }

    /// Throws all mistakes, with those that the server finds, if there are any that it does not see.
    private func refuseMistakes(_ client: ControlClient) throws(CommandError) {
        guard !mistakes.isEmpty else { return }
        let answer = try? client.exchange("POST", "/scenarios?check=true", .object(contents))
        throw refusal(mistakes + (answer.map { self.mistakes(in: $0) } ?? []))
    }

    /// Prints that the scenario has no mistakes, or throws all of them.
    private func check(on client: ControlClient, json: Bool) throws(CommandError) {
        let answer = try client.exchange("POST", "/scenarios?check=true", .object(contents))
        let all = mistakes + mistakes(in: answer)
        guard all.isEmpty else { throw refusal(all) }
        try client.check(answer)
        Terminal.out(json ? answer.text + "\n" : "\(path): no mistakes\n")
    }

    // MARK: Steps

    private func steps() -> [JSON] { contents["steps"]?.elements ?? [] }

    private mutating func replace(step: Int, by value: JSON) {
        guard case .array(var steps)? = contents["steps"] else { return }
        steps[step] = value
        contents["steps"] = .array(steps)
    }

    /// A step that is always right.
    private static let nothing = JSON.object(["wait": .string("0s")])

    /// A picture's name becomes a file in the output folder and must not lead elsewhere.
    private mutating func checkNames() {
        for (index, step) in steps().enumerated() {
            let picture = step["screenshot"]
            guard case .string(let name) = picture["name"].or(picture) else { continue }
            guard !name.isEmpty, !name.contains(where: { "/\0".contains($0) }), !name.hasPrefix(".") else {
                note(
                    index, [.member("screenshot")] + (picture.string == nil ? [.member("name")] : []),
                    "\"\(name)\" is not a name for a picture; use one without / that does not begin with a dot")
                replace(step: index, by: Self.nothing)
                continue
            }
        }
    }

    /// Loads the golden files, which are named relative to the scenario.
    private mutating func takeGoldens(updates: Bool) {
        for (index, step) in steps().enumerated() {
            var fields: [String: JSON]
            switch step["compare"] {
            case .object(let members): fields = members
            // The short form.
            case .string(let golden): fields = ["golden": .string(golden)]
            default: continue
            }
            guard case .string(let golden)? = fields.removeValue(forKey: "golden") else {
                note(index, [.member("compare")], "\"golden\", the name of a PNG file, is missing")
                replace(step: index, by: Self.nothing)
                continue
            }
            if let key = ["name", "png"].first(where: { fields[$0] != nil }) {
                note(
                    index, [.member("compare")],
                    "it has no \"\(key)\"; it takes golden, screen, window, crop, masks, tolerance and maxDiffering")
                replace(step: index, by: Self.nothing)
                continue
            }
            let file = golden.hasPrefix("/") ? golden : folder + golden
            fields["name"] = .string(golden)
            if updates {
                let target = variants.target(file)
                if let other = goldens.first(where: { Self.isSame($0.value, target) })?.key {
                    note(
                        index, [.member("compare")],
                        "--update would write \(target) twice, also for \"\(other)\" before; use a golden for each picture"
                    )
                }
                goldens[golden] = target
                for key in ["tolerance", "masks", "maxDiffering"] { fields[key] = nil }
                replace(step: index, by: .object(["screenshot": .object(fields)]))
                continue
            }
            fields["png"] = .string(Data(picture(file, step: index)).base64EncodedString())
            replace(step: index, by: .object(["compare": .object(fields)]))
        }
    }

    /// A golden file, or else the beginning of one.
    private mutating func picture(_ file: String, step: Int) -> [UInt8] {
        do throws(CommandError) {
            if let bytes = try variants.load(file).bytes { return bytes }
            note(step, [.member("compare")], "\(file) does not exist; --update writes it")
        } catch {
            note(step, [.member("compare")], error.message ?? "\(file) cannot be read")
        }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    }

    /// Whether two paths lead to the same file, which need not exist.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        URL(fileURLWithPath: a).standardizedFileURL == URL(fileURLWithPath: b).standardizedFileURL
    }

    private var folder: String {
        path == StandardInput.path ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    // MARK: The server

    /// The server options that the file requires.
    private mutating func serverOptions() -> [String] {
        guard let wanted = contents["server"] else { return [] }
        guard case .object(let fields) = wanted else {
            noteServer([], "expected an object, such as { screens: [\"tv-1080p\"], clock: \"manual\" }")
            return []
        }
        for key in fields.keys.sorted() where !["screens", "clock"].contains(key) {
            noteServer([key], "unknown key \"\(key)\"; use clock or screens", isAboutKey: true)
        }
        var options: [String] = []
        if let screens = fields["screens"] {
            let names = screens.elements.compactMap(\.string)
            if names.isEmpty || names.count != screens.elements.count {
                noteServer(["screens"], "expected a list of display models, as for mulliond --screen")
            }
            options += names.flatMap { ["--screen", $0] }
        }
        if let clock = fields["clock"] {
            if let mode = clock.string, ["real", "manual"].contains(mode) {
                options += ["--clock", mode]
            } else {
                noteServer(["clock"], "\(clock.encoded) is not a clock; use \"real\" or \"manual\"")
            }
        }
        return options
    }

    private mutating func noteServer(_ keys: [String], _ message: String, isAboutKey: Bool = false) {
        var mistake = document.mistake(at: (["server"] + keys).map { .member($0) }, message)
        mistake.isAboutKey = isAboutKey
        mistakes.append(mistake)
    }
}
