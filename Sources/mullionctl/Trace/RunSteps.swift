// The steps of a test that a library drives.

import Glibc
import JSON5
import MullionSystem

/// What the test of a run has done and expected, from a file that its library writes beside the notes.
struct RunSteps {
    /// The name of the file.
    private static let file = "steps.jsonl"
    /// The most bytes of the file, and the most steps.
    private static let (mostBytes, most) = (1 << 20, 2000)
    /// What the library asks the server to know whether something is so, besides reading.
    private static let questions = ["/v1/settle", "/v1/input"]

    /// The name of the test.
    let title: String
    /// Each with `text`, `time` in microseconds of the monotonic clock, `duration` in microseconds, and `failed`.
    let all: [JSON]
    /// The library's process.
    private let process: Double

    /// Nil without a library. Other programs can write there, too: what is no step is ignored.
    init?(in folder: String) {
        let file = unsafe OwnedDescriptor(
            open("\(folder)/\(Self.file)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
        guard file.rawValue >= 0 else { return nil }
        let bytes = withExtendedLifetime(file) { DescriptorIO.read(file.rawValue, count: Self.mostBytes) }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.most + 1).compactMap { line in
            try? JSON(parsing: String(decoding: line, as: UTF8.self))
        }
        guard let title = lines.first?["title"].string, let process = lines.first?["pid"].number else { return nil }
        (self.title, self.process) = (title, process)
        all = lines.dropFirst().filter { $0["text"].string != nil && $0["time"].number != nil }
            .map { $0.only(["text", "time", "duration", "failed"]) }
    }

    /// The events without the requests by which the library asks the same again and again.
    func withoutPolling(_ events: [JSON]) -> [JSON] {
        events.filter { $0["event"].text != "request" || !isQuestion($0) }
    }

    private func isQuestion(_ event: JSON) -> Bool {
        let (path, status) = (event["path"].text, event["status"].number ?? 0)
        let isReading = event["method"].string == "GET" || path.hasSuffix("/compare") || path.has(text: "/compare?")
        // Programs of the test may read, too, but what they are refused matters.
        guard event["pid"].number == process else { return isReading && status < 400 }
        return isReading || Self.questions.contains { path == $0 || path.hasPrefix($0 + "?") } && status < 500
    }
}
