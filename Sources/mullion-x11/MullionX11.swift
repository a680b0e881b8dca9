// mullion-x11: X11 programs on Mullion.

import Glibc
import System

@main
struct MullionX11 {
    /// The version of the package.
    static let version = "0.1.0"

    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            switch options.action {
            case .help: write(Options.help)
            case .version: write("mullion-x11 \(version)\n")
            case .serve: try Program(options).run()
            }
        } catch {
            Log.write("\(error)")
            exit(error is CommandLineError ? 2 : 1)
        }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(1, bytes, bytes.count)
    }
}
