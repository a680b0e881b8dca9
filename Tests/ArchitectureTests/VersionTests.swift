// The version of the package, which files of three languages have.

import FoundationEssentials
import Testing

@Suite struct VersionTests {
    private static let root = String(#filePath.dropLast("Tests/ArchitectureTests/VersionTests.swift".count))

    @Test("The programs, the Python module and the packages have one version")
    func version() throws {
        let places = [
            ("Sources/System/PackageVersion.swift", before: "static let current = \"", after: "\""),
            ("Sources/pytest-mullion/pytest_mullion/__init__.py", before: "\n__version__ = \"", after: "\""),
            // The latest one is the first one.
            ("Config/debian/changelog", before: "mullion (", after: "-"),
        ]
        var versions: [String: String] = [:]
        for (file, before, after) in places {
            let text = try String(contentsOfFile: Self.root + file, encoding: .utf8)
            let start = try #require(text.firstRange(of: before), "\(file)").upperBound
            let end = try #require(text[start...].firstRange(of: after), "\(file)").lowerBound
            versions[file] = String(text[start..<end])
        }
        #expect(Set(versions.values).count == 1, "\(versions)")
    }
}
