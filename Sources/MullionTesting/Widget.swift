// A widget that a test drives.

import FoundationEssentials

extension Mullion {
    /// A widget that a program describes to screen readers, found when something is done with it.
    public struct Widget: Sendable {
        let window: Window
        /// As ARIA calls it: button, textbox, checkbox, menuitem.
        public let role: String
        /// Its accessible name: exact, or an expression as `/Save.*/`; nil: any.
        public let name: String?
        /// What it says besides its name, in a tooltip for instance: exact, or an expression; nil: anything.
        public let description: String?
        /// The place among those of this role, name and description, from 0, or from -1 for the last one; nil: there is only
        /// one.
        public private(set) var index: Int?

        init(window: Window, role: String, name: String? = nil, description: String? = nil) {
            (self.window, self.role, self.name, self.description) = (window, role, name, description)
        }

        /// The widget of that number among those that fit, also out of view, from 0; -1 is the last one.
        public func nth(_ index: Int) -> Widget {
            var widget = self
            widget.index = index
            return widget
        }

        /// A state of the widget that a test waits for.
        public enum Condition: Sendable {
            /// In view, though something may cover it.
            case visible
            /// It takes input.
            case enabled
            /// It has the keyboard.
            case focused
            /// It is on, as check boxes, switches and radio buttons are.
            case checked
            /// There is no such widget any more.
            case gone
            /// It shows this text: exact, or an expression as `/Saved .*/`.
            case text(String)
        }

        /// Waits for the condition.
        /// - Throws: `MullionError` with the nearest widgets when it does not hold within `timeout`, or as soon as the
        ///   program fails.
        public func waitFor(_ condition: Condition) async throws {
            let words =
                switch condition {
                case .visible: query
                case .enabled: query + ["state=enabled"]
                case .focused: query + ["state=focused"]
                case .checked: query + ["state=checked"]
                case .gone: query + ["gone"]
                case .text(let text): query + ["text=\(text)"]
                }
            try await mullion.wait(["widget"] + words, while: window.program)
        }

        /// Clicks its middle, once it is enabled, stands still and nothing covers it; scrolls it into view.
        /// - Throws: `MullionError` with the reason when that is not so within `timeout`, when several widgets have this
        ///   role and name, or as soon as the program fails.
        public func click() async throws {
            try await mullion.perform(["click"] + query + [mullion.patience], while: window.program)
        }

        /// Types a text into it, where its caret is.
        /// - Throws: `MullionError` as `click` does, and when it does not take the keyboard.
        public func type(_ text: String) async throws {
            try await mullion.perform(["type"] + query + [mullion.patience, text], while: window.program)
        }

        /// Replaces its text.
        /// - Throws: `MullionError` as `click` does, and when it does not take the keyboard.
        public func fill(_ text: String) async throws {
            if try await !widget.states.contains("focused") {
                try await click()
                try await waitFor(.focused)
            }
            try await window.press("ctrl+a")
            try await text.isEmpty ? window.press("Delete") : window.type(text)
        }

        /// The text that it shows, or that was typed into it; the name of a widget without text.
        /// - Throws: `MullionError` when it is not visible within `timeout`, or several widgets have this role and name.
        public var text: String {
            get async throws {
                let widget = try await widget
                return widget.text ?? widget.name
            }
        }

        /// Whether it is a check box, switch or radio button that is on.
        /// - Throws: `MullionError` when it is not visible within `timeout`, or several widgets have this role and name.
        public var isChecked: Bool {
            get async throws { try await widget.states.contains("checked") }
        }

        /// The part of it that is in view, in points of its window.
        /// - Parameter isOfWindow: whether what lies outside of the screen counts, as in the picture of the window.
        func visiblePart(isOfWindow: Bool) async throws -> Part {
            let widget = try await widget
            guard let part = isOfWindow ? widget.partInWindow : widget.part else {
                throw MullionError("\(words) is not in view")
            }
            return part
        }

        /// A rectangle in points.
        struct Part: Decodable {
            var x: Double
            var y: Double
            var width: Double
            var height: Double
        }

        private struct Found: Decodable {
            struct Item: Decodable {
                var name: String
                var text: String?
                var states: Set<String>
                var part: Part?
                var partInWindow: Part?
            }
            var widgets: [Item]
        }

        /// What it is like, once it is visible.
        private var widget: Found.Item {
            get async throws {
                try await waitFor(.visible)
                let found = try await mullion.decode(Found.self, ["find"] + query, while: window.program).widgets
                guard found.count == 1, let first = found.first else {
                    throw MullionError(
                        "\(found.count) widgets have \(words)\n\(mullion.situation)")
                }
                return first
            }
        }

        private var mullion: Mullion { window.mullion }

        /// For messages.
        var words: String { query.joined(separator: " ") }

        private var query: [String] {
            ["window=\(window.id)", "role=\(role)"] + (name.map { ["name=\($0)"] } ?? [])
                + (description.map { ["description=\($0)"] } ?? []) + (index.map { ["nth=\($0)"] } ?? [])
        }
    }
}
