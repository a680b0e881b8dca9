// status, unlock, run, version, settle, watch

import ControlProtocol
import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var serverCommands: [Command] {
        [
            Command(
                name: "status", arguments: "", summary: "show the server's health and key figures",
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show(.getStatus()) { statusText($0) }
                }),
            Command(
                name: "unlock", arguments: "", summary: "unlock the server, no matter who locked it",
                details: """
                    For a lock whose program has crashed, or whose password nobody knows. A program
                    that holds the lock is notified, and usually ends.
                    """,
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show(.deleteLock())
                }),
            Command(
                name: "run",
                arguments: "[--screen MODEL]… [--config FILE] [--clock MODE] [--x11] [--profile PROFILE] "
                    + "[--accessibility] [--env NAME=VALUE]… [--timeout DURATION] "
                    + "[--artifacts DIR [--on-failure]] [--strict] [--junit FILE] -- COMMAND…",
                summary: "run a command with a private server",
                details: """
                    Starts mulliond (next to mullionctl, or in PATH) in a temporary XDG_RUNTIME_DIR,
                    waits until it is ready, and runs COMMAND with XDG_RUNTIME_DIR and
                    WAYLAND_DISPLAY set, and without variables that lead to other displays.
                    When COMMAND has ended, what it started is ended too, and the server.
                    Signals are passed on; 5 seconds after one that ends programs, COMMAND is
                    killed. The exit status is COMMAND's, 128 plus the signal's number if a signal
                    killed it, 124 after the timeout, and 125 when the server did not start or
                    ended first, or when DIR or FILE cannot be written.

                      --screen MODEL[,KEY=VALUE…]  a screen, as for mulliond; repeatable
                      --config FILE                the server's configuration (default: none)
                      --clock real|manual          manual: time stands still until COMMAND steps it
                                                   (default: real)
                      --x11                        start mullion-x11 too, and set DISPLAY
                      --profile tests|none         tests: programs look the same in every run:
                                                   carets do not blink, animations are off, and
                                                   fonts, language, time zone and D-Bus session
                                                   are fixed (default); none: as the caller's
                      --accessibility              provide the accessibility bus, and make toolkits
                                                   describe their widgets on it
                      --env NAME=VALUE             set a variable for COMMAND; NAME alone keeps one
                                                   that is removed otherwise; repeatable
                      --timeout DURATION           end COMMAND then, and print what is running,
                                                   the windows, the open waits and why they go
                                                   on, and what settle would wait for
                      --artifacts DIR              save a report of what happened, report.html, to
                                                   be opened in a browser, the same as trace.json,
                                                   the logs, and the tree and a picture of all
                                                   screens at the end of COMMAND
                      --on-failure                 save them only if the exit status is not 0
                      --strict                     exit status 1 also if a program crashed or broke
                                                   the protocol, or if COMMAND left a process behind
                      --junit FILE                 save the result as a test case of JUnit
                    """,
                run: { (call) throws(CommandError) in try RunPlan(call).run() }),
            ruleCommand,
            Command(
                name: "version", arguments: "", summary: "print the version",
                run: { (call) throws(CommandError) in
                    try call.end()
                    Terminal.out("mullionctl \(PackageVersion.current)\n")
                }),
        ]
    }

    static var settleCommand: Command {
        Command(
            name: "settle", arguments: "[timeout=DURATION]",
            summary: "wait until every client has handled its events",
            details: """
                Waits until every connected client has read and answered everything that it
                was sent, no frame is due, and nothing is being drawn. Fails after the timeout
                (default: 5s) and lists what is pending. A program that animates settles only
                with a manual clock.

                This does not mean that a program shows the effect: toolkits paint on timers
                of their own. In tests, wait for the effect itself, with mullionctl wait.
                """,
            run: { (call) throws(CommandError) in
                var seconds: Double?
                if let word = call.word() {
                    let (key, value) = Values.pair(word)
                    guard key == "timeout", let value else { throw Values.unknown(key, ["timeout"]) }
                    seconds = try Values.patience(value, key)
                }
                try call.end()
                try call.show(.postSettle(timeout: seconds))
            })
    }

    static var watchCommand: Command {
        Command(
            name: "watch", arguments: "[--input]", summary: "print events as lines of JSON",
            details: """
                Ends when the server exits, or when the reader is too slow, as the last line
                then states. With --input, prints only steps of input, from all sources, for
                mullionctl replay.
                """,
            run: { (call) throws(CommandError) in
                let onlyInput = call.flag("--input")
                try call.end()
                try watch(call, onlyInput: onlyInput)
            })
    }

    private static func statusText(_ status: API.Status) -> String {
        var lines = [
            ("health", status.health),
            ("server", "\(status.version), pid \(status.pid), up \(duration(Int(status.uptime)))"),
            ("socket", status.socket),
        ]
        let displays = status.x11.map { "\($0.display) of uid \($0.uid)" }
        if !displays.isEmpty { lines.append(("X11 display", displays.joined(separator: ", "))) }
        lines += [
            ("screens", "\(status.screens)"), ("applications", "\(status.applications)"),
            ("windows", "\(status.windows), \(status.visibleWindows) visible"),
            ("key window", status.keyWindow.map { "\($0)" } ?? "none"),
        ]
        if status.locked {
            let holder = status.lockHolder.map { "by application \($0)" }
            lines.append(("locked", holder ?? "abandoned, see mullionctl unlock"))
        }
        if let holder = status.inputHolder { lines.append(("input", "reserved for application \(holder)")) }
        if let web = status.web { lines.append(("over TCP", web)) }
        if status.refusals > 0 { lines.append(("refused", "\(status.refusals), see the log")) }
        if status.droppedPresses > 0 {
            lines.append(("dropped keys", "\(status.droppedPresses), without a key window"))
        }
        if status.ignoredEvents > 0 {
            lines.append(("ignored", "\(status.ignoredEvents), by applications that ignore interaction"))
        }
        return lines.map { name, value in
            name + String(repeating: " ", count: 14 - name.count) + value.printable() + "\n"
        }.joined()
    }

    private static func duration(_ all: Int) -> String {
        let parts = [(all / 86_400, "d"), (all / 3600 % 24, "h"), (all / 60 % 60, "min"), (all % 60, "s")]
        let shown = parts.drop { $0.0 == 0 }.prefix(2)
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    private static func watch(_ call: Invocation, onlyInput: Bool) throws(CommandError) {
        var wasCutOff = false
        var isWanted = true
        try call.client.stream(.getEvents, beside: Terminal.Reader()) { line in
            if line == "event: cutOff" { wasCutOff = true }
            if onlyInput, line.hasPrefix("event: ") {
                isWanted = ["event: input", "event: cutOff", "event: gap"].contains(line)
            }
            if isWanted, line.hasPrefix("data: ") { Terminal.out(line.dropFirst(6) + "\n") }
            return true
        }
        throw .refused(wasCutOff ? "disconnected by the server for reading too slowly" : "the server exited")
    }
}
