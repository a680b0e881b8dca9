// Injects input into the model.

import MullionKeymaps
import WindowModel

/// Plans complete lists of events, and performs single steps. Steps of virtual devices are performed when they are
/// read; all other input passes through the queue.
package final class InputInjector {
    /// The most steps of one call, so that one call cannot monopolise the loop.
    package static let maximumSteps = 10_000

    static let tooManySteps = ModelError(
        kind: .invalidValue, rule: .e9,
        message: "more than \(maximumSteps) single steps; inject them in parts")

    // The owner.
    unowned let server: DisplayServer
    /// The lists injected over time, one after the other.
    package lazy var queue = InputQueue(server, self)
    /// Called with every step before its effects.
    package var onStep: ((InputStep) -> Void)?
    /// What became of the events of the step that is being performed.
    var deliveries: [Delivery] = []
    var isPerforming = false
    /// The keymaps of the last list's events, and others with pressed keys.
    private var typingDevices: [[UInt32: String]: KeyboardDevice] = [:]

    /// The result of one event.
    package struct Report {
        package var type: String
        /// H3: the routing of the event, or of each of several touches; empty when it had no steps (an empty text).
        package var routings: [Routing] = []
        /// The touches that the routings belong to, if there are several.
        package var touches: [Int32] = []
        package var steps: Int
        /// The screen that the event names; nil: none.
        package var screen: Screen.ID?
        package var delivered: Int
        /// The receivers, in order of delivery.
        var receivers: [Application.ID] = []
        /// Whether they have read it, if requested.
        package var receipts: ReadReceipts?

        package var routing: Routing? { routings.first }

        /// Whether no client has received any step. Hovering over a screen counts as received: it moves the pointer
        /// anyway.
        package var isMissed: Bool {
            steps > 0 && delivered == 0 && (type != "hover" || routing?.reason == .outsideScreen)
        }

        init(_ plan: InputPlanner.Plan) {
            type = plan.type
            steps = plan.own.count
            screen = plan.steps.lazy.compactMap(\.screen).first
            delivered = 0
        }
    }

    /// An event of a step.
    struct Delivery {
        var kind: Event.Kind
        var window: Window.ID?
        var touch: Int32?
        /// Whether anything was sent to a client, or a grab or the server itself has taken it.
        var isReceived: Bool
    }

    /// Why a list of events was refused, and the index of the event.
    package struct ListError: Error {
        package var index: Int
        package var reason: ModelError
    }

    init(_ server: DisplayServer) { self.server = server }

    /// Injects events in order, now (E9).
    func inject(_ events: [InputEvent]) throws(ListError) -> [Report] {
        let requests = events.map { InputRequest($0) }
        var plans = try plan(requests)
        // The keymap of a typed character applies only to its keys.
        defer { endTyping() }
        var reports: [Report] = []
        for index in plans.indices {
            do {
                try refresh(&plans[index], of: requests[index], isFirst: index == 0)
                var report = Report(plans[index])
                for step in plans[index].steps.indices { try perform(step, of: plans[index], into: &report) }
                reports.append(report)
            } catch {
                throw ListError(index: index, reason: error)
            }
        }
        return reports
    }

    // MARK: Planning

    /// Plans a list of events and checks it on a copy of the input state, without performing anything.
    func plan(_ requests: [InputRequest]) throws(ListError) -> [InputPlanner.Plan] {
        var planner = startPlanning()
        typingDevices = typingDevices.filter { _, device in
            server.seats.contains { !$0.keyboard.heldKeys(of: device).isEmpty }
        }
        var plans: [InputPlanner.Plan] = []
        var steps = 0
        for (index, request) in requests.enumerated() {
            do {
                plans.append(try planner.plan(request))
            } catch {
                throw ListError(index: index, reason: error)
            }
            steps += plans[index].steps.count
            guard steps <= Self.maximumSteps else {
                throw ListError(index: index, reason: Self.tooManySteps)
            }
        }
        return plans
    }

    /// Plans keys and texts again for the current keyboard, because earlier events may have changed the layout, the
    /// locks or the key window; and points of a window, which may have moved.
    func refresh(
        _ plan: inout InputPlanner.Plan, of request: InputRequest, isFirst: Bool
    ) throws(ModelError) {
        switch request.event {
        case _ where (request.window != nil || !request.modifiers.isEmpty) && !isFirst,
            .key where !isFirst, .code where !isFirst, .text where !isFirst:
            var planner = startPlanning()
            plan = try planner.plan(request)
        default: break
        }
    }

    private func startPlanning() -> InputPlanner {
        var state = server.model.input
        // Asks the keyboard, because the model forgets keys when key passes on (E3).
        for seat in server.seats { state[seat.id].keys = seat.keyboard.heldKeys }
        return InputPlanner(server: server, state: state)
    }

    /// The device for an event's keymap; the same keymap uses the same device.
    /// - Throws: E3 for an invalid keymap.
    func typingDevice(_ symbols: [UInt32: String]) throws(ModelError) -> KeyboardDevice {
        if let known = typingDevices[symbols] { return known }
        guard let made = TypingKeymap(symbols: symbols).flatMap({ KeyboardDevice(typing: $0) }) else {
            throw InputPlanner.invalid(
                .e3,
                "the keymap is invalid; use XKB's symbol names by evdev codes 1…\(EvdevKeys.highest), such as "
                    + "{\"2\": \"eacute\"}")
        }
        typingDevices[symbols] = made
        return made
    }

    // MARK: Releasing

    /// The input held down by injection: the model's input state, and the keys that injection holds.
    package var held: InputState {
        var held = server.model.input
        for seat in server.model.seats { held[seat].keys = keys(of: seat).map(\.code) }
        return held
    }

    /// The keys held down by injection. Asks the keyboard, because the model forgets them when key passes on (E3).
    private func keys(of seat: Seat.ID) -> [(code: UInt32, device: KeyboardDevice?)] {
        let keyboard = devices(of: seat).keyboard
        let others = typingDevices.values.flatMap { device in
            keyboard.heldKeys(of: device).map { (code: $0, device: Optional(device)) }
        }
        return keyboard.heldKeys.map { ($0, nil) } + others.sorted { $0.code < $1.code }
    }

    /// Releases everything that was not held before, so that nothing stays pressed for the next caller.
    package func release(except held: InputState) {
        let model = server.model
        var steps = model.seats.flatMap { seat in
            model.input[seat].touches.filter { touch in !held[seat].touches.contains { $0.id == touch.id } }
        }.map { touch in
            let update = TouchUpdate(id: touch.id, phase: .cancelled, point: touch.point, attributes: touch.attributes)
            return InputStep.touch(update, touch.screen)
        }
        for seat in model.seats {
            let (now, before) = (model.input[seat], held[seat])
            steps += now.pencils.filter { pencil in !before.pencils.contains { $0.id == pencil.id } }.map {
                .pencil(
                    TouchUpdate(id: $0.id, phase: .cancelled, point: $0.point, attributes: $0.attributes), $0.screen)
            }
            steps += now.buttons.filter { !before.buttons.contains($0) }.sorted().map {
                .button($0, pressed: false, seat: seat)
            }
            steps += keys(of: seat).filter { !before.keys.contains($0.code) }.map {
                .key($0.code, pressed: false, from: $0.device, seat: seat)
            }
            if now.scroll != nil, before.scroll == nil {
                steps.append(.scroll(Event.Scroll(deltaX: 0, deltaY: 0), .cancelled, seat: seat))
            }
            if let gesture = now.gesture, before.gesture == nil {
                steps.append(.gesture(gesture, .cancelled, seat: seat))
            }
            if now.isShaking, !before.isShaking { steps.append(.shake(.cancelled, seat: seat)) }
        }
        for step in steps {
            server.logErrors { () throws(ModelError) in try perform(step) }
        }
    }
}
