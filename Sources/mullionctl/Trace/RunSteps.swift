// The steps of a test that a library drives.

import ControlProtocol
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
    let all: [API.NotedStep]
    /// The library's process.
    private let process: Double

    /// Nil without a library. Other programs can write there, too: what is no step is ignored.
    init?(in folder: String) {
        let file = unsafe OwnedDescriptor(
            open("\(folder)/\(Self.file)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))
        guard file.rawValue >= 0 else { return nil }
        let bytes = withExtendedLifetime(file) { DescriptorIO.read(file.rawValue, count: Self.mostBytes) }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.most + 1).compactMap { line in
            try? JSON5Document(Array(line), .json).decode(API.NotedStep.self)
        }
        guard let title = lines.first?.title, let process = lines.first?.pid else { return nil }
        (self.title, self.process) = (title, process)
        all = Array(lines.dropFirst())
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
