// scenario

import JSON5
import MullionControl

extension Command {
    static var scenarioCommands: [Command] {
        [
            Command(
                name: "scenario",
                arguments: "(FILE | FOLDER | -)… [--jobs N] [--output DIR] [--artifacts DIR [--on-failure]] [--here] "
                    + "[--update] [--variant NAME]… [--set NAME=VALUE]… [--check] [--junit FILE] [--tap] [--schema]",
                summary: "run scenarios and check their expectations",
                details: """
                    FILE is JSON5 with a list of steps: plug, unplug, flap, mode, rotate, mirror,
                    input, claim, window, wait, expect, screenshot, compare and others. Each step is
                    printed when it is done; the first unmet expectation ends the scenario and is
                    printed with its place, the expected and the seen value. "-" is a scenario on
                    standard input.

                    With several files, or a FOLDER (all .json5 and .json files in it, but no hidden
                    ones), a line is printed for each scenario, and a summary. On a terminal, a line
                    that changes shows how far they are.

                    A file with a "server" section runs on a private server with the screens and the
                    clock listed there, unless --server, --control or --here is given. Other files
                    run on the running server, one after another.

                      --jobs N      how many scenarios run at a time, if each has a private server
                                    (default: 1)
                      --output DIR  the folder for pictures, including those of failed comparisons
                                    (default: ./NAME-pictures); for several scenarios, DIR/NAME
                      --artifacts DIR
                                    save a report of what happened, as run does, to DIR; for
                                    several scenarios, to DIR/NAME
                      --on-failure  save it only for a scenario that fails
                      --here        use the running server even if there is a "server" section
                      --update      save the golden pictures instead of comparing with them
                      --variant NAME
                                    compare with GOLDEN.NAME.png instead, if that file exists; the
                                    first one that does
                      --set NAME=VALUE
                                    give a variable another value, in all scenarios that have it
                      --check       only look for mistakes, on a server that is started for it
                      --junit FILE  save the results in JUnit's format
                      --tap         print the results in the Test Anything Protocol, version 14
                      --schema      print the JSON Schema of scenarios, for editors and validators

                    Exit status: 0 if all expectations are met, 1 if not or refused, 2 for an
                    invalid command line, 3 if a file has mistakes, 125 if the private server of the
                    only scenario does not start.
                    """,
                run: { (call) throws(CommandError) in try scenario(call) })
        ]
    }

    private static func scenario(_ call: Invocation) throws(CommandError) {
        let options = try ScenarioOptions(call)
        if options.isSchema { return try ScenarioSchema.print(call, isHere: options.isHere) }
        if options.words.contains(where: { StandardInput.names.contains($0) }) { try StandardInput.keep() }
        let selection = try ScenarioSelection(options.words)
        let isOne = selection.paths.count == 1 && !ScenarioSelection.isFolder(options.words[0])
        guard !isOne || options.junit != nil || options.isTAP else {
            return try ScenarioFile.run(selection.paths[0], options, call)
        }
        let isOnRunningServer = options.isHere || call.namesServer
        // A check starts a server for each.
        let scenarios = try selection.scenarios(
            onRunningServer: isOnRunningServer, hasServers: options.isCheck, settings: options.settings)
        try ScenarioBatch.run(scenarios, options, call)
    }
}
