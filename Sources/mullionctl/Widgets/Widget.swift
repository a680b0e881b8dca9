// A widget: what its program says about it, and where it is in its window.

import Accessibility
import JSON5
import MullionClient

/// A widget of a program, joined with a window of the server.
final class Widget {
    let accessible: Accessible
    let application: AccessibleApplication
    private(set) weak var parent: Widget?
    var children: [Widget] = []
    /// Nil when its window could not be found.
    let window: WindowPlace?
    /// The surface of a pop-up that it is in; nil for the window's own content.
    var popup: WindowPlace.Surface?
    /// In the window's points; nil without one, or when it was not read.
    var frame: Rect?
    /// The part of the frame that nothing clips, neither in the window nor at the edges of the screen.
    var part: Rect?
    /// The part that nothing in the window clips, which the pictures of windows show.
    var partInWindow: Rect?
    /// Whether it would be in view if the screen were larger.
    var isBeyondScreen = false
    /// Whether its program and the server show it, though it may have to be scrolled into view.
    var isVisible = false
    /// Whether a part of it is in view, unless it is covered.
    var isShowing = false

    init(_ accessible: Accessible, _ application: AccessibleApplication, _ window: WindowPlace?, parent: Widget?) {
        (self.accessible, self.application, self.window, self.parent) = (accessible, application, window, parent)
    }

    var id: String { accessible.id.bus + accessible.id.path }
    var role: String { accessible.role.name }
    var name: String { accessible.name }
    /// Toolkits disagree on which of the two they set.
    var isEnabled: Bool { !accessible.states.isDisjoint(with: [.enabled, .sensitive]) }
    /// The server's name of the program, otherwise its own.
    var applicationName: String { window?.applicationName ?? application.name }

    /// The names of its states: AT-SPI's, but `enabled`, `visible` and `showing` mean the same in all toolkits.
    var states: [String] {
        let names = accessible.states.names.filter { !["enabled", "sensitive", "visible", "showing"].contains($0) }
        let own = [("enabled", isEnabled), ("visible", isVisible), ("showing", isShowing)]
        return own.filter(\.1).map(\.0) + names
    }

    /// From the parent on.
    var ancestors: [Widget] { Array(sequence(first: self, next: \.parent).dropFirst()) }

    /// The widget and everything below.
    var all: [Widget] {
        var found: [Widget] = []
        var rest = [self]
        while let next = rest.popLast() {
            found.append(next)
            rest += next.children.reversed()
        }
        return found
    }

    /// `button "Save"`, for messages.
    var text: String { role.printable() + (name.isEmpty ? "" : " \"\(name.printable())\"") }

    func append(_ child: Widget) { children.append(child) }

    /// - Parameter withChildren: with the tree below.
    func json(withChildren: Bool) -> JSON {
        var members: [String: JSON] = [
            "id": .string(id), "role": .string(role), "nativeRole": .string(accessible.role.nativeName),
            "name": .string(name),
            "description": .string(accessible.details?.description ?? ""),
            "states": .array(states.map { .string($0) }), "application": .string(applicationName),
            "window": window.map { .number(Double($0.id)) } ?? .null,
            "frame": frame.map(JSON.rect) ?? .null,
            "part": isShowing ? part.map(JSON.rect) ?? .null : .null,
            "partInWindow": isShowing || isBeyondScreen ? partInWindow.map(JSON.rect) ?? .null : .null,
        ]
        if let value = accessible.details?.value, value.isFinite { members["value"] = .number(value) }
        members["text"] = accessible.details?.text.map { .string($0) }
        members["popup"] = popup.map { .string($0.id) }
        if withChildren { members["children"] = .array(children.map { $0.json(withChildren: true) }) }
        return .object(members)
    }

    /// One line for people, without the children.
    var line: String {
        var notes: [String] = []
        if let text = accessible.details?.text, !text.isEmpty { notes.append("text=\"\(text.prefix(40).printed)\"") }
        if let value = accessible.details?.value { notes.append("value=\(JSON.text(value))") }
        if let frame { notes.append(JSON.rect(frame).rectText) }
        let worth = ["focused", "checked", "pressed", "selected", "expanded", "modal", "active"]
        notes += accessible.states.names.filter(worth.contains)
        if !isEnabled { notes.append("disabled") }
        if !isVisible {
            notes.append("hidden")
        } else if !isShowing {
            notes.append(isBeyondScreen ? "outside the screen" : "out of view")
        }
        return ([text] + notes).joined(separator: "  ")
    }
}

extension JSON {
    static func rect(_ rect: Rect) -> JSON { .rect([rect.minX, rect.minY, rect.width, rect.height]) }
}

extension Substring {
    fileprivate var printed: String { String(self).printable() }
}
