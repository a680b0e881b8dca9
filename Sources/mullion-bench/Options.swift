// The command line of mullion-bench.

import MullionSystem

/// The measurements; the raw values are the names on the command line.
enum Measurement: String, CaseIterable {
    case roundTrip = "round-trip"
    case sync, input, frames, copies, composition, pictures, windows, idle, memory, hotplug, growth, clients, neighbours
    case restart, day

    /// Measures and returns the rows of the table.
    func run() throws -> [Row] {
        switch self {
        case .roundTrip: try RoundTrip.measure()
        case .sync: try SyncCost.measure()
        case .input: try InputLatency.measure() + InputRate.measure() + ModelRouting.measure()
        case .frames: try Frames.measure()
        case .copies: try Copies.measure()
        case .composition: try Composition.measure()
        case .pictures: try Pictures.measure()
        case .windows: try Windows.measure()
        case .idle: try Idle.measure()
        case .memory: try Memory.measure()
        case .hotplug: try Hotplug.measure()
        case .growth: try Growth.measure()
        case .clients: try ManyClients.measure()
        case .neighbours: try Neighbours.measure()
        case .restart: try Restart.measure()
        case .day: try Day.measure()
        }
    }
}

/// The parsed command line.
struct Options {
    enum Action { case measure, help, version }

    var action = Action.measure
    var json = false
    var measurements = Measurement.allCases

    static let help = """
        usage: mullion-bench [--only NAME[,NAME...]] [--json]

        Repeats Mullion's main measurements and prints a Markdown table. Each figure is
        accompanied by a bare reference, measured alternately in the same run. Figures
        are medians of many short windows, and a ratio is the median of the ratios of
        neighbouring windows, so that a busy machine affects both alike. Frames per
        second and their unevenness are computed over all windows, two seconds per
        party; a busy machine affects them and their reference. No figure passes or
        fails. Servers are private: mulliond is started from the folder of this program
        in a temporary XDG_RUNTIME_DIR. All measurements take about two minutes.

          --only NAME[,NAME...]  run only these measurements, in this order:
            round-trip   latency of wl_display.sync, against a bare echo process on a
                         socket pair, all on one processor
            sync         CPU time of the server per sync, against the echo process
            input        latency from injecting an event until a client has read it, and
                         the server's CPU time, against a bare relay process, all on one
                         processor; events per second to the windows of 100 clients;
                         routing an event among 10,000 windows
            frames       a full-size client at 60 Hz, unobserved and composed, against
                         the echo process woken by an exact timer, and memcpy
            copies       a full-size client at 60 Hz whose frames another client copies,
                         against memcpy
            composition  drawing a full-size picture, against memcpy of its bytes
            pictures     encoding full-size pictures as PNG, against memcpy of the bytes
            windows      hit-testing and level changes among up to 10,000 windows,
                         against 10 windows
            idle         wake-ups of a server with 10 static windows, against the echo
                         process
            memory       memory per server, client, sub-surface and screen
            hotplug      CPU time of plugging in screen 64, against screen 2; time until
                         100 clients know a screen, against a round trip to each; memory
                         that a screen leaves behind
            growth       CPU time of the server per request among up to 4,000 clients,
                         64 screens, 10,000 windows and 16,000 sub-surfaces, and per
                         small frame on a watched screen with up to 4,000 windows,
                         against 10 of them, or one screen
            clients      latency of a server with 1,000 clients that show 10 pictures
                         per second each, against an otherwise idle server
            neighbours   latency of a server with a hostile client (twelve kinds) and
                         continuous screenshots, against a quiet server
            restart      how long 100 clients wait while the server restarts
            day          24 hours of programs, input, pictures and hot-plug on a manual
                         clock: growth of memory and descriptors
          --json                 print the rows as JSON
          --version              print the version and exit
          --help                 print this and exit

        The echo process is this program with a bare libevent loop: it answers every 12
        bytes with 24, without interpreting them. The relay process forwards 28 bytes
        for every 36.

        Exit status: 0 if all measurements succeeded, 1 if one failed, 2 for an invalid
        command line.

        """

    init(_ arguments: [String]) throws(CommandLineError) {
        var words = CommandLineOptions(arguments)
        while let option = try words.next() {
            switch option {
            case "--only": measurements = try Self.measurements(words.value())
            case "--json": json = true
            case "--version": action = .version
            case "--help", "-h": action = .help
            default: throw words.unknown(to: "mullion-bench")
            }
        }
    }

    private static func measurements(_ text: String) throws(CommandLineError) -> [Measurement] {
        var result: [Measurement] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let measurement = Measurement(rawValue: String(name)) else {
                let all = Measurement.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandLineError(message: "\"\(name)\" is not a measurement; use one of \(all)")
            }
            if !result.contains(measurement) { result.append(measurement) }
        }
        return result
    }
}
