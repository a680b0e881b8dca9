// Describes the result of injecting an event (H3).

import JSON5

/// Says in words who received an event, or why nobody did.
enum InputAnswer {
    static func text(_ answer: JSON) -> String {
        var text = ""
        if case .array(let touches) = answer["touches"], !touches.isEmpty {
            for touch in touches { text += "touch \(touch["id"].text): " + outcome(touch, isPlaced: true) }
        } else if case .array(let receivers) = answer["receivers"], !receivers.isEmpty {
            for receiver in receivers {
                text += "application \(receiver["application"].text)\(quoted(receiver["name"]))\n"
            }
            text += candidates(answer)
        } else {
            text = outcome(answer, isPlaced: !["key", "type", "shake", "remote"].contains(answer["type"].text))
        }
        let missed = (answer["steps"].number ?? 0) - (answer["delivered"].number ?? 0)
        if missed > 0, answer["hit"] != .null {
            text += "\(JSON.text(missed)) of \(answer["steps"].text) steps had no receiver\n"
        }
        for receipt in answer["receipts"].elements {
            let name = "application \(receipt["application"].text)\(quoted(receipt["name"]))"
            text +=
                receipt["read"].isTrue
                ? "read by \(name) after \(receipt["microseconds"].text) µs\n"
                : "not read by \(name): \(receipt["reason"].text)\n"
        }
        return text
    }

    private static func outcome(_ answer: JSON, isPlaced: Bool) -> String {
        let hit = answer["hit"]
        guard hit != .null else {
            let reason = answer["reason"].text
            let bounds = answer["bounds"] == .null ? "" : ", the screen's bounds are \(answer["bounds"].rectText)"
            return "nobody" + (reason.isEmpty ? "" : ": \(reason)\(bounds)") + "\n" + candidates(answer)
        }
        var text = "window \(hit["window"].text)\(quoted(hit["title"]))"
        if hit["surface"] != .null { text += ", surface \(hit["surface"].text)" }
        // Absent without the right to view.
        if isPlaced, hit["location"] != .null {
            text += ", at \(hit["location"]["x"].text),\(hit["location"]["y"].text)"
        }
        return text + "\n" + candidates(answer)
    }

    private static func candidates(_ answer: JSON) -> String {
        answer["candidates"].elements.map { candidate in
            let who =
                candidate["window"] == .null
                ? "application \(candidate["application"].text)" : "window \(candidate["window"].text)"
            let reason = candidate["reason"].text
            return "  not \(who)\(quoted(candidate["title"]))" + (reason.isEmpty ? "" : ": \(reason)") + "\n"
        }.joined()
    }

    private static func quoted(_ title: JSON) -> String { title.text.isEmpty ? "" : " \"\(title.text)\"" }
}
