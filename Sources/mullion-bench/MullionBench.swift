// mullion-bench: repeats the main measurements of Mullion on this machine.

import DisplayServer
import Glibc
import MullionSystem

@main
struct MullionBench {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            if words == [EchoServer.argument] { return try EchoServer.serve(descriptor: 3) }
            if words == [ReaderProcess.argument] { return try ReaderProcess.read(3, report: 4) }
            if words.count == 2, words[0] == RelayProcess.argument {
                return try RelayProcess.serve(from: 3, targets: Int(words[1]) ?? 1)
            }
            if words.count == 2, words[0] == AnimatedClients.argument {
                return try AnimatedClients.serve(descriptor: 3, socket: words[1])
            }
            if words.count == 3, words[0] == Hostility.argument {
                return try Hostility.serve(descriptor: 3, socket: words[1], kind: words[2])
            }
            if words.count == 2, words[0] == Photographer.argument {
                return try Photographer.serve(descriptor: 3, control: words[1])
            }
            let options = try Options(words)
            switch options.action {
            case .help: return write(1, Options.help)
            case .version: return write(1, "mullion-bench \(DisplayServer.version)\n")
            case .measure: break
            }
            Interruption.watch()
            var report = Report()
            for measurement in options.measurements {
                write(2, "mullion-bench: \(measurement.rawValue)\n")
                report.rows += try measurement.run()
            }
            write(1, options.json ? try report.json() : report.markdown)
        } catch let error as CommandLineError {
            fail(error.message, status: 2)
        } catch {
            fail("\(error)", status: unsafe Interruption.signal > 0 ? 128 + Interruption.signal : 1)
        }
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        try? DescriptorIO.write(text.utf8, to: descriptor)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        write(2, "mullion-bench: \(message)\n")
        exit(status)
    }
}

/// Why a measurement failed.
struct MeasurementError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A failed system call.
    static func system(_ call: String, _ code: Int32 = errno) -> MeasurementError {
        MeasurementError("\(call): \(SystemError(code))")
    }
}
