// The command line of mulliond.

import ControlAPI
import DisplayServer
import MullionSystem

/// The parsed command line.
struct Options {
    /// The name of one of several servers; nil for the default server.
    var name: String?
    var config: String?
    var screens: [String] = []
    /// S2: what `--screen` takes to start without a screen.
    static let noScreen = "none"
    var socket: String?
    var control: String?
    /// Where to serve the control API over TCP too.
    var http: LoopbackAddress?
    /// Where to remember screens plugged in at run time; "none" to not remember them.
    var state: String?
    var readyDescriptor: Int32?
    var composesAlways = false
    /// Whether to keep the latest messages of clients.
    var keepsJournals = false
    var clock = ClockMode.real
    /// Whether to store what the next server needs to take over in the service manager.
    var handsOver = true
    var action = Action.serve
    var places: Places { Places(name: name) }

    enum Action { case serve, check, version, help }

    static let help = """
        usage: mulliond [options]

        A multi-display server for machines that have no display.

          --config FILE      the configuration, JSON5 (default:
                             /etc/mullion/mullion.json5 if it exists)
          --name NAME        runs one of several servers: its configuration is
                             /etc/mullion/NAME.json5 if that exists, and its sockets
                             (wayland-0 and control.sock), token and stored state are
                             in folders mullion@NAME instead of mullion;
                             use mullionctl --server NAME
          --screen MODEL[,KEY=VALUE...]
                             a screen; repeatable, replaces the configured ones.
                             MODEL is a display model (mullionctl displays) or
                             WIDTHxHEIGHT[@HERTZ][~N:D], where N:D is the aspect
                             ratio of a pixel; keys are name, kind, serial, port,
                             mode, scale, orientation, flipped, overscan, mirroring,
                             brightness, position (X+Y), interactive, hostile, edid
                             (base64; then MODEL is optional); "external" is short
                             for kind=external (default: one built-in 1920x1080
                             screen); "none": no screen until one is plugged in
          --socket NAME|PATH the clients' socket (default: the first free wayland-N in
                             $XDG_RUNTIME_DIR, else in /run/mullion)
          --control PATH     the control socket (default:
                             $XDG_RUNTIME_DIR/mullion/control.sock, else
                             /run/mullion/control.sock)
          --http ADDRESS:PORT
                             serve the control API over TCP too, to local programs
                             that send the token in $RUNTIME_DIRECTORY/token, else
                             $XDG_RUNTIME_DIR/mullion/token. ADDRESS is 127.0.0.1,
                             [::1] or another loopback address; port 0 selects a free
                             port
          --state DIR|none   where screens plugged in at run time are remembered
                             (default: $STATE_DIRECTORY, else
                             $XDG_STATE_HOME/mullion, else ~/.local/state/mullion)
          --ready-fd N       write the clients' socket's name and a newline to
                             descriptor N when ready
          --clock real|manual
                             manual: time only advances when stepped (mullionctl clock
                             step), so that frames and the times of events are the
                             same in every run (default: real)
          --hand-over auto|off
                             auto: under a service manager with a descriptor store
                             (FileDescriptorStoreMax=), the next server takes over the
                             clients after SIGTERM (default: auto)
          --compose          draw every frame of every screen even when not captured,
                             for measurements
          --journal          keep the latest messages of each client, and how clients
                             have ended, for GET /v1/clients
          --check            validate the options and the configuration and exit
          --version          print the version and exit
          --help             print this and exit

        Exit status: 0 after SIGTERM or SIGINT, 1 if the server cannot run, 2 for an
        invalid command line.

        """

    init(_ arguments: [String]) throws(CommandLineError) {
        var words = CommandLineOptions(arguments)
        while let option = try words.next() {
            switch option {
            case "--config": config = try words.value()
            case "--name":
                let text = try words.value()
                if let mistake = Places.mistake(inName: text) {
                    throw CommandLineError(message: "--name \(text): \(mistake)")
                }
                self.name = text
            case "--screen": screens.append(try words.value())
            case "--socket": socket = try words.value()
            case "--control": control = try words.value()
            case "--http":
                let text = try words.value()
                do throws(LoopbackAddressError) {
                    http = try LoopbackAddress(parsing: text)
                } catch {
                    throw CommandLineError(message: "--http \(error)")
                }
            case "--state": state = try words.value()
            case "--ready-fd": readyDescriptor = try words.descriptor()
            case "--clock":
                let text = try words.value()
                guard let mode = ClockMode(rawValue: text) else {
                    throw CommandLineError(message: "--clock \(text) is not a clock; use real or manual")
                }
                clock = mode
            case "--hand-over":
                let text = try words.value()
                guard ["auto", "off"].contains(text) else {
                    throw CommandLineError(message: "--hand-over \(text) is not a mode; use auto or off")
                }
                handsOver = text == "auto"
            case "--compose": composesAlways = true
            case "--journal": keepsJournals = true
            case "--check": action = .check
            case "--version": action = .version
            case "--help", "-h": action = .help
            default: throw words.unknown(to: "mulliond")
            }
        }
    }
}
