// The files of an earlier run with the same names.

import Glibc
import JSON5
import MullionControl
import MullionSystem

/// Results of an earlier run, which must not be taken for those of this one, however it ends.
enum EarlierResults {
    /// The files that a run saves in its folder of artifacts.
    private static let names = ["report.html", "trace.json", "output.log", "tree.txt", "screenshot.png"]

    /// Removes the files of an earlier run that this one may save, and says in that of `--junit` that it has not run.
    static func replace(_ plan: RunPlan) throws(CommandError) {
        if let folder = plan.artifacts, isOfRun(folder, plan) {
            let files = MullionSystem.Folder.names(in: folder) ?? []
            for file in files where isArtifact(file) {
                guard unsafe unlink("\(folder)/\(file)") == 0 || errno == ENOENT else {
                    throw .refused("\(folder)/\(file): \(Terminal.reason)")
                }
            }
        }
        if let file = plan.junit, Picture.isReplaced(file) {
            try Picture.save(Array(JUnitReport(notRun: plan.command).text.utf8), as: file)
        }
    }

    /// Whether a run, perhaps of another version, has written the files in a folder. With `--on-failure`, one of the same command: those of another
    /// test that has failed stay.
    private static func isOfRun(_ folder: String, _ plan: RunPlan) -> Bool {
        guard let bytes = try? NamedFile.contents(of: folder + "/trace.json", atMost: 64 << 20),
            let trace = try? JSON(parsing: String(decoding: bytes, as: UTF8.self)), trace["mullion"] != .null
        else { return false }
        return !plan.isOnFailure || trace["command"] == .array(plan.command.map { .string($0) })
    }

    /// Whether it is the list of a window's widgets, which `RunTrace` writes.
    private static func isOfWidgets(_ file: String) -> Bool {
        let number = file.dropFirst("widgets-".count).dropLast(".txt".count)
        return file.hasPrefix("widgets-") && file.hasSuffix(".txt") && DecimalText.whole(number) != nil
    }

    private static func isArtifact(_ file: String) -> Bool {
        (names + PrivateServer.logs).contains(file) || isOfWidgets(file)
    }
}
