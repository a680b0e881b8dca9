// mullion-x11: X11 programs on Mullion.

import Glibc
import MullionSystem

@main
struct MullionX11 {
    static func main() {
        do {
            let options = try Options(ProgramArguments.all)
            switch options.action {
            case .help: write(Options.help)
            case .version: write("mullion-x11 \(PackageVersion.current)\n")
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
