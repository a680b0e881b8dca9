// Runs a scenario on a server.

import FoundationEssentials
import JSON5

extension ScenarioFile {
    /// Runs the scenario; prints its steps and saves its pictures.
    func run(
        on client: ControlClient, json: Bool, _ output: String, updates: Bool
    ) throws(CommandError) {
        var event = ""
        var failure: CommandError?
        var isDone = false
        var saved: [String] = []
        func take(_ line: String) -> Bool {
            if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
            guard line.hasPrefix("data: "), let data = try? JSON(parsing: String(line.dropFirst(6))) else {
                return true
            }
            if json, event != "picture" { Terminal.out(line.dropFirst(6) + "\n") }
            do throws(CommandError) {
                switch event {
                case "step": if !json { report(data) }
                case "picture": saved.append(try save(data, output, updates: updates))
                case "failed":
                    throw .refused(reason(data) + (saved.isEmpty ? "" : "; see \(saved.joined(separator: ", "))"))
                default: isDone = event == "done"
                }
            } catch {
                failure = error
                return false
            }
            return true
        }
        do throws(CommandError) {
            let answer = try client.follow("POST", "/scenarios", .object(contents), take)
            let mistakes = mistakes(in: answer)
            guard mistakes.isEmpty else { throw refusal(mistakes) }
            try client.check(answer)
        } catch {
            if case .refused(let reason) = error, !reason.hasPrefix(path) { throw .refused("\(path): \(reason)") }
            throw error
        }
        if let failure { throw failure }
        guard isDone else { throw .refused("\(path): the server exited") }
        if !json {
            let places = saved.isEmpty ? "" : "; saved \(saved.joined(separator: ", "))"
            Terminal.out("\(name): as expected\(places)\n")
        }
    }

    private func report(_ step: JSON) {
        let number = Int(step["index"].number ?? 0) + 1
        Terminal.out("\(number)/\(step["steps"].text) \(step["title"].text)\n")
    }

    private func reason(_ failure: JSON) -> String {
        let number = Int(failure["index"].number ?? 0) + 1
        return "\(path): step \(number) of \(failure["steps"].text) (\(failure["title"].text)): "
            + "\(failure["place"].text): expected \(failure["expected"].text), seen \(failure["seen"].text)"
    }

    /// Saves a picture and returns its file.
    private func save(_ picture: JSON, _ output: String, updates: Bool) throws(CommandError) -> String {
        let name = picture["name"].text
        guard let data = Data(base64Encoded: picture["png"].text) else {
            throw .refused("\(name): the picture is missing")
        }
        if updates, let golden = goldens[name] {
            try Self.makeFolder(golden.lastIndex(of: "/").map { String(golden[...$0]) } ?? ".")
            try Picture.save(Array(data), as: golden)
            return golden
        }
        // Pictures seen by a comparison are named like their golden, in any folder: "goldens/a.png.seen" becomes
        // a.seen.png.
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let base = file.hasSuffix(".png") ? String(file.dropLast(4)) : file.replacing(".png.", with: ".")
        try Self.makeFolder(output)
        let path = "\(output)/\(base).png"
        try Picture.save(Array(data), as: path)
        return path
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .refused("\(path): cannot create the folder: \(Terminal.reason)")
        }
    }
}
