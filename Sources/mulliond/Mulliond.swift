// mulliond: the server.

import DisplayServer
import Glibc

@main
struct Mulliond {
    static func main() {
        let options: Options
        do {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            fail("\(error.message)", status: 2)
        }
        switch options.action {
        case .help: return write(1, Options.help)
        case .version: return write(1, "mulliond \(DisplayServer.version)\n")
        case .check, .serve: break
        }
        let manager = ServiceManager()
        do {
            let configuration = try Configuration.load(options.config)
            if options.action == .check {
                try configuration.check()
                return write(1, "\(options.config ?? Configuration.defaultPath): fine\n")
            }
            try Daemon(options, configuration, manager).run()
        } catch {
            manager.notify("STATUS=\(error)")
            fail("\(error)", status: 1)
        }
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        write(2, Log.isForJournal ? "<3>\(message)\n" : "mulliond: \(message)\n")
        exit(status)
    }
}
