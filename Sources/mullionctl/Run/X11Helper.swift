// The X display of mullionctl run.

import ControlProtocol
import Glibc
import JSON5
import MullionControl
import MullionSystem

/// mullion-x11, and what it reports about X11 programs.
struct X11Helper {
    /// The most bytes of its report that are read.
    private static let most = 4 << 20

    let helper: HelperProgram
    private let report: String

    /// - Parameters:
    ///   - folder: that of the run.
    ///   - reportsEnds: whether to find out how programs end.
    init(
        folder: String, environment: [String: String], reportsEnds: Bool, log: String
    ) throws(CommandError) {
        report = folder + "/x11-programs"
        var words = ["--ready-fd", "3"]
        var descriptors: [Int32: Int32] = [:]
        if reportsEnds {
            let file = unsafe open(report, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw .refused("\(report): \(Terminal.reason)") }
            words += ["--ends-fd", "4"]
            descriptors[4] = file
        }
        defer { descriptors[4].map { _ = close($0) } }
        helper = try HelperProgram(
            "mullion-x11", what: "mullion-x11", words, environment: environment, log: log, descriptors: descriptors)
    }

    /// The programs that have ended.
    var ended: [API.EndedProgram] {
        let bytes = (try? DescriptorIO.beginning(ofFile: report, count: Self.most)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? JSON5Document(Array(line), .json).decode(API.EndedProgram.self)
        }
    }
}
