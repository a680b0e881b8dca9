// Finds out which screens keep a scenario's server from starting.

import Glibc
import MullionSystem

extension ScenarioServer {
    /// More are not looked at.
    private static let mostScreens = 100

    /// The same server without its screens.
    var withoutScreens: ScenarioServer {
        var other = self
        other.screens = []
        return other
    }

    /// The places of the screens that mulliond does not take beside those before them, and why.
    /// - Parameter configuration: the server's.
    func screenMistakes(configuration: String) -> [(index: Int, message: String)] {
        var right: [String] = []
        var found: [(index: Int, message: String)] = []
        for (index, screen) in screens.prefix(Self.mostScreens).enumerated() {
            if let message = Self.refusal(of: right + [screen], configuration) {
                found.append((index, message))
            } else {
                right.append(screen)
            }
        }
        return found
    }

    /// Why mulliond does not take screens; nil: it does, or cannot say.
    private static func refusal(of screens: [String], _ configuration: String) -> String? {
        guard let output = try? AnonymousFile.make("mulliond") else { return nil }
        let words = [ChildProcess.path(of: "mulliond"), "--check", "--config", configuration]
        let program = ChildProcess(
            words + screens.flatMap { ["--screen", $0] }, descriptors: [1: output.rawValue, 2: output.rawValue])
        return withExtendedLifetime(output) {
            guard let process = try? Process(program), process.ended(waiting: true) == 1 else { return nil }
            let text = String(decoding: DescriptorIO.read(output.rawValue, count: 1 << 14), as: UTF8.self)
            guard let line = text.split(whereSeparator: \.isNewline).last, line.hasPrefix("mulliond: ") else {
                return nil
            }
            let (reason, option) = (line.dropFirst("mulliond: ".count), "--screen \(screens.last ?? ""): ")
            return String(reason.hasPrefix(option) ? reason.dropFirst(option.count) : reason)
        }
    }
}
