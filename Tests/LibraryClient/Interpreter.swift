// The requests that a test sends, one line at a time.

import Glibc
import MullionClient

/// Performs requests with the library's public means, and answers each line.
@MainActor final class Interpreter {
    private let application: Application
    /// By the numbers that the test gives them.
    private var windows: [Int: Window] = [:]
    private var unread: [UInt8] = []

    init(_ application: Application) { self.application = application }

    /// Reads what there is, and answers the complete lines; stops at the end of the input.
    func read() {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(0, &chunk, chunk.count)
        guard count > 0 else { return application.stop() }
        unread += chunk[..<count]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: unread[..<end], as: UTF8.self)
            unread.removeSubrange(...end)
            answer(line)
        }
    }

    private func answer(_ line: String) {
        do {
            for request in line.split(separator: ";") {
                let words = request.split(separator: " ", maxSplits: 2).map(String.init)
                try perform(words[0], words.count > 1 ? Int(words[1]) : nil, words.count > 2 ? words[2] : "")
            }
            print(try Report(application, windows).json)
        } catch {
            print("error: \(line): \(error)")
        }
        fflush(nil)
    }

    private func perform(_ verb: String, _ number: Int?, _ value: String) throws {
        switch verb {
        case "report": return try application.roundTrip()
        case "create": return create(number ?? 0, value.split(separator: " ").map(String.init))
        default: break
        }
        // It may have been closed in the meantime.
        guard let number, let window = windows[number] else { return }
        switch verb {
        case "level": window.windowLevel = try WindowLevel(try double(value))
        case "hide": window.isHidden = true
        case "show": window.isHidden = false
        case "showAsKey": window.makeKeyAndVisible()
        case "key": window.makeKey()
        case "relinquish": window.relinquishKey()
        case "canBecomeKey": window.canBecomeKey = value == "1"
        case "frame": window.frame = try rect(value)
        case "screen": window.screen = application.screens.first { $0.name == value }
        case "alpha": window.alpha = try double(value)
        case "interaction": window.isUserInteractionEnabled = value == "1"
        case "autoresizing": window.autoresizingMask = AutoresizingMask(rawValue: UInt8(try double(value)))
        case "title": window.title = value
        case "close":
            window.close()
            windows[number] = nil
        default: throw Mistake.noSuchRequest
        }
    }

    private func create(_ number: Int, _ values: [String]) {
        let screen = values.first.flatMap { name in application.screens.first { $0.name == name } }
        let window = Window(application, screen: screen, frame: values.count > 1 ? try? rect(values[1]) : nil)
        windows[number] = window
        window.onClose { [weak self, weak window] in
            window?.close()
            self?.windows[number] = nil
        }
    }

    private func double(_ text: String) throws -> Double {
        guard let value = Double(text) else { throw Mistake.noNumber }
        return value
    }

    private func rect(_ text: String) throws -> Rect {
        let numbers = try text.split(separator: ",").map { try double(String($0)) }
        guard numbers.count == 4 else { throw Mistake.noNumber }
        return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private enum Mistake: Error { case noSuchRequest, noNumber }
}
