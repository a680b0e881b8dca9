// Reads a scenario file.

import JSON5
import MullionControl
import MullionSystem

/// A scenario file with those that it includes, prepared for the server, with its golden pictures.
struct ScenarioFile {
    private let source: ScenarioSource
    private let variants: GoldenVariants
    /// The steps in their order, with the server's forms of those that this program changes or performs.
    private var steps: [ScenarioExpansion.Step]
    /// The steps that are checked, but never performed.
    private var unused: [ScenarioExpansion.Unused]
    /// The steps that this program performs itself, by their index.
    private(set) var actions: [Int: ScenarioAction] = [:]
    /// The private server that it describes; nil: it uses a running one.
    private(set) var server: ScenarioServer?
    /// The golden files by the names under which the server returns their pictures.
    private(set) var goldens: [String: String] = [:]
    /// The most bytes of golden pictures in all steps: the server accepts 64 MiB in base64, with the steps.
    private static let mostGoldenBytes = 32 << 20
    private var goldenBytes = 0
    /// What is wrong with the parts that the server does not read. The contents have something valid in their place, so
    /// that it finds the mistakes of the others.
    private var mistakes: ScenarioMistakes
    private var notes = 0

    /// Runs or checks a scenario on its own server, or on that of the command line.
    static func run(_ path: String, _ options: ScenarioOptions, _ call: Invocation) throws(CommandError) {
        var file = try ScenarioFile(path, options.variants, options.settings)
        file.prepare(updates: options.updates)
        let folder = options.output ?? "\(file.name)-pictures"
        let isPrivate = !options.isHere && !call.namesServer
        guard isPrivate, options.isCheck || file.server != nil else {
            if options.isCheck { return try file.check(on: call.client, json: call.json) }
            try options.refuseArtifacts(of: path)
            try file.refuseMistakes(call.client)
            return try file.run(on: call.client, json: call.json, folder, updates: options.updates)
        }
        // The same command reports the mistakes, with those that the private server finds.
        var command = [Process.ownPath, "scenario", file.path, "--here", "--output", folder] + options.wordsForOne
        if call.json { command.append("--json") }
        var plan = RunPlan(command: command)
        (plan.artifacts, plan.isOnFailure) = (options.artifacts, options.isOnFailure)
        file.server?.apply(to: &plan)
        if options.isCheck {
            // Which steps are possible may depend on the clock, but on nothing else that the caller's server could have.
            if file.server == nil { plan.options = ["--clock", "manual"] }
            (plan.isProfiled, plan.accessibility, plan.x11) = (false, false, false)
        }
        plan.explainFailedStart = { [file] (folder) throws(CommandError) in try file.refuseScreens(folder) }
        try plan.run()
    }

    /// - Parameter settings: values of variables, as NAME=VALUE.
    init(_ path: String, _ variants: GoldenVariants, _ settings: [String]) throws(CommandError) {
        self.variants = variants
        guard let bytes = try ScenarioSource.load(path, isIncluded: false) else {
            throw .refused("\(path): the file does not exist")
        }
        mistakes = ScenarioMistakes()
        do throws(ScenarioMistake) {
            source = try ScenarioSource(path, bytes, required: "{ name: …, steps: […] }")
        } catch {
            mistakes.add(error)
            throw mistakes.refusal
        }
        mistakes.add(of: source, knownKeys: ScenarioExpansion.scenarioKeys)
        var variables = ScenarioExpansion.declared(in: source, &mistakes)
        try ScenarioVariables.check(settings, [.object(source.contents)], of: path)
        for word in settings {
            let (name, value) = Values.pair(word)
            variables.set(name, to: value ?? "")
        }
        let expansion = ScenarioExpansion(source, variables)
        mistakes.add(expansion.mistakes.all)
        (steps, unused) = (expansion.steps, expansion.unused)
        guard let section = source.contents["server"] else { return }
        var found: [ScenarioMistake] = []
        var room = ScenarioRoom()
        let replaced = variables.replaced(in: section, room: &room) { [source] keys, message in
            found.append(source.mistake([.member("server")] + keys, message))
        }
        server = ScenarioServer(found.isEmpty ? replaced : .object([:])) { [source] keys, message, isAboutKey in
            found.append(source.mistake([.member("server")] + keys, message, isAboutKey: isAboutKey))
        }
        mistakes.add(found)
    }

