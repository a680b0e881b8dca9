// The JSON Schema that mullionctl scenario --schema prints.

import FoundationEssentials
import JSON5
import TestSupport
import Testing

/// Debian's Python, which has Debian's modules.
private let python = "/usr/bin/python3"

private let hasValidator: Bool = {
    guard let program = try? Program(python, ["-c", "import jsonschema"]) else { return false }
    _ = program.outputAtEnd()
    return program.exitStatus == 0
}()

@Suite(.enabled(if: hasValidator, "python3-jsonschema is installed"))
struct ScenarioSchemaTests {
    private static let root = String(#filePath.dropLast("Tests/ControlTests/ScenarioSchemaTests.swift".count))

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The schema, of a private server.
    private func schema() throws -> String {
        let program = try Program(
            Programs.built + "/mullionctl", ["scenario", "--schema"],
            environment: ["TMPDIR": folder.path, "XDG_RUNTIME_DIR": folder.path])
        let text = program.outputAtEnd()
        try #require(program.exitStatus == 0, "\(text)")
        return text
    }

    /// Validates scenarios in JSON5, by name.
    /// - Returns: the mistakes of each.
    private func mistakes(_ scenarios: [(name: String, text: String)]) throws -> [String: [String]] {
        var lines = ""
        for (name, text) in scenarios {
            let value = try JSON5Document(Array(text.utf8)).decode(JSON.self)
            lines += JSON.array([.string(name), value]).encoded + "\n"
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: folder.path + "/values"))
        try Data(try schema().utf8).write(to: URL(fileURLWithPath: folder.path + "/schema"))
        let program = try Program(
            "/bin/sh",
            [
                "-c",
                "cd '\(folder.path)'; exec '\(python)' '\(Self.root)Tests/Programs/check_schema.py' schema <values",
            ])
        let output = program.outputAtEnd()
        try #require(program.exitStatus == 0, "\(output)")
        var result: [String: [String]] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "\t").map(String.init)
            result[parts[0]] = Array(parts.dropFirst())
        }
        #expect(result.count == scenarios.count)
        return result
    }

    /// A scenario with one step.
    private static func scenario(_ step: String) -> String { "{ name: 'x', steps: [\(step)] }" }

    @Test("all shipped scenarios are valid")
    func shipped() throws {
        let folder = Self.root + "Config/scenarios"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }
        #expect(files.count >= 8)
        let scenarios = try files.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        for (name, mistakes) in try mistakes(scenarios) { #expect(mistakes == [], "\(name)") }
    }

    /// Steps in each form.
    private static let steps = [
        "{ plug: 'tv-1080p' }", "{ plug: { model: '80x60', name: 'B', mirroring: 'off', position: { x: 1, y: 2 } } }",
        "{ unplug: 'A' }", "{ unplug: 1 }",
        "{ flap: { screen: 'A', times: 9, out: '5ms', in: '1s', seed: 1, hostile: true } }",
        "{ mode: { screen: 'A', to: '80x60@60' } }", "{ scale: { screen: 'A', to: 2 } }",
        "{ rotate: { screen: 1, to: 'landscapeLeft', duration: '0s' } }", "{ mirror: { screen: 'A', to: 'off' } }",
        "{ brightness: { screen: 'A', to: 0.5 } }", "{ position: { screen: 'A', to: { x: 1, y: 1 } } }",
        "{ input: { type: 'tap', x: 1, y: 1, mustHit: false } }",
        "{ input: [{ type: 'key', key: 'a', after: 20 }, { type: 'click', x: 1, y: 1, button: 'left' }] }",
        "{ claim: { title: 'w', level: 'alert', color: '#102030', frame: { x: 0, y: 0, width: 1, height: 1 }, autoresizing: ['width'] } }",
        "{ claim: { title: 'w', level: -1.5, autoresizing: true } }",
        "{ wait: '1ms' }", "{ wait: 'settled' }", "{ wait: { client: true } }",
        "{ wait: { window: 'Save', timeout: '1s' } }",
        "{ wait: { window: { title: '/S/', visible: true }, timeout: 10 } }",
        "{ wait: { screen: 'A', idle: true, still: { duration: '9ms' } } }",
        "{ wait: { gone: [{ title: 'a' }, { title: 'b' }], pixel: { x: 1, y: 1, color: '#ffffff' } } }",
        "{ expect: { screens: ['A'], key: 'none', within: '1ms' } }",
        "{ expect: { screen: { name: 'A', main: true }, window: [{ title: 'a', exists: false }] } }",
        "{ expect: { pixel: { x: 1, y: 1, color: '#ffffff', tolerance: 3 } } }",
        "{ expect: { hits: { x: 1, y: 1, window: 'none' } } }", "{ pause: 'here' }",
        "{ screenshot: 'a' }", "{ screenshot: { name: 'a', screen: 'A', crop: { x: 0, y: 0, width: 9, height: 9 } } }",
    ]

    @Test("every step that the server accepts is valid")
    func accepted() throws {
        let control = try TestControl(try ServerFixture(screens: ["80x60"], clock: .manual))
        let steps = try Self.steps.filter { step in
            let answer = try control.send("POST", "/v1/scenarios?check=true", Self.scenario(step))
            #expect(answer.status == 200, "\(step): \(answer.body)")
            return answer.status == 200
        }
        for (step, mistakes) in try mistakes(steps.map { ($0, Self.scenario($0)) }) {
            #expect(mistakes == [], "\(step)")
        }
    }

    @Test("what only mullionctl reads is valid too, and variables may be anywhere")
    func own() throws {
        let scenarios = [
            "{ $schema: 'x', name: 'x', summary: 'y', server: { screens: ['9x9'], clock: 'real' }, steps: [] }",
            Self.scenario("{ compare: 'a.png' }"),
            Self.scenario(
                "{ compare: { golden: 'a.png', window: 'w', tolerance: 1, maxDiffering: '1%', masks: [{ window: 1 }] } }"
            ),
            Self.scenario("{ flap: { screen: '${screen}', times: '${times}', hostile: '${hostile}' } }, '${step}'"),
            Self.scenario("{ claim: { title: 'a', frame: '${frame}', autoresizing: ['${edge}', 'width'] } }"),
            Self.scenario("{ wait: { client: { pid: '${pid}' } } }, { expect: '${expectation}' }"),
            "{ name: 'x', variables: { a: 1, b: [{}] }, server: { profile: 'none', accessibility: true, x11: false }, steps: [] }",
            Self.scenario("{ start: 'foot' }, { start: ['foot', '--title=x', 5] }, { stop: 'foot' }"),
            Self.scenario(
                "{ start: { command: ['./a'], name: 'a', directory: '.', environment: { A: 'b', C: null, D: 1 } } }"),
            Self.scenario("{ stop: { name: 'a', status: 0, timeout: '1s' } }, { include: 'a.json5' }"),
            Self.scenario("{ include: { file: 'a.json5', variables: { title: 'x', n: 1 } } }"),
            Self.scenario("{ repeat: { times: 3, as: 'i', steps: [{ wait: '${i}ms' }] } }"),
            Self.scenario("{ repeat: { over: ['a', 1], steps: [{ repeat: { times: '${n}', steps: [] } }] } }"),
            Self.scenario("{ widget: { click: { role: 'button', name: '/Save/', enabled: true, timeout: '1s' } } }"),
            Self.scenario(
                "{ widget: { type: { into: 'Name', text: 'x' } } }, { widget: { scroll: { name: 'a', dy: 9 } } }"),
            Self.scenario(
                "{ wait: { widget: { role: 'button', gone: true }, timeout: '1s' } }, { wait: { text: 'x' } }"),
            Self.scenario(
                "{ expect: { widget: { name: 'a', text: 'b', checked: false, exists: true }, within: '1s' } }"),
            Self.scenario("{ expect: { widget: [{ name: 'a', exists: false }] } }"),
        ]
        for (text, mistakes) in try mistakes(scenarios.map { ($0, $0) }) { #expect(mistakes == [], "\(text)") }
    }

    @Test("scenarios with mistakes are not valid")
    func mistaken() throws {
        let scenarios = [
            "[]", "{ steps: [] }", "{ name: 'x' }", "{ name: 1, steps: [] }", "{ name: 'x', steps: {} }",
            "{ name: 'x', stepz: [], steps: [] }", "{ name: 'x', server: [], steps: [] }",
            "{ name: 'x', server: { clock: 'slow' }, steps: [] }", "{ name: 'x', server: { screens: 'A' }, steps: [] }",
            "{ name: 'x', server: { screen: [] }, steps: [] }",
        ]
        let steps = [
            "{}", "{ wait: '1s', unplug: 'A' }", "{ jump: 1 }", "'wait'", "{ plug: { colour: 1 } }",
            "{ flap: { screen: 'A', times: 0 } }", "{ flap: { times: 1 } }", "{ input: { type: 'poke' } }",
            "{ input: [{ type: 'tap', x: true }] }", "{ claim: { title: 'a', level: 'high' } }",
            "{ claim: { title: 'a', alpha: 2 } }", "{ claim: {} }", "{ mirror: { screen: 'A' } }", "{ wait: 5 }",
            "{ wait: { windows: 'a' } }", "{ wait: { window: { titel: 'a' } } }", "{ wait: { pixel: 'a' } }",
            "{ expect: { window: { visible: true } } }", "{ expect: { pixel: { x: 1.5, y: 1, color: '#ffffff' } } }",
            "{ compare: {} }", "{ compare: { golden: 'a', png: 'b' } }", "{ screenshot: { screen: 'A' } }",
            "{ expect: { hits: { x: 1 } } }", "{ start: [] }", "{ start: { name: 'a' } }",
            "{ start: { command: 'a', env: {} } }",
            "{ stop: { status: 256, name: 'a' } }", "{ repeat: { steps: [] } }",
            "{ repeat: { times: 1, over: [], steps: [] } }", "{ repeat: { times: 1, steps: [{ jump: 1 }] } }",
            "{ include: {} }", "{ include: { file: 'a', steps: [] } }", "{ widget: {} }",
            "{ widget: { click: {}, type: {} } }", "{ widget: { click: { titel: 'a' } } }",
            "{ widget: { type: { into: 'a' } } }",
            "{ wait: { widget: { role: 'a' }, text: 'b' } }", "{ wait: { widget: { role: 'a' }, idle: true } }",
            "{ expect: { widget: { role: 'a' }, key: 'b' } }", "{ expect: { widget: [] } }",
        ]
        for (text, mistakes) in try mistakes((scenarios + steps.map(Self.scenario)).map { ($0, $0) }) {
            #expect(mistakes != [], "\(text)")
        }
    }

    /// Steps that mullionctl reads, and some that it refuses.
    private static let (right, wrong) = (
        [
            "{ widget: { type: { into: 5, text: 'x' } } }", "{ widget: { click: { enabled: true } } }",
            "{ widget: { click: { name: 'a', button: 272, duration: 0.5 } } }",
            "{ widget: { click: { name: 5, button: 'side', duration: 600000 } } }",
            "{ widget: { scroll: { name: 'a', dy: 1, source: 'finger' } } }", "{ start: [5] }", "{ start: ['a', ''] }",
            "{ expect: { widget: { text: 'a', exists: false } } }", "{ expect: { widget: { id: 5, text: 5 } } }",
            "{ wait: { widget: { text: 'a' } } }", "{ wait: { text: 5 } }",
            "{ claim: { title: 'a', color: '#80102030' } }", "{ flap: { screen: 'A', out: '.5s', in: '1e3us' } }",
            "{ rotate: { screen: 'A', to: 'landscapeRight', duration: '60s' } }",
        ],
        [
            "{ wait: '10' }", "{ wait: 'soon' }",
            "{ widget: { type: { into: true, text: 'x' } } }", "{ widget: { type: { text: 'x' } } }",
            "{ widget: { type: { into: 'a', text: 5 } } }", "{ widget: { type: { into: 'a', text: 'x', seat: 5 } } }",
            "{ widget: { click: {} } }", "{ widget: { click: { button: 'left' } } }",
            "{ widget: { click: { name: 'a', button: 'bogus' } } }", "{ widget: { click: { name: 'a', button: -1 } } }",
            "{ widget: { click: { name: 'a', duration: '1s' } } }",
            "{ widget: { click: { name: 'a', duration: 600001 } } }",
            "{ widget: { scroll: { name: 'a' } } }", "{ widget: { scroll: { dx: 1 } } }",
            "{ widget: { scroll: { name: 'a', dx: '1' } } }",
            "{ widget: { scroll: { name: 'a', dx: 1, source: 'a' } } }",
            "{ start: '' }", "{ start: [''] }", "{ start: { command: '' } }", "{ start: { command: 'a', name: '' } }",
            "{ start: { command: 'b', directory: '' } }", "{ stop: '' }", "{ stop: { name: '' } }",
            "{ include: '' }", "{ include: { file: '' } }", "{ wait: { widget: {} } }",
            "{ wait: { widget: { gone: true } } }", "{ expect: { widget: {} } }",
            "{ expect: { widget: { exists: false } } }", "{ expect: { widget: { text: 'a', enabled: true } } }",
            "{ claim: { title: 'a', color: 'red' } }", "{ rotate: { screen: 'A', to: 'sideways' } }",
            "{ flap: { screen: 'A', out: '10' } }", "{ expect: { key: 'a', within: '10' } }",
            "{ wait: { idle: true, timeout: 'soon' } }", "{ brightness: { screen: 'A', to: 2 } }",
            "{ scale: { screen: 'A', to: 2, duration: '1s' } }",
            "{ expect: { pixel: { x: 1, y: 1, color: 'red' } } }",
        ]
    )

    @Test("the values that the schema accepts are those that mullionctl reads")
    func values() throws {
        func check(_ steps: [String]) throws -> [String] {
            let file = folder.path + "/x.json5"
            try Data(Self.scenario(steps.joined(separator: ",\n")).utf8).write(to: URL(fileURLWithPath: file))
            let program = try Program(
                Programs.built + "/mullionctl", ["scenario", file, "--check"],
                environment: ["TMPDIR": folder.path, "XDG_RUNTIME_DIR": folder.path])
            return program.outputAtEnd().split(separator: "\n").map(String.init)
        }
        #expect(try check(Self.right) == [folder.path + "/x.json5: no mistakes"])
        let refusals = try check(Self.wrong)
        for (line, step) in zip(1..., Self.wrong) {
            #expect(refusals.contains { $0.contains("/x.json5:\(line):") }, "\(step)")
        }
        let all = Self.right.map { ($0, Self.scenario($0)) } + Self.wrong.map { ($0, Self.scenario($0)) }
        for (step, mistakes) in try mistakes(all) {
            #expect(mistakes.isEmpty == Self.right.contains(step), "\(step): \(mistakes)")
        }
    }

    /// Objects that only mullionctl reads, by the names of their definitions; the scenario itself has none.
    private static let objects: [(name: String, object: String)] = [
        ("ScenarioServer", "server: { bogus: 1 }, steps: []"), ("", "bogus: 1, steps: []"),
        ("Start", "steps: [{ start: { command: 'a', bogus: 1 } }]"),
        ("Stop", "steps: [{ stop: { name: 'a', bogus: 1 } }]"),
        ("Repetition", "steps: [{ repeat: { times: 1, steps: [], bogus: 1 } }]"),
        ("Inclusion", "steps: [{ include: { file: 'a', bogus: 1 } }]"),
        ("WidgetInput", "steps: [{ widget: { bogus: 1 } }]"),
        ("Click", "steps: [{ widget: { click: { name: 'a', bogus: 1 } } }]"),
        ("Typing", "steps: [{ widget: { type: { text: 'a', bogus: 1 } } }]"),
        ("Scroll", "steps: [{ widget: { scroll: { dx: 1, bogus: 1 } } }]"),
        ("WaitWidget", "steps: [{ wait: { widget: { name: 'a', bogus: 1 } } }]"),
        ("ExpectedWidget", "steps: [{ expect: { widget: { name: 'a', bogus: 1 } } }]"),
    ]

    @Test("the keys of mullionctl's own objects are those that it reads", arguments: objects)
    func keys(name: String, object: String) throws {
        let file = folder.path + "/x.json5"
        try Data("{ name: 'x', \(object) }".utf8).write(to: URL(fileURLWithPath: file))
        let program = try Program(
            Programs.built + "/mullionctl", ["scenario", file, "--check"],
            environment: ["TMPDIR": folder.path, "XDG_RUNTIME_DIR": folder.path])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 3)
        let message = try #require(
            output.split(separator: "\n").first { $0.contains("unknown key \"bogus\"") }, "\(output)")
        let parts = message.split(separator: "; use ").last ?? ""
        let known = parts.replacing("one of ", with: "").split(separator: ", or a state").first ?? ""
        let keys = Set(known.split(separator: ", ").map(String.init))
        let schema = try JSON(Array(try schema().utf8))
        guard case .object(let fields) = schema, case .object(let definitions)? = fields["$defs"] else {
            throw FixtureError("no definitions")
        }
        guard case .object(let definition) = name.isEmpty ? schema : definitions[name],
            case .object(let properties)? = definition["properties"]
        else { throw FixtureError("no properties of \(name)") }
        // Exactly these keys, and states where widgets have them.
        let hasStates = message.contains("or a state such as enabled")
        let found = Set(properties.keys)
        #expect(
            hasStates ? found.isSuperset(of: keys.union(["enabled", "checked"])) : found == keys, "\(found.sorted())")
    }
}
