// mullionctl scenario --artifacts

import FoundationEssentials
import TestSupport
import Testing

@Suite struct ScenarioReportTests {
    private let workshop: Workshop
    private let good: String
    private let bad: String

    init() throws {
        workshop = try Workshop()
        good = try workshop.write(ScenarioBatchTests.scenario("{ wait: '1ms' }"), to: "a.json5")
        bad = try workshop.write(ScenarioBatchTests.scenario("{ expect: { key: 'a', within: '1ms' } }"), to: "b.json5")
    }

    private func run(_ words: String...) throws -> (status: Int32, output: String) {
        try workshop.mullionctl(["scenario"] + words + ["--output", workshop.folder + "/out"])
    }

    @Test("each of several scenarios has a report of its own, and the only one has the folder")
    func reports() throws {
        #expect(try run(good, bad, "--jobs", "2", "--artifacts", workshop.folder + "/all").status == 1)
        for name in ["a", "b"] { #expect(workshop.files("all/\(name)").contains("report.html"), "\(name)") }
        #expect(try run(good, "--artifacts", workshop.folder + "/one").status == 0)
        #expect(workshop.files("one").contains("report.html"))
    }

    @Test("with --on-failure, only the scenario that fails has a report, which says why")
    func failures() throws {
        #expect(try run(good, bad, "--artifacts", workshop.folder + "/failed", "--on-failure").status == 1)
        #expect(workshop.files("failed") == ["b"])
        let report = try String(contentsOfFile: workshop.folder + "/failed/b/report.html", encoding: .utf8)
        #expect(report.contains("key window: expected a, seen none"))
    }

    @Test("a report is refused where there is no server to report on")
    func refusals() throws {
        let shared = try workshop.write("{ name: 'c', steps: [{ wait: '1ms' }] }", to: "c.json5")
        for (words, reason) in [
            (["--artifacts", "x", shared], "\(shared) runs on the running server; only a private server has a report"),
            (["--artifacts", "x", good, shared], "\(shared) runs on the running server"),
            (["--artifacts", "x", good, "--here"], "\(good) runs on the running server"),
            (["--artifacts", "x", good, "--check"], "--check runs nothing; use it without --artifacts"),
            (["--on-failure", good], "--on-failure needs --artifacts DIR"),
        ] {
            let result = try workshop.mullionctl(["scenario"] + words)
            #expect(result.status == 2 && result.output.contains(reason), "\(words): \(result.output)")
        }
        #expect(workshop.files("out").isEmpty)
    }
}
