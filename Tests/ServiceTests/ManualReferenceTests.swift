// Manual pages list what a running server has: routes, metrics, fields, steps and globals.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct ManualReferenceTests {
    /// A route in the control API's description.
    private struct Description: Decodable {
        struct Operation: Decodable {
            struct Parameter: Decodable {
                var name: String
                var place: String

                enum CodingKeys: String, CodingKey {
                    case name
                    case place = "in"
                }
            }

            var rights: [String]
            var parameters: [Parameter]?

            enum CodingKeys: String, CodingKey {
                case parameters
                case rights = "x-rights"
            }
        }

        struct Components: Decodable { var schemas: [String: Schema] }

        struct Schema: Decodable {
            struct Property: Decodable {
                var words: [String]?

                enum CodingKeys: String, CodingKey { case words = "enum" }
            }

            var properties: [String: Property]?
        }

        var paths: [String: [String: Operation]]
        var components: Components
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Machine.package)/Config/man/\(name)", encoding: .utf8)
            .replacing("\\-", with: "-")
    }

    /// The output of a script that runs with a private server.
    private func output(_ script: String, options: [String] = []) throws -> String {
        let words = ["run", "--screen", "64x48"] + options + ["--", "bash", "-c", script, Machine.binaries]
        let transcript = try Transcript("\(Machine.binaries)/mullionctl", words)
        try #require(transcript.status == 0, "\(transcript)")
        return transcript.output
    }

    private func answer(_ path: String) throws -> String {
        let socket = #""$XDG_RUNTIME_DIR/mullion/control.sock""#
        return try output("curl --silent --fail --unix-socket \(socket) http://localhost\(path)")
    }

    /// The words of a page, macros included; fields appear among them as they are spelled.
    private func words(_ text: String) -> Set<Substring> {
        Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }

    @Test(
        "mullion-control(7) has every route with its rights and parameters, and every field of the bodies",
        .enabled(if: Program.isInstalled("curl")))
    func routes() throws {
        let description = try JSONDecoder().decode(Description.self, from: Data(try answer("/v1/openapi.json").utf8))
        let page = try page("mullion-control.7")
        // ".It Ic GET /v1/capture Pq view , capture", and the text up to the next item.
        var written: [String: Substring] = [:]
        for item in page.split(separator: "\n.It ") where item.hasPrefix("Ic ") {
            let head = item.prefix { $0 != "\n" }
            written[String(head.dropFirst(3)).replacing(" , ", with: ",").replacing(" Pq ", with: " ")] = item
        }
        var routes: Set<String> = []
        for (path, operations) in description.paths {
            for (method, operation) in operations {
                let rights = operation.rights.isEmpty ? "" : " " + operation.rights.joined(separator: ",")
                let name = "\(method.uppercased()) \(path)\(rights)"
                routes.insert(name)
                for parameter in operation.parameters ?? [] where parameter.place == "query" {
                    #expect(written[name]?.contains("?\(parameter.name)=") == true, "\(name): \(parameter.name)")
                }
            }
        }
        #expect(routes.count > 20)
        #expect(Set(written.keys) == routes)
        let words = words(page)
        for name in [
            "InputEvent", "Finger", "Plug", "ScreenPatch", "WindowPatch", "KeyboardPatch", "ClockPatch", "Problem",
            "Conversion", "Space", "Unfinished",
        ] {
            let fields = try #require(description.components.schemas[name]?.properties)
            for (field, schema) in fields {
                #expect(words.contains(field[...]), "\(name).\(field)")
                guard ["Problem", "Unfinished"].contains(name) else { continue }
                for word in schema.words ?? [] { #expect(words.contains(word[...]), "\(name).\(field): \(word)") }
            }
        }
    }

    @Test("mullion-control(7) has every metric, and no other", .enabled(if: Program.isInstalled("curl")))
    func metrics() throws {
        let names = try answer("/v1/metrics").split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .compactMap { $0.split(separator: " ").dropFirst(2).first }
        let page = try page("mullion-control.7")
        let section = try #require(page.split(separator: "\n.Sh ").first { $0.hasPrefix("METRICS") })
        let items = section.split(separator: "\n").filter { $0.hasPrefix(".It Sy ") }
        let written = items.flatMap { $0.dropFirst(7).split(separator: " ").filter { $0 != "," } }
        #expect(names.count > 20 && Set(names) == Set(written) && written.count == Set(written).count)
    }

    @Test(
        "mullion-protocol(7) has every global with its version, and says which need a right",
        .enabled(if: Program.isInstalled("wayland-info")))
    func globals() throws {
        let items = try page("mullion-protocol.7").split(separator: "\n").filter { $0.hasPrefix(".It ") }
            .map { $0.dropFirst(4).split(separator: " Ta ") }.filter { $0.count > 1 }
        let all = try globals(options: [])
        #expect(all.count > 20 && Set(items.map { "\($0[0]) \($0[1])" }) == all)
        // The server's own user has all rights unless a rule says otherwise.
        let configuration = FileManager.default.temporaryDirectory.path + "/mullion-manual-\(UUID().uuidString).json5"
        try "{ policy: { peers: [{ rights: [] }] } }".write(toFile: configuration, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: configuration) }
        let free = items.filter { $0.count < 3 || !$0[2].hasPrefix("needs ") }
        #expect(Set(free.map { "\($0[0]) \($0[1])" }) == (try globals(options: ["--config", configuration])))
    }

    /// Interfaces with their versions.
    private func globals(options: [String]) throws -> Set<String> {
        let lines = try output("wayland-info", options: options).split(separator: "\n")
        return Set(
            lines.filter { $0.hasPrefix("interface: ") }.map { line in
                let words = line.split { " ',:".contains($0) }
                return "\(words[1]) \(words[3])"
            })
    }

    @Test(
        "mullion-scenario(5) has every step and every field of it",
        arguments: [
            "steps: [{ bogus: 1 }]", "bogus: 1", "steps: [{ claim: { bogus: 1 } }]",
            "steps: [{ window: { bogus: 1 } }]",
            "steps: [{ flap: { bogus: 1 } }]", "steps: [{ rotate: { bogus: 1 } }]", "steps: [{ expect: { bogus: 1 } }]",
            "steps: [{ expect: { screen: { bogus: 1 } } }]", "steps: [{ expect: { window: { bogus: 1 } } }]",
            "steps: [{ expect: { pixel: { bogus: 1 } } }]", "steps: [{ expect: { hits: { bogus: 1 } } }]",
            "server: { bogus: 1 }", "steps: [{ start: { command: 1, bogus: 1 } }]", "steps: [{ stop: { bogus: 1 } }]",
            "steps: [{ widget: { bogus: 1 } }]", "steps: [{ widget: { click: { bogus: 1 } } }]",
            "steps: [{ repeat: { bogus: 1 } }]", "steps: [{ include: { bogus: 1 } }]",
        ])
    func scenario(mistake: String) throws {
        // The error lists the known fields.
        let script = "echo '{ name: \"x\", \(mistake) }' >$TMPDIR/x.json5; ! \"$0/mullionctl\" scenario $TMPDIR/x.json5"
        let answer = try output("export TMPDIR=$XDG_RUNTIME_DIR; " + script)
        let known = try #require(answer.split(separator: "use one of ").dropFirst().first, "\(answer)")
        let words = words(try page("mullion-scenario.5"))
        for field in known.split(whereSeparator: { ", \n".contains($0) }) {
            #expect(words.contains(field.drop { $0 == "$" }), "\(field) of \(mistake)")
        }
    }
}
