// The command line of mullion-bench.

/// The measurements; the raw values are the names on the command line.
enum Measurement: String, CaseIterable {
    case roundTrip = "round-trip"
    case sync, input, frames, composition, windows, idle, memory, hotplug, clients, neighbours, restart, day

    /// Measures and returns the rows of the table.
    func run() throws -> [Row] {
        switch self {
        case .roundTrip: try RoundTrip.measure()
        case .sync: try SyncCost.measure()
        case .input: try InputLatency.measure() + InputRate.measure() + ModelRouting.measure()
        case .frames: try Frames.measure()
        case .composition: try Composition.measure()
        case .windows: try Windows.measure()
        case .idle: try Idle.measure()
        case .memory: try Memory.measure()
        case .hotplug: try Hotplug.measure()
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

    /// A mistake on the command line: exit status 2.
    struct Failure: Error { let message: String }

    static let help = """
        usage: mullion-bench [--only NAME[,NAME...]] [--json]

        Repeats the main measurements of Mullion and prints a Markdown table. Each figure stands beside a bare
        reference, measured in the same run in turn with it (A B A B ...); figures are medians of many short
        windows, and the ratio is the median of the ratios of neighbouring windows, so that a busy machine
        disturbs both alike. (Frames per second and their unevenness are of all windows together, two seconds
        for each party: a busy machine shows in them, and in their reference.) There is no pass and no fail.
        Servers are private: mulliond is started from the folder of this program, in a temporary
        XDG_RUNTIME_DIR. All measurements take about two minutes.

          --only NAME[,NAME...]  only these measurements, in this order:
              round-trip   wl_display.sync and its answer, against a bare echo process on a socket pair,
                           all on one processor
              sync         CPU time of the server for each sync, against the echo process, likewise
              input        from injecting an event until another process, a client, has read it, and the server's
                           CPU time for it, against a bare process between the same two, all on one processor; how
                           many events a second reach 100 clients' windows; routing one among 10,000 windows
              frames       a full-size client at 60 Hz, nobody looking and composed, against the echo process
                           woken by an exact timer, and against memcpy of the same bytes
              composition  drawing a full-size picture, against memcpy of the same bytes
              windows      hit-testing and level changes among 10 to 10,000 windows, against 10
              idle         wake-ups of a server whose 10 windows stand still, against the echo process
              memory       of a server, a client, a sub-surface and a screen
              hotplug      CPU time for screen 64, against screen 2; how soon 100 clients know of a screen,
                           against a round trip of each; what a screen leaves behind
              clients      how long a server takes to answer while 1,000 clients show 10 pictures a second
                           each, against the answers of a server that has nothing else to do
              neighbours   how long a server takes to answer beside a client that does its worst, of eleven
                           kinds, while somebody takes screenshots, against a quiet server
              restart      how long 100 clients wait when the server is restarted and hands them over
              day          24 hours of programs, input, pictures and hot-plug by a manual clock: what is left
          --json                 the rows as JSON
          --version              print the version and exit
          --help                 print this and exit

        The echo process is this program again, with an event loop of the same library (libevent) that reads,
        answers every 12 bytes with 24, and knows no protocol; between two processes, it passes 28 bytes on for
        every 36.

        Exit status: 0 when all was measured, 1 when something could not be, 2 for a wrong command line.

        """

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts.first ?? argument
            guard parts.count < 2 || name == "--only" else { throw Failure(message: "\(name) takes no value") }
            switch name {
            case "--only":
                guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                    throw Failure(message: "--only needs a value")
                }
                measurements = try Self.measurements(value)
            case "--json": json = true
            case "--version": action = .version
            case "--help", "-h": action = .help
            default: throw Failure(message: "unknown argument \(argument); see mullion-bench --help")
            }
        }
    }

    private static func measurements(_ text: String) throws(Failure) -> [Measurement] {
        var result: [Measurement] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let measurement = Measurement(rawValue: String(name)) else {
                let all = Measurement.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(message: "there is no measurement \"\(name)\"; there are \(all)")
            }
            if !result.contains(measurement) { result.append(measurement) }
        }
        return result
    }
}
