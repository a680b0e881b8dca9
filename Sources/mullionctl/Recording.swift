// Output of mullionctl watch, to be injected again.

import Glibc
import JSON5
import MullionControl
import MullionSystem

/// The input steps of a recording, in order.
struct Recording {
    struct Step {
        /// The line in the file, counted from 1.
        var line: Int
        /// In microseconds of the recorded server's clock.
        var time: Double
        var input: JSON
    }

    var steps: [Step] = []
    /// Whether the times are of a manual clock, which begins with the server.
    var isManual = false

    /// - Parameter path: a file, or "-" for standard input.
    init(contentsOf path: String) throws(CommandError) {
        let bytes: [UInt8]
        do {
            bytes =
                try path == "-"
                ? DescriptorIO.read(0) : NamedFile.contents(of: path, atMost: 1 << 30, acceptsPipes: true)
        } catch {
            throw .refused("\(Self.name(of: path)) cannot be read: \(error)")
        }
        let path = Self.name(of: path)
        for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 != 32 && $0 != 9 && $0 != 13 }) else { continue }
            guard let json = try? JSON(parsing: String(decoding: line, as: UTF8.self)) else {
                throw .refused("\(path):\(index + 1): this is not JSON; expected the output of mullionctl watch")
            }
            // The effects are recorded too, when everything was watched.
            guard json["event"] == .string("input") else { continue }
            guard let time = json["time"].number, case .object = json["input"] else {
                throw .refused("\(path):\(index + 1): an input event needs a time and an input")
            }
            guard time >= steps.last?.time ?? 0 else {
                throw .refused("\(path):\(index + 1): the time is before that of the previous line")
            }
            steps.append(Step(line: index + 1, time: time, input: json["input"]))
            isManual = json["clock"] == .string("manual")
        }
    }

    /// The file's name, for messages.
    static func name(of path: String) -> String { path == "-" ? "standard input" : path }
}
