// scenario

extension Command {
    static var scenarioCommands: [Command] {
        [
            Command(
                name: "scenario", arguments: "FILE [--output DIR] [--here] [--update] [--variant NAME]…",
                summary: "run a scenario and check its expectations",
                details: """
                    FILE is JSON5 with a list of steps: plug, unplug, flap, mode, rotate, mirror,
                    input, claim, window, wait, expect, screenshot, compare and others. Each step is
                    printed when it is done; the first unmet expectation ends the scenario and is
                    printed with its place, the expected and the seen value.

                    A file with a "server" section runs on a private server with the screens and the
                    clock listed there, unless --control or --here is given. Other files run on the
                    running server.

                      --output DIR  the folder for pictures, including those of failed comparisons
                                    (default: ./NAME-pictures)
                      --here        use the running server even if there is a "server" section
                      --update      save the golden pictures instead of comparing with them
                      --variant NAME
                                    compare with GOLDEN.NAME.png instead, if that file exists; the
                                    first one that does

                    Exit status: 0 if all expectations are met, 1 if not or refused, 2 for an
                    invalid command line.
                    """,
                run: { (call) throws(CommandError) in try ScenarioFile.run(call) })
        ]
    }
}
