// Describes the result of injecting an event (H3).

import ControlProtocol
import MullionControl

/// Says in words who received an event, or why nobody did.
enum InputAnswer {
    static func text(_ answer: API.InputReport) -> String {
        var text = ""
        if let touches = answer.touches, !touches.isEmpty {
            for touch in touches {
                text +=
                    "touch \(touch.id): "
                    + outcome(touch.hit, touch.reason, nil, touch.candidates, isPlaced: true)
            }
        } else if let receivers = answer.receivers, !receivers.isEmpty {
            for receiver in receivers { text += "application \(receiver.application)\(quoted(receiver.name))\n" }
            text += self.text(answer.candidates)
        } else {
            let isPlaced = ![.key, .type, .shake, .remote].contains(answer.type)
            text = outcome(answer.hit, answer.reason, answer.bounds, answer.candidates, isPlaced: isPlaced)
        }
        if answer.steps > answer.delivered, answer.hit != nil {
            text += "\(answer.steps - answer.delivered) of \(answer.steps) steps had no receiver\n"
        }
        for receipt in answer.receipts ?? [] {
            let name = "application \(receipt.application)\(quoted(receipt.name))"
            text +=
                receipt.read
                ? "read by \(name) after \(receipt.microseconds ?? 0) µs\n"
                : "not read by \(name): \((receipt.reason ?? "").printable())\n"
        }
        return text
    }

    private static func outcome(
        _ hit: API.Hit?, _ reason: API.Reason?, _ bounds: API.Rect?, _ candidates: [API.InputCandidate],
        isPlaced: Bool
    ) -> String {
        guard let hit else {
            let place = bounds.map { ", the screen's bounds are \($0.text)" } ?? ""
            return "nobody" + (reason.map { ": \($0.rawValue)\(place)" } ?? "") + "\n" + text(candidates)
        }
        var line = "window \(hit.window)\(quoted(hit.title))"
        if let surface = hit.surface { line += ", surface \(surface)" }
        // Absent without the right to view.
        if isPlaced, let location = hit.location { line += ", at \(location.text)" }
        return line + "\n" + text(candidates)
    }

    private static func text(_ candidates: [API.InputCandidate]) -> String {
        candidates.map { candidate in
            let who = candidate.window.map { "window \($0)" } ?? "application \(candidate.application)"
            let reason = candidate.reason.map { ": \($0.rawValue)" } ?? ""
            return "  not \(who)\(quoted(candidate.title))\(reason)\n"
        }.joined()
    }

    private static func quoted(_ title: String?) -> String {
        title.map { $0.isEmpty ? "" : " \"\($0.printable())\"" } ?? ""
    }
}
