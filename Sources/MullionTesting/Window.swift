// A window that a test drives.

import FoundationEssentials

extension Mullion {
    /// A window, by its title.
    public struct Window: Sendable {
        let mullion: Mullion
        let program: Program?
        /// As it was asked for: exact, or an expression as `/Save.*/`.
        public let title: String
        /// The server's number of it.
        public let id: Int

        /// A state of the window that a test waits for.
        public enum Condition: Sendable {
            /// On a screen, and not hidden.
            case visible
            /// It receives keys.
            case key
            /// No window has this title any more.
            case gone
            /// Visible, on the screen of this name.
            case screen(String)
        }

        /// Waits for the condition.
        /// - Throws: `MullionError` with what there is instead when it does not hold within `timeout`, or, unless it is
        ///   `gone`, as soon as the program fails.
        public func waitFor(_ condition: Condition) async throws {
            let words =
                switch condition {
                case .visible: ["window", "title=\(title)", "visible"]
                case .key: ["window", "title=\(title)", "key"]
                case .gone: ["gone", "title=\(title)"]
                case .screen(let name): ["window", "title=\(title)", "visible", "screen=\(name)"]
                }
            var program = program
            // A program that ends takes its windows with it.
            if case .gone = condition { program = nil }
            try await mullion.wait(words, while: program)
        }

        // MARK: Widgets

        /// The widget of this role, as ARIA calls it, with this accessible name and this description, such as a tooltip:
        /// each exact, or an expression as `/Save.*/`.
        public func widget(role: String, name: String? = nil, description: String? = nil) -> Widget {
            Widget(window: self, role: role, name: name, description: description)
        }

        /// The button of this name.
        public func button(_ name: String) -> Widget { widget(role: "button", name: name) }

        /// The check box of this name.
        public func checkbox(_ name: String) -> Widget { widget(role: "checkbox", name: name) }

        /// The text field of this name; without one, the only text field.
        public func textbox(_ name: String? = nil) -> Widget { widget(role: "textbox", name: name) }

        /// The label with this text; without one, the only label.
        public func label(_ name: String? = nil) -> Widget { widget(role: "label", name: name) }

        // MARK: Input

        /// Clicks at a point of the window.
        /// - Parameters:
        ///   - x, y: in points, from the window's top left corner.
        /// - Throws: `MullionError` when it is on no screen, or no client receives the click.
        public func click(x: Double, y: Double) async throws {
            try await mullion.perform(["click", "window:\(id)", "\(x),\(y)"])
        }

        /// Types a text, once it is the key window.
        /// - Throws: `MullionError` when it does not become key within `timeout`, or no client receives the text.
        public func type(_ text: String) async throws {
            try await waitFor(.key)
            try await mullion.perform(["type", text])
        }

        /// Presses a key with its modifiers, such as `Return` or `ctrl+s`, once it is the key window.
        /// - Throws: `MullionError` for an unknown key, when it does not become key within `timeout`, or no client receives
        ///   the key.
        public func press(_ keys: String) async throws {
            try await waitFor(.key)
            try await mullion.perform(["key", keys])
        }

        /// Asks its program to close it, which it may refuse: `waitFor(.gone)` waits for that.
        /// - Throws: `MullionError` when it does not exist any more.
        public func close() async throws { try await mullion.perform(["window", "\(id)", "close"]) }

        /// - Throws: `MullionError` when it is on no screen.
        var screenName: String {
            get async throws {
                struct Windows: Decodable {
                    struct Item: Decodable {
                        var id: Int
                        var screenName: String?
                    }
                    var windows: [Item]
                }
                let all = try await mullion.decode(Windows.self, ["windows"]).windows
                guard let screen = all.first(where: { $0.id == id })?.screenName else {
                    throw MullionError("window \"\(title)\" is on no screen\n\(mullion.situation)")
                }
                return screen
            }
        }

        // MARK: Finding it

        static func find(_ title: String, of program: Program?, in mullion: Mullion) async throws -> Window {
            let wait = ["wait", "window", "title=\(title)", "visible"]
            let deadline = ContinuousClock.now + mullion.timeout
            while true {
                try await mullion.perform(wait + [Mullion.patience(until: deadline)], while: program)
                // The same again, as JSON, which has no explanations for people. Nil: it has gone since then.
                let text = try await mullion.attempt(["--json"] + wait + ["client", "timeout=0s"], while: program)
                guard let text else { continue }
                let found = try JSONDecoder().decode(Found.self, from: Data(text.utf8))
                let windows = found.windows(of: program)
                if windows.count == 1 {
                    return Window(mullion: mullion, program: program, title: title, id: windows[0])
                }
                guard windows.isEmpty else {
                    throw MullionError("\(windows.count) windows are titled \(title): \(windows)\n\(mullion.situation)")
                }
                guard ContinuousClock.now < deadline else {
                    let owner = program.map { " of \($0)" } ?? ""
                    let others = found.windows.map { "  window \($0.id) \"\($0.title)\" of \($0.applicationName)" }
                    throw MullionError(
                        (["no window\(owner) is titled \(title), only these are:"] + others + [mullion.situation])
                            .joined(separator: "\n"))
                }
                // Another program has one of this title, which may close as this program's opens: their number stays then.
                let pause = min(deadline, .now + .milliseconds(250))
                let count = "count=\(found.windows.count + 1)"
                _ = try await mullion.attempt(wait + [count, Mullion.patience(until: pause)], while: program)
            }
        }
    }

    /// Windows of a title, and the programs that are connected.
    private struct Found: Decodable {
        struct Window: Decodable {
            var id: Int
            var title: String
            var application: Int
            var applicationName: String
        }
        struct Application: Decodable {
            var id: Int
            var name: String
            var pid: Int32
        }
        var windows: [Window]
        var applications: [Application]

        /// The windows of X11 programs belong to mullion-x11.
        func windows(of program: Program?) -> [Int] {
            let owned = applications.filter { $0.name == "mullion-x11" || program?.owns($0.pid) ?? true }
            return windows.filter { window in owned.contains { $0.id == window.application } }.map(\.id)
        }
    }
}
