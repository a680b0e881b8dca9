// mullionctl: the command line of a running server.

import MullionControl
import MullionSystem

/// Runs the command and turns its failure into an exit status.
@main
struct Mullionctl {
    @MainActor static func main() {
        Terminal.prepare()
        do throws(CommandError) {
            try run(ProgramArguments.all)
        } catch {
            if let message = error.message { Terminal.error("mullionctl: \(message)") }
            Terminal.exit(error.status)
        }
    }

    @MainActor private static func run(_ words: [String]) throws(CommandError) {
        let line = try CommandLineWords(words)
        guard let name = line.command else {
            if line.wantsHelp { return Terminal.out(Help.overview) }
            if line.wantsVersion { return Terminal.out("mullionctl \(PackageVersion.current)\n") }
            Terminal.error(Help.overview)
            throw .usage(nil)
        }
        guard let command = Command.all.first(where: { $0.name == name }) else {
            let near = Suggestion.nearest(to: name, among: Command.all.map(\.name))
            throw .usage(
                "unknown command \(name)" + (near.map { "; did you mean \($0)?" } ?? "; see mullionctl help"))
        }
        if line.wantsHelp { return Terminal.out(Help.text(command)) }
        do throws(CommandError) {
            try command.run(Invocation(line))
        } catch {
            guard case .usage(let message) = error else { throw error }
            throw .usage((message.map { "\(name): \($0)\n" } ?? "") + command.usage)
        }
    }
}
