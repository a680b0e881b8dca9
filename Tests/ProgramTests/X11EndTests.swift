// How X11 programs end, as mullion-x11 reports it.

import FoundationEssentials
import Glibc
import MullionSystem
import TestSupport
import Testing
import WindowModel

@testable import X11

@Suite(.enabled(if: X11Display.isPossible)) struct X11EndTests {
    /// A line of mullion-x11.
    private struct End: Decodable {
        var name: String
        var pid: Int32
        var since: UInt64
        var until: UInt64
        var signal: Int32?
        var status: Int32?
    }

    private let fixture: ServerFixture
    private let folder: TemporaryFolder

    init() throws {
        fixture = try ServerFixture(screens: ["1000x700,name=A"])
        folder = try TemporaryFolder()
    }

    private func lines(_ file: String) throws -> [End] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(End.self, from: Data($0.utf8)) }
    }

    private func open(_ name: String) throws -> (descriptor: OwnedDescriptor, path: String) {
        let path = "\(folder.path)/\(name)"
        let file = OwnedDescriptor(Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
        try #require(file.rawValue >= 0)
        return (file, path)
    }

    private static let script = "\(#filePath.dropLast("ProgramTests/X11EndTests.swift".count))Programs/x11_program.py"

    @Test("a line for each program that ends: its name, its process, when and how")
    func report() throws {
        let (file, path) = try open("ends")
        let display = try X11Display(fixture, ["--ends-fd", "3"], descriptors: [file.rawValue])
        let before = MonotonicClock.nanoseconds / 1000
        // It does not fit into a string of JSON as it is.
        let name = "a\"\\\tü"
        let ends: [(mode: String, signal: Int32?, status: Int32?)] = [
            ("crash", SIGSEGV, nil), ("abort", SIGABRT, nil), ("exit", nil, 7), ("end", nil, 0),
        ]
        for (count, end) in ends.enumerated() {
            // It is not collected before its line is there.
            let program = try display.spawn("python3", [Self.script, end.mode, name])
            try fixture.wait(for: "a line about \(end.mode); \(program.readOutput())") { try lines(path).count > count }
            let line = try #require(try lines(path).last)
            #expect(line.pid == program.pid && line.name == name, "\(line)")
            #expect(line.signal == end.signal && line.status == end.status, "\(line)")
            #expect(line.since >= before && line.since <= line.until)
        }
        display.program.kill(SIGTERM)
        #expect(display.program.outputAtEnd().hasPrefix(":") && display.program.exitStatus == 0)
        #expect(try lines(path).count == ends.count)
    }

    @Test("many windows and connections of a process cost one descriptor, and are one program")
    func bounds() throws {
        let (file, path) = try open("ends")
        let display = try X11Display(fixture, ["--ends-fd", "3"], descriptors: [file.rawValue])
        let clients = try (0..<4).map { _ in try XClient(display, fixture) }
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(display.program.pid)/fd").count
        }
        func make(_ count: Int, by client: XClient) throws {
            for round in 0..<count {
                let window = client.window(XFrame(x: 0, y: 0, width: 10, height: 10))
                if round % 2 == 0 { client.x.destroy(window) }
                if round % 100 == 0 { try client.sync() }
            }
            try client.sync()
        }
        let before = try descriptors()
        for client in clients { try make(2000, by: client) }
        // The window manager has read it all when it maps another one.
        clients[0].x.map(clients[0].window(XFrame(x: 10, y: 10, width: 100, height: 100)))
        try clients[0].wait(for: "a window") { fixture.model.windows.count == 1 }
        #expect(try descriptors() == before + 1)
        for client in clients { client.close() }
        try fixture.wait(for: "no window") { fixture.model.windows.isEmpty }
        #expect(try lines(path).isEmpty && descriptors() == before + 1)
    }

    @Test("a reader that is gone, or reads nothing, hurts nobody")
    func reader() throws {
        let (gone, full) = try (ChildProcess.pipe(), ChildProcess.pipe())
        gone.read.close()
        full.write.makeNonBlocking()
        while Glibc.write(full.write.rawValue, "x", 1) == 1 {}
        // The same open file description is the child's.
        #expect(errno == EAGAIN && fcntl(full.write.rawValue, F_SETFL, O_WRONLY) == 0)
        for pipe in [gone, full] {
            let display = try X11Display(fixture, ["--ends-fd", "3"], descriptors: [pipe.write.rawValue])
            for _ in 0..<2 {
                let terminal = try display.xterm("terminal")
                _ = try display.shows("terminal")
                terminal.kill(SIGKILL)
                try fixture.wait(for: "its end") { !terminal.isRunning && display.window("terminal") == nil }
            }
            display.program.kill(SIGTERM)
            let output = display.program.outputAtEnd()
            #expect(display.program.exitStatus == 0, "\(output)")
        }
    }

    @Test("a descriptor that cannot be written to is refused")
    func refused() throws {
        let input = OwnedDescriptor(Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC))
        for (word, status, reason) in [
            ("77", 1, "--ends-fd 77: Bad file descriptor"), ("3", 1, "--ends-fd 3 cannot be written to"),
            ("x", 2, "--ends-fd x is not a descriptor; use a number of at least 0"),
        ] as [(String, Int32, String)] {
            let program = try fixture.spawn(
                "\(Programs.built)/mullion-x11", ["--ends-fd", word], descriptors: [input.rawValue])
            #expect(program.outputAtEnd() == "mullion-x11: \(reason)\n" && program.exitStatus == status)
        }
    }
}
