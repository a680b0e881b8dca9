// The results of a run whose command was not started.

import ControlProtocol
import MullionControl
import MullionSystem

/// A run whose server, or what X11 programs or widgets need, did not start.
struct UnstartedRun {
    private let plan: RunPlan
    private let report: API.Trace
    /// The names and contents of the logs.
    private let logs: [(name: String, text: String)]

    /// - Parameters:
    ///   - folder: of the private server.
    ///   - message: what did not start, and what it has written.
    init(_ plan: RunPlan, folder: String, _ message: String) {
        self.plan = plan
        logs = PrivateServer.logs.compactMap { name in
            let bytes = try? DescriptorIO.contents(ofFile: "\(plan.logFolder ?? folder)/\(name)")
            return bytes.map { (name, String(decoding: $0.suffix(256 << 10), as: UTF8.self)) }
        }
        let lines = message.split(whereSeparator: \.isNewline)
        // The reason is what it has written last.
        let reason = lines.count < 2 ? message : "\(lines[0]): \(lines[lines.count - 1])"
        report = API.Trace(
            version: 1, mullion: PackageVersion.current, command: plan.command, status: 125, strict: plan.isStrict,
            duration: 0, headline: reason, findings: [API.Finding(kind: .server, text: reason, at: 0)], steps: [],
            notes: [], clients: [], events: [], omittedEvents: 0, moments: [], pictures: [], thinned: false,
            logs: logs.map { log in
                API.TraceLog(
                    name: log.name == "mulliond.log" ? "the server" : String(log.name.dropLast(4)), text: log.text)
            })
    }

    /// Saves what the plan wants. It may be what cannot be written that has kept the run from starting: that was said.
    func save() {
        if let file = plan.junit { try? Picture.save(Array(JUnitReport(report).text.utf8), as: file) }
        guard let folder = plan.artifacts else { return }
        try? Folder.makePrivate(folder)
        if plan.isOnFailure {
            for log in logs { try? Picture.save(Array(log.text.utf8), as: "\(folder)/\(log.name)") }
        }
        try? ReportPage.save(report, plan.command, in: folder)
    }
}
