// The steps that mullionctl performs itself.

import JSON5

/// What is done between two steps of the server, while its scenario pauses.
enum ScenarioAction {
    case start(ScenarioStart)
    case stop(ScenarioStop)
    case input(ScenarioWidgetInput)
    case wait(WidgetWait)
    case expect([ScenarioWidgetExpectation], seconds: Double)

    /// For people, like the titles of the server's steps.
    var title: String {
        switch self {
        case .start(let start): "start \(start.name)"
        case .stop(let stop): "stop \(stop.name)"
        case .input(let input): "\(input.verb) \(input.query.text)"
        case .wait(let wait): "wait for \(wait.text)"
        case .expect(let widgets, _): "expect " + widgets.map { "widget \($0.query.text)" }.joined(separator: ", ")
        }
    }

    var isStart: Bool { if case .start = self { true } else { false } }
}

/// A program to be started.
struct ScenarioStart {
    /// By which it is stopped.
    var name: String
    var command: [String]
    /// Nil removes a variable.
    var environment: [String: String?] = [:]
    /// The working directory; nil: that of mullionctl.
    var directory: String?
}

/// A program to be ended, or whose end is awaited.
struct ScenarioStop {
    var name: String
    /// The exit status that it ends with by itself; nil: it is ended.
    var status: Int32?
    /// How long its end may take.
    var seconds = 5.0
}

/// Input to a widget.
struct ScenarioWidgetInput {
    /// As in `mullionctl`: click, type or scroll.
    var verb: String
    var query: WidgetQuery
    var seconds: Double
    /// The fields of the event besides its place.
    var event: [String: JSON]
}
