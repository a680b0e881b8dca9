// The command line of mullion-x11.

import MullionSystem

/// The parsed command line.
struct Options {
    /// The number of the display; nil: the first free one.
    var display: Int?
    /// The server's socket; nil: as the environment says.
    var socket: String?
    var readyDescriptor: Int32?
    /// Where the ends of programs are written; nil: nowhere.
    var endsDescriptor: Int32?
    var xwayland: String?
    var action = Action.serve

    enum Action { case serve, version, help }

    static let help = """
        usage: mullion-x11 [options]

        Lets X11 programs show windows on a Mullion server: makes an X display, starts
        Xwayland when the first program connects to it, and manages its windows. Only
        programs of the same user can connect.

          --display N        the display's number (default: that of the sockets in
                             LISTEN_FDS, else the first free one)
          --socket NAME|PATH the server's socket (default: $WAYLAND_SOCKET, else
                             $WAYLAND_DISPLAY, else wayland-0)
          --ready-fd N       write the display's name, such as :0, and a newline to
                             descriptor N when programs can connect
          --ends-fd N        write a line of JSON to descriptor N for each program
                             that has had a window, when it ends
          --xwayland FILE    the X server (default: Xwayland in $PATH)
          --version          print the version and exit
          --help             print this and exit

        Exit status: 0 after SIGTERM or SIGINT, 1 if it cannot run or the server has
        ended, 2 for an invalid command line.

        """

    init(_ arguments: [String]) throws(CommandLineError) {
        var words = CommandLineOptions(arguments)
        while let option = try words.next() {
            switch option {
            case "--display":
                let text = try words.value()
                guard let number = DecimalText.whole(text.hasPrefix(":") ? text.dropFirst() : text[...]),
                    XDisplay.numbers.contains(number)
                else {
                    throw CommandLineError(
                        message:
                            "--display \(text) is not a display; use a number from 0 to \(XDisplay.numbers.upperBound)")
                }
                display = number
            case "--socket": socket = try words.value()
            case "--ready-fd": readyDescriptor = try words.descriptor()
            case "--ends-fd": endsDescriptor = try words.descriptor()
            case "--xwayland": xwayland = try words.value()
            case "--version": action = .version
            case "--help", "-h": action = .help
            default: throw words.unknown(to: "mullion-x11")
            }
        }
    }
}

/// Why the program cannot go on: exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
