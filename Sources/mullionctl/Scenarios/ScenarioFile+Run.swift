// Runs a scenario on a server.

import MullionControl

extension ScenarioFile {
    /// Runs the scenario; prints its steps and saves its pictures. Programs that it starts end with it.
    func run(
        on client: ControlClient, json: Bool, _ output: String, updates: Bool
    ) throws(CommandError) {
        let terminal = ScenarioOutput()
        let run = ScenarioRun(self, client, json: json, output, updates: updates, terminal)
        guard actions.values.contains(where: \.isStart) else { return try run.run(programs: nil) }
        // Block signals before starting anything, so that none are lost.
        let signals = BlockedSignals()
        let status = try Keeper.start(folder: nil, signals) { keeper in
            do throws(CommandError) {
                let programs = try ScenarioPrograms(client, signals, keeper)
                defer { programs.end() }
                try run.run(programs: programs)
                return 0
            } catch {
                if let message = error.message { terminal.error("mullionctl: \(message)") }
                return error.status
            }
        }
        if status != 0 { throw .status(status) }
    }
}
