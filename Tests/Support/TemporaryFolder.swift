// Folders that are removed with their tests.

import FoundationEssentials
import Glibc

/// A temporary folder, removed with its contents. Its path is short, so that sockets fit.
public final class TemporaryFolder {
    public let path: String

    public init() throws {
        var template = Array("/tmp/mullion-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FixtureError("mkdtemp: \(errorText())") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
