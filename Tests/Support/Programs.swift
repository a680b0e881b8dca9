// The folders of the programs under test.

import FoundationEssentials
import Testing

/// The folders of the two builds that tests start programs from.
public enum Programs {
    /// The folder of Package.swift.
    public static let package = String(#filePath.dropLast("/Tests/Support/Programs.swift".count))

    /// The programs built as the tests are, with exclusivity and overflow checks, in the folder of the test program.
    public static let built: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex))
    }()

    /// The optimised, static programs that users install, as `Config/test` builds them.
    public static let shipped = package + "/.build/release"

    /// The server of black-box tests: the shipped one, or MULLION_SERVER, a server built with a sanitizer for example.
    public static let server: String = environmentValue("MULLION_SERVER") ?? shipped + "/mulliond"

    /// Whether black-box tests run on the server that ships; one built with a sanitizer is slower and larger.
    public static let isServerShipped = environmentValue("MULLION_SERVER") == nil
}

extension Trait where Self == ConditionTrait {
    /// For tests of programs that start the server beside them, the one that ships: with MULLION_SERVER they would be the
    /// same tests once more.
    public static var startsShippedServer: Self {
        .enabled(if: Programs.isServerShipped, "starts the server that ships, whatever MULLION_SERVER is")
    }
}
