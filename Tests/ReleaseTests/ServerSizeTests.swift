// What the program that ships does not contain.

import TestSupport
import Testing

@Suite struct ServerSizeTests {
    // Any use of one of these links all of it, without an error: see Architecture.md. _RegexParser comes with
    // _StringProcessing; com.apple.root names Dispatch's queues, which Swift's concurrency links.
    @Test(
        "the server contains no part of Foundation, of regular expressions, or of Swift's concurrency",
        arguments: ["FoundationEssentials", "_RegexParser", "com.apple.root"])
    func libraries(name: String) throws {
        #expect(try contains("DisplayServer") && !contains(name))
    }

    private func contains(_ name: String) throws -> Bool {
        let search = try Program("grep", ["-qaF", name, Programs.shipped + "/mulliond"])
        _ = search.outputAtEnd()
        return search.exitStatus == 0
    }
}
