// doctor

import MullionControl
import Requirements

extension Command {
    static var doctorCommand: Command {
        Command(
            name: "doctor", arguments: "[FEATURE]…", summary: "find out what this machine lacks, and how to install it",
            details: """
                Looks for the programs, libraries and data of other packages that Mullion uses,
                and for what toolkits need on Wayland. Prints what is missing, what is lost
                without it, and the command that installs it, on Debian, Ubuntu, Fedora, RHEL,
                Arch and their relatives. Needs no server.

                The exit status is 1 if a feature is missing that is needed: one of FEATURE, or
                an essential one, marked with * below. With FEATURE, others are not examined.

                \(features)

                Examples:
                  $ mullionctl doctor
                  $ mullionctl doctor x11 video && ./my-tests
                """,
            run: { (call) throws(CommandError) in
                let words = call.words()
                try call.end()
                let names = Feature.all.map(\.name)
                for word in words where !names.contains(word) {
                    let near = Suggestion.nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? ""
                    throw .usage("\"\(word)\" is not a feature\(near) (use one of \(names.joined(separator: ", ")))")
                }
                let report = DoctorReport(requiring: words)
                Terminal.out(call.json ? report.json.encoded + "\n" : report.text)
                if !report.isComplete { throw .status(1) }
            })
    }

    private static var features: String {
        let width = Feature.all.map(\.name.count).max() ?? 0
        return Feature.all.map { feature in
            let gap = String(repeating: " ", count: width - feature.name.count + 1)
            return "  \(feature.name)\(gap)\(feature.isEssential ? "*" : " ") \(feature.summary)"
        }.joined(separator: "\n")
    }
}