    var path: String { source.path }

    /// The file's name without folder and extension.
    var name: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").first.map(String.init) ?? file
    }

    /// Reads the steps that this program changes or performs, and loads golden pictures.
    mutating func prepare(updates: Bool) {
        readActions()
        checkUnused()
        checkNames()
        takeGoldens(updates: updates)
    }

    var stepCount: Int { steps.count }

    /// The body of `POST /v1/scenarios`.
    var contents: JSON { contents(steps, isMistaken: false) }

    /// - Parameter isMistaken: whether steps were replaced because of mistakes.
    private func contents(_ steps: [ScenarioExpansion.Step], isMistaken: Bool) -> JSON {
        var contents = source.contents.filter { ["name", "summary"].contains($0.key) }
        // The server says what is wrong with anything else.
        contents["steps"] = source.contents["steps"]
        if case .array? = contents["steps"] {
            var values = steps.map(\.value)
            // What was replaced may have claimed windows: the server must know that something is missing.
            if isMistaken, values.count < ScenarioExpansion.maximumSteps { values.append(.object([:])) }
            contents["steps"] = .array(values)
        }
        return .object(contents)
    }

    // MARK: Mistakes

    private mutating func note(
        _ step: Int, _ way: [JSON5Mistake.Key], _ message: String, isAboutKey: Bool = false
    ) {
        notes += 1
        guard notes <= ScenarioExpansion.maximumNotes else { return }
        mistakes.add(steps[step].place.mistake(step: step, way, message, isAboutKey: isAboutKey))
    }

    /// What the server refuses, with the mistakes at their places in the files.
    func check(_ answer: ControlClient.Answer, _ client: ControlClient) throws(CommandError) {
        var all = mistakes
        add(mistakesIn: answer, to: steps, &all, client)
        guard all.isEmpty else { throw all.refusal }
        try client.check(answer)
    }

    /// - Parameters:
    ///   - first: the server's answer to these steps.
    ///   - numbers: of the steps in the scenario, from 1; nil: as in the list.
    private func add(
        mistakesIn first: ControlClient.Answer?, to steps: [ScenarioExpansion.Step], numbers: [Int]? = nil,
        _ all: inout ScenarioMistakes, _ client: ControlClient
    ) {
        var (answer, steps) = (first, steps)
        while let refusal = answer, refusal.status >= 400, let problem = try? JSON(parsing: refusal.text) {
            let errors = problem["errors"].elements
            var places: Set<String> = []
            for error in errors {
                let pointer = error["pointer"].string ?? ""
                var detail = Self.completed(error["detail"].text, pointer)
                let parts = pointer.split(separator: "/", maxSplits: 2).map(String.init)
                guard parts.count > 1, parts[0] == "steps", let index = Int(parts[1]) else {
                    all.add(source.mistake(atPointer: pointer, detail))
                    continue
                }
                guard steps.indices.contains(index) else { continue }
                if let numbers, let place = detail.firstPlace(of: "step \(index + 1)") {
                    detail.replaceSubrange(place, with: "step \(numbers[index])")
                }
                let place = steps[index].place
                places.insert(place.id)
                all.add(place.mistake(atPointer: parts.count > 2 ? "/" + parts[2] : "", detail))
            }
            // The server looks for no more. Those may all be of one step, which is repeated.
            guard errors.count >= ScenarioMistakes.maximum, !places.isEmpty, !all.isFull else { break }
            for index in steps.indices where places.contains(steps[index].place.id) {
                steps[index].value = ScenarioExpansion.nothing
            }
            answer = try? client.answer(
                to: .postScenarios(contents(steps, isMistaken: true), check: true), accepting: ControlClient.refusals)
        }
    }

    /// The server's message about missing and unknown keys, with the keys that only this program knows.
    private static func completed(_ detail: String, _ pointer: String) -> String {
        let way = pointer.split(separator: "/").dropFirst(2).map(String.init)
        for (member, own) in ScenarioActionReader.keys {
            let owner = member.isEmpty ? [] : [member]
            if way.count == owner.count + 1, Array(way.dropLast()) == owner, detail.has(text: ": unknown key \""),
                let parts = detail.components(around: "; use one of ")
            {
                let known = parts.after.parts(separatedBy: ", ") + own
                return "\(parts.before); use one of \(known.sorted().joined(separator: ", "))"
            }
            let lists = ["exactly one of the keys ", "there is no condition; use ", "the expectation is empty; use "]
            if Array(way) == owner, lists.contains(where: { detail.has(text: $0) }) {
                return detail.replacingAll(" or ", with: ", ") + ", " + own.joined(separator: ", ")
            }
        }
        return detail
    }

    /// Throws all mistakes, with those that the server finds, if there are any that it does not see.
    func refuseMistakes(_ client: ControlClient) throws(CommandError) {
        guard !mistakes.isEmpty || !unused.isEmpty else { return }
        var all = mistakes
        func check(_ steps: [ScenarioExpansion.Step], isMistaken: Bool, numbers: [Int]? = nil) {
            let body = contents(steps, isMistaken: isMistaken)
            let answer = try? client.answer(to: .postScenarios(body, check: true), accepting: ControlClient.refusals)
            add(mistakesIn: answer, to: steps, numbers: numbers, &all, client)
        }
        check(steps, isMistaken: !mistakes.isEmpty)
        let unused = unusedSteps
        if !unused.isEmpty { check(unused.map(\.step), isMistaken: true, numbers: unused.map { $0.index + 1 }) }
        guard all.isEmpty else { throw all.refusal }
    }

    /// Throws all mistakes if it is the screens because of which the private server did not start.
    /// - Parameter folder: of that server.
    private func refuseScreens(_ folder: String) throws(CommandError) {
        guard let server else { return }
        let found = server.screenMistakes(configuration: PrivateServer.configuration(folder))
        guard !found.isEmpty else { return }
        var file = self
        for (index, message) in found {
            file.mistakes.add(source.mistake([.member("server"), .member("screens"), .element(index)], message))
        }
        var plan = RunPlan(command: [])
        server.withoutScreens.apply(to: &plan)
        (plan.isProfiled, plan.accessibility, plan.x11) = (false, false, false)
        guard let other = try? PrivateServer(plan, folder: folder) else { throw file.mistakes.refusal }
        defer { other.stop(patience: Keeper.patience) }
        try file.refuseMistakes(other.control)
    }

    /// Prints that the scenario has no mistakes, or throws all of them.
    private func check(on client: ControlClient, json: Bool) throws(CommandError) {
        try refuseMistakes(client)
        let answer = try client.answer(to: .postScenarios(contents, check: true), accepting: ControlClient.refusals)
        try check(answer, client)
        Terminal.out(json ? answer.text : "\(path): no mistakes\n")
    }

    // MARK: Steps

    /// Reads the steps that this program performs; the server pauses instead.
    private mutating func readActions() {
        var reader = ScenarioActionReader()
        for (index, step) in steps.enumerated() where ScenarioActionReader.isOwn(step.value) {
            if let action = reader.action(step.value, in: step.place.source) {
                actions[index] = action
                steps[index].value = .object(["pause": .string(action.title)])
            } else {
                for mistake in reader.mistakes {
                    note(index, mistake.way, mistake.message, isAboutKey: mistake.isAboutKey)
                }
                steps[index].value = ScenarioExpansion.nothing
            }
        }
    }

    /// Finds the mistakes of unused steps of which the server does not know. What other steps have done is not known.
    private mutating func checkUnused() {
        for index in unused.indices {
            let (step, number) = (unused[index].step, unused[index].index)
            if ScenarioActionReader.isOwn(step.value) {
                var reader = ScenarioActionReader(isComplete: false)
                _ = reader.action(step.value, in: step.place.source)
                for mistake in reader.mistakes {
                    mistakes.add(
                        step.place.mistake(
                            step: number, mistake.way, mistake.message, isAboutKey: mistake.isAboutKey))
                }
                unused[index].step.value = ScenarioExpansion.nothing
            } else if step.value["compare"] != .null {
                // Its golden picture need not exist.
                unused[index].step.value = ScenarioExpansion.nothing
            }
        }
    }

    /// What the server checks of unused steps: windows are released again, which other ones may claim.
    private var unusedSteps: [ScenarioExpansion.Unused] {
        let all = unused.flatMap { unused -> [ScenarioExpansion.Unused] in
            let title = unused.step.value["claim"]["title"]
            guard title.string != nil else { return [unused] }
            var release = unused
            release.step.value = .object(["release": title])
            return [unused, release]
        }
        return Array(all.prefix(ScenarioExpansion.maximumSteps - 1))
    }

    /// A picture's name becomes a file in the output folder, and must not lead elsewhere or replace another picture.
    private mutating func checkNames() {
        var files: Set<String> = []
        for index in steps.indices {
            let picture = steps[index].value["screenshot"]
            guard case .string(let name) = picture["name"].or(picture) else { continue }
            let way: [JSON5Mistake.Key] = [.member("screenshot")] + (picture.string == nil ? [.member("name")] : [])
            guard !name.isEmpty, !name.contains(where: { "/\0".contains($0) }), !name.hasPrefix(".") else {
                note(
                    index, way,
                    "\"\(name)\" is not a name for a picture; use one without / that does not begin with a dot")
                steps[index].value = ScenarioExpansion.nothing
                continue
            }
            guard !files.insert(Self.file(ofPicture: name)).inserted else { continue }
            note(
                index, way,
                "\"\(name)\" is the name of a picture before, which would be lost; use another one, in repeated steps with "
                    + "a variable such as ${i}")
        }
    }

    /// The file of a picture in the output folder. Those of a comparison are named like their golden, in any folder:
    /// "goldens/a.png.seen" becomes a.seen.png.
    static func file(ofPicture name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return (last.hasSuffix(".png") ? String(last.dropLast(4)) : last.replacingAll(".png.", with: ".")) + ".png"
    }

    /// Loads the golden files, which are named relative to the file that has the step.
    private mutating func takeGoldens(updates: Bool) {
        for index in steps.indices {
            var fields: [String: JSON]
            switch steps[index].value["compare"] {
            case .object(let members): fields = members
            // The short form.
            case .string(let golden): fields = ["golden": .string(golden)]
            default: continue
            }
            guard case .string(let golden)? = fields.removeValue(forKey: "golden") else {
                note(index, [.member("compare")], "\"golden\", the name of a PNG file, is missing")
                steps[index].value = ScenarioExpansion.nothing
                continue
            }
            if let key = ["name", "png"].first(where: { fields[$0] != nil }) {
                note(
                    index, [.member("compare")],
                    "it has no \"\(key)\"; it takes golden, screen, window, crop, masks, tolerance and maxDiffering")
                steps[index].value = ScenarioExpansion.nothing
                continue
            }
            let file = steps[index].place.source.file(golden)
            guard updates else {
                fields["name"] = .string(golden)
                fields["png"] = .string(Base64(picture(file, step: index)).text)
                steps[index].value = .object(["compare": .object(fields)])
                continue
            }
            let target = variants.target(file)
            if let other = goldens.first(where: { Self.isSame($0.value, target) })?.key {
                note(
                    index, [.member("compare")],
                    "--update would write \(target) twice, also for \"\(other)\" before; use a golden for each picture")
            }
            // Files in several folders may name different goldens alike.
            let name = goldens[golden] == nil ? golden : file
            goldens[name] = target
            fields["name"] = .string(name)
            for key in ["tolerance", "masks", "maxDiffering"] { fields[key] = nil }
            steps[index].value = .object(["screenshot": .object(fields)])
        }
    }

    /// A golden file, or else the beginning of one.
    private mutating func picture(_ file: String, step: Int) -> [UInt8] {
        do throws(CommandError) {
            // Nothing more is read when there are too many.
            if goldenBytes <= Self.mostGoldenBytes {
                guard let bytes = try variants.load(file, isRegular: true).bytes else {
                    throw .refused("\(file) does not exist; --update writes it")
                }
                goldenBytes += bytes.count
                if goldenBytes <= Self.mostGoldenBytes { return bytes }
                throw .refused(
                    "the golden pictures have more than \(Self.mostGoldenBytes >> 20) MiB, counted for each step; "
                        + "use several scenarios")
            }
        } catch {
            note(step, [.member("compare")], error.message ?? "\(file) cannot be read")
        }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    }

    /// Whether two paths lead to the same file, which need not exist.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        FilePath.absolute(a) == FilePath.absolute(b)
    }
}

extension String {
    /// What is before and after the first occurrence of a text.
    fileprivate func components(around text: String) -> (before: Substring, after: Substring)? {
        guard let range = firstPlace(of: text) else { return nil }
        return (self[..<range.lowerBound], self[range.upperBound...])
    }
}
