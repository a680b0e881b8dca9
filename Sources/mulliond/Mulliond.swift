// mulliond: the server.

import DisplayServer
import Glibc
import MullionKeymaps
import MullionSystem

@main
struct Mulliond {
    // Not on the main actor: checking that would link all of Swift's concurrency, and Dispatch.
    nonisolated static func main() {
        let arguments = ProgramArguments.all
        // The server starts itself for each keymap of a client.
        if arguments == [KeymapCompilation.argument] { exit(KeymapCompilation.run()) }
        if let options = try? Options(arguments), options.action != .serve { return answer(options) }
        // The kernel drops signals to process 1 that it does not handle: block them so that none is lost.
        if ProcessOne.isThis { Termination.hold() }
        ServiceManager.checkLibrary()
        let manager = ServiceManager()
        let inheritance = ServiceManager.inheritance()
        let unserved = UnservedSockets(inheritance.sockets)
        do {
            let start = try Start(arguments, after: inheritance.start())
            try Daemon(start, inheritance, manager).run { unserved.close() }
        } catch {
            manager.notify(status: "\(error)")
            Log.fail("\(error)")
            unserved.refuse()
            exit(error is CommandLineError ? 2 : 1)
        }
    }

    /// Handles options that only print something.
    private static func answer(_ options: Options) {
        switch options.action {
        case .help: write(Options.help)
        case .version: write("mulliond \(DisplayServer.version)\n")
        case .check, .serve:
            do {
                let file = try Start.check(options)
                write("\(file): valid\n")
            } catch {
                Log.fail("\(error)")
                exit(1)
            }
        }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(1, bytes, bytes.count)
    }
}
