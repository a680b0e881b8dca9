// What a window has requested, and who has the last word about a property: the program or the server.

import MullionWayland

extension Window {
    /// The properties that are requested.
    enum Property {
        /// The relative order of these does not matter.
        case frame, transform, autoresizing, alpha, background, clips, title, interaction
        case level, hidden, screen
    }
}

/// The requests of one window. Commits are counted: what the server reports about a property counts unless a request for
/// the same property is on its way, which then comes last.
struct PropertyRequests {
    private var waiting: [(property: Window.Property, request: MullionWindowV1.Request)] = []
    /// The commits with which properties were requested last; nil while the request waits to be sent.
    private var sent: [Window.Property: UInt32?] = [:]
    /// How many commits there were.
    private var commits: UInt32 = 0
    /// How many of them the server had applied before the events that follow.
    var appliedCommits: UInt32 = 0
    /// Whether the server has created the window.
    var creation = Creation.done
    /// Whether properties are being set to values from the server, which are not requested.
    private var isReceiving = false

    enum Creation {
        /// On a screen; nil: on the main one.
        case requested(on: Screen?)
        case done
    }

    /// Whether a property was ever requested.
    func wasRequested(_ property: Window.Property) -> Bool { sent[property] != nil }

    /// Replaces the waiting request for a property.
    /// - Returns: false when the value comes from the server.
    mutating func add(_ property: Window.Property, _ request: MullionWindowV1.Request) -> Bool {
        guard !isReceiving else { return false }
        waiting.removeAll { $0.property == property }
        waiting.append((property, request))
        expect(property)
        return true
    }

    /// Notes that a request for a property waits elsewhere.
    mutating func expect(_ property: Window.Property) { sent.updateValue(nil, forKey: property) }

    /// The waiting requests, for the next commit.
    mutating func take() -> [MullionWindowV1.Request] {
        for item in waiting { didSend(item.property) }
        defer { waiting = [] }
        return waiting.map(\.request)
    }

    /// Notes that a request for a property was sent for the next commit.
    mutating func didSend(_ property: Window.Property) { sent[property] = commits &+ 1 }

    mutating func didCommit() { commits &+= 1 }

    /// Whether the server has handled all requests for a property.
    func isSettled(_ property: Window.Property) -> Bool {
        guard let request = sent[property] else { return true }
        guard let request else { return false }
        return Int32(bitPattern: request &- appliedCommits) <= 0
    }

    /// Between these, properties are set to values from the server.
    mutating func beginReceiving() { isReceiving = true }
    mutating func endReceiving() { isReceiving = false }
}
