// A request whose answer may take long.

import FoundationEssentials
import Glibc

/// A request that was sent, and its answer once there is one. Releasing it closes the connection.
public final class OpenRequest {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var isComplete = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Nil while it is not complete.
    public var answer: (status: Int, body: String)? {
        isComplete = isComplete || TestControl.read(descriptor, into: &bytes)
        guard isComplete else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : "")
    }
}

extension TestControl {
    /// Sends a request without waiting for its answer.
    public func open(_ method: String, _ target: String) throws -> OpenRequest {
        OpenRequest(try start(method, target))
    }
}
