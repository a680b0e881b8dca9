// The files of an earlier run with the same names.

import FoundationEssentials
import Glibc

/// Results of an earlier run, which must not be taken for those of this one, however it ends.
enum EarlierResults {
    /// The files that a run saves in its folder of artifacts.
    private static let names = ["report.html", "trace.json", "output.log", "tree.txt", "screenshot.png"]

    /// Removes the files that the run may save, and says in that of `--junit` that it has not run.
    static func replace(_ plan: RunPlan) throws(CommandError) {
        if let folder = plan.artifacts {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
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

    private static func isArtifact(_ file: String) -> Bool {
        (names + PrivateServer.logs).contains(file) || file.wholeMatch(of: /widgets-[0-9]+\.txt/) != nil
    }
}
