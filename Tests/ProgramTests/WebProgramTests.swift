// mulliond over TCP, seen from outside: its token, its errors, and a check of the control API's description.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct WebProgramTests {
    private static let binaries = Programs.shipped
    private static let package = String(#filePath.dropLast("/Tests/ProgramTests/WebProgramTests.swift".count))
    /// Where Config/test puts it.
    private static let judge = package + "/.build/schemathesis"

    private static let generator = package + "/.build/openapi-python-client"

    private static func has(_ folder: String) -> Bool {
        let isInstalled = access(folder + "/version", F_OK) == 0
        if !isInstalled { print("WebProgramTests: Config/test could not install \(folder); its test is skipped") }
        return isInstalled
    }

    /// A mulliond with a configuration, in a folder of its own.
    private struct Daemon {
        let program: Program
        let folder: String
        let url: String

        init(_ fixture: ServerFixture, _ configuration: String, _ arguments: [String] = []) throws {
            let folder = try fixture.runtimeDirectory() + "/daemon"
            mkdir(folder, 0o700)
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/mullion.json5"))
            let program = try Program(
                "\(WebProgramTests.binaries)/mulliond",
                ["--config", folder + "/mullion.json5", "--state", "none", "--ready-fd", "1"] + arguments,
                environment: ["XDG_RUNTIME_DIR": folder])
            // It prints its socket's name last.
            try fixture.wait(for: "the server: \(program.readOutput())") {
                program.readOutput().contains("wayland-") || !program.isRunning
            }
            let words = program.readOutput().split { $0 == " " || $0 == "," }
            url = words.first { $0.hasPrefix("http://") }.map(String.init) ?? ""
            (self.program, self.folder) = (program, folder)
        }

        func token() throws -> String { try String(contentsOfFile: folder + "/mullion/token", encoding: .utf8) }

        func end(_ fixture: ServerFixture) throws {
            program.kill(SIGTERM)
            try fixture.wait(for: "its end") { !program.isRunning }
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("--http writes a token only its owner can read, logs its path and not its value, and removes it at the end")
    func token() throws {
        let fixture = try ServerFixture(screens: [])
        let daemon = try Daemon(fixture, "{ log: { level: 'debug' } }", ["--http", "127.0.0.1:0"])
        let path = daemon.folder + "/mullion/token"
        var file = stat()
        #expect(stat(path, &file) == 0 && file.st_mode & 0o777 == 0o600 && file.st_uid == geteuid())
        let token = try daemon.token()
        #expect(token.utf8.count == 65 && token.hasSuffix("\n"))
        #expect(daemon.program.readOutput().contains("control API at \(daemon.url), the token is in \(path)"))
        daemon.program.kill(SIGTERM)
        try fixture.wait(for: "its end") { !daemon.program.isRunning }
        #expect(daemon.program.exitStatus == 0 && access(path, F_OK) != 0)
        #expect(!daemon.program.readOutput().contains(token.dropLast()))
        try FileManager.default.removeItem(atPath: daemon.folder)
    }

    @Test("a file or link at the token's path is replaced, not followed or written to; another server's token stays")
    func replaced() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory()
        let (path, victim) = (folder + "/token", folder + "/victim")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        #expect(symlink(victim, path) == 0)
        defer { for name in [path, victim] { unlink(name) } }
        let daemon = try Daemon(fixture, "{ http: { listen: '127.0.0.1:0', tokenFile: '\(path)' } }")
        var file = stat()
        #expect(lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFREG && file.st_mode & 0o777 == 0o600)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        unlink(path)
        try Data("other".utf8).write(to: URL(fileURLWithPath: path))
        try daemon.end(fixture)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }

    @Test(
        "addresses that others can reach, and mistakes in the section, are errors before anything is served",
        arguments: [
            ("{}", ["--http", "0.0.0.0:8080"], Int32(2), "not a loopback address"),
            ("{}", ["--http", "8080"], 2, "use 127.0.0.1:PORT"), ("{}", ["--http"], 2, "needs a value"),
            ("{ http: { listen: '[::]:80' } }", [], 1, "http.listen"),
            ("{ http: { rights: ['everything'] } }", [], 1, "http.rights"),
            ("{ http: { token: 'x' } }", [], 1, "use one of"),
            ("{ http: { listen: '127.0.0.1:0', tokenFile: '/nowhere/token' } }", [], 1, "/nowhere/token"),
        ] as [(String, [String], Int32, String)])
    func mistakes(configuration: String, arguments: [String], status: Int32, words: String) throws {
        let fixture = try ServerFixture(screens: [])
        let daemon = try Daemon(fixture, configuration, arguments)
        try fixture.wait(for: "its end") { !daemon.program.isRunning }
        #expect(daemon.program.exitStatus == status)
        #expect(daemon.program.readOutput().contains(words), "\(daemon.program.readOutput())")
        try FileManager.default.removeItem(atPath: daemon.folder)
    }

    @Test("schemathesis finds no server error and no undescribed response", .enabled(if: has(judge)))
    func description() throws {
        let fixture = try ServerFixture(screens: [])
        let daemon = try Daemon(
            fixture,
            "{ http: { listen: '127.0.0.1:0', rights: ['view', 'capture', 'inject', 'administer'] } }",
            ["--screen", "64x48,name=main", "--screen", "80x60,name=TV"])
        let claim = try Program(
            "\(Self.binaries)/mullionctl", ["--control", daemon.folder + "/mullion/control.sock", "claim"],
            environment: ["XDG_RUNTIME_DIR": daemon.folder, "WAYLAND_DISPLAY": "wayland-0"])
        let token = try daemon.token().dropLast()
        let checks = [
            "not_a_server_error", "status_code_conformance", "content_type_conformance",
            "response_schema_conformance", "response_headers_conformance",
        ]
        let judge = try fixture.spawn(
            "env",
            [
                // It leaves a cache where it runs.
                "-C", daemon.folder, "python3", "-m", "schemathesis.cli", "--config-file",
                Self.package + "/Tests/Programs/schemathesis.toml", "run",
                daemon.url + "/openapi.json", "-H", "Authorization: Bearer \(token)", "--seed", "1", "-n", "8",
                "--phases", "examples,coverage,fuzzing", "--checks", checks.joined(separator: ","), "--no-shrink",
                "--request-timeout", "60", "--max-failures", "20",
            ],
            environment: [
                "PYTHONPATH": Self.judge, "PYTHONDONTWRITEBYTECODE": "1", "HOME": daemon.folder, "NO_COLOR": "1",
            ])
        try fixture.wait(for: "schemathesis", seconds: 600) {
            _ = judge.readOutput()
            return !judge.isRunning
        }
        #expect(judge.exitStatus == 0, "\(judge.readOutput())")
        #expect(daemon.program.isRunning && !daemon.program.readOutput().contains("error:"))
        claim.kill(SIGINT)
        try fixture.wait(for: "the end of its window") { !claim.isRunning }
        try daemon.end(fixture)
    }

    @Test("a client generated from the description uses the API with its types", .enabled(if: has(generator)))
    func generatedClient() throws {
        let fixture = try ServerFixture(screens: [])
        let daemon = try Daemon(
            fixture,
            "{ http: { listen: '127.0.0.1:0', rights: ['view', 'capture', 'inject', 'administer'] } }",
            ["--screen", "640x480,name=main"])
        let claim = try Program(
            "\(Self.binaries)/mullionctl", ["--control", daemon.folder + "/mullion/control.sock", "claim"],
            environment: ["XDG_RUNTIME_DIR": daemon.folder, "WAYLAND_DISPLAY": "wayland-0"])
        try fixture.wait(for: "its window") { claim.readOutput().contains("didBecomeVisible") }
        let token = try daemon.token().dropLast()
        let environment = ["PYTHONPATH": Self.generator, "PYTHONDONTWRITEBYTECODE": "1", "HOME": daemon.folder]
        func run(_ arguments: [String]) throws -> String {
            let program = try fixture.spawn(
                "env", ["-C", daemon.folder, "python3"] + arguments, environment: environment)
            try fixture.wait(for: "\(arguments)", seconds: 120) {
                _ = program.readOutput()
                return !program.isRunning
            }
            #expect(program.exitStatus == 0, "\(program.readOutput())")
            return program.readOutput()
        }
        // It knows no other name for bytes.
        let configuration = "content_type_overrides: { image/png: application/octet-stream }\npost_hooks: []\n"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: daemon.folder + "/generator.yaml"))
        let generated = try run([
            "-m", "openapi_python_client", "generate", "--url", daemon.url + "/openapi.json", "--meta", "none",
            "--output-path", "client", "--config", "generator.yaml",
        ])
        #expect(!generated.contains("will not be generated"), "\(generated)")
        let used = try run([
            Self.package + "/Tests/Programs/generated_client.py", daemon.folder, daemon.url, "\(token)",
        ])
        #expect(used.hasSuffix("the generated client agrees\n"), "\(used)")
        claim.kill(SIGINT)
        try fixture.wait(for: "the end of its window") { !claim.isRunning }
        try daemon.end(fixture)
    }
}
