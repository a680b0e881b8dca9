// replay

import ControlProtocol
import Glibc
import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var replayCommand: Command {
        Command(
            name: "replay", arguments: "FILE [--speed N] [--manual]",
            summary: "inject recorded input again",
            details: """
                FILE is the output of mullionctl watch, with or without --input; "-" is standard
                input. The steps have their recorded intervals, divided by --speed.

                With --manual, the server's clock is stepped from one to the next. Steps
                recorded with a manual clock then have their recorded times, unless these have
                already passed.

                Steps are sent in batches. If the server refuses a step, replay names its line
                and ends with exit status 1; the batch has no effect.
                """,
            run: { (call) throws(CommandError) in
                let path = try call.word("FILE")
                let speed = try call.single("--speed").map { (text) throws(CommandError) in
                    try Values.number(text, "--speed")
                }
                let isManual = call.flag("--manual")
                guard speed ?? 1 > 0 else { throw .usage("--speed must be greater than 0") }
                guard speed == nil || !isManual else {
                    throw .usage("--speed needs a real-time clock; it cannot be combined with --manual")
                }
                try call.end()
                let recording = try Recording(contentsOf: path)
                var replay = Replay(call.client, path: Recording.name(of: path), steps: recording.steps)
                if isManual {
                    try replay.step(absolute: recording.isManual)
                } else {
                    try replay.play(speed: speed ?? 1)
                }
            })
    }
}

/// Sends the steps of a recording in batches of a size the server accepts.
private struct Replay {
    /// The largest number of steps in a batch, and its longest duration in microseconds.
    private static let maximumSteps = 1000
    private static let longest = 5_000_000.0

    private let client: ControlClient
    private let path: String
    private var left: ArraySlice<Recording.Step>

    init(_ client: ControlClient, path: String, steps: [Recording.Step]) {
        self.client = client
        self.path = path
        left = steps[...]
    }

    /// Replays in real time, at `speed` times the original speed.
    mutating func play(speed: Double) throws(CommandError) {
        guard let first = left.first?.time else { return }
        let start = Self.now
        while let begin = left.first?.time {
            let part = take { $0.time - begin <= Self.longest * speed }
            // A late server is not given extra time.
            let due = start + (begin - first) / speed
            Self.sleep(until: due)
            let late = max(0, Self.now - due)
            let inputs = part.map { step in
                let offset = max(0, (step.time - begin) / speed - late)
                return step.input.with("at", .number(offset.rounded() / 1000))
            }
            try send(part, inputs)
        }
    }

    /// Steps the server's clock from one step to the next.
    mutating func step(absolute: Bool) throws(CommandError) {
        let clock = try client.send(.getClock())
        guard clock.mode == .manual else {
            throw .refused("the server's clock is real and cannot be stepped; omit --manual")
        }
        guard let first = left.first?.time else { return }
        let now = Double(clock.now)
        var time = absolute && first >= now ? now : first
        while let next = left.first?.time {
            if next > time {
                _ = try client.send(.patchClock(["step": next - time]))
                time = next
            }
            let part = take { $0.time == next }
            try send(part, part.map(\.input))
        }
    }

    private mutating func take(while belongs: (Recording.Step) -> Bool) -> [Recording.Step] {
        let part = Array(left.prefix(Self.maximumSteps).prefix(while: belongs))
        left = left.dropFirst(part.count)
        return part
    }

    private func send(_ part: [Recording.Step], _ inputs: [JSON]) throws(CommandError) {
        let answer = try client.answer(to: .postInput(inputs), accepting: ControlClient.refusals)
        guard let problem = answer.problem else { return }
        // A step that is not a valid event is identified by its index in the list: "/3/type".
        let error = problem.errors?.first
        let named = error.flatMap { Int($0.pointer.dropFirst().prefix { $0.isNumber }) }
        let index = problem.index ?? named ?? 0
        let line = part.indices.contains(index) ? part[index].line : part[0].line
        throw .refused("\(path):\(line): \(problem.citation)\((error?.detail ?? problem.detail).printable())")
    }

    // MARK: Time

    /// Microseconds.
    private static var now: Double { Double(MonotonicClock.nanoseconds) / 1000 }

    private static func sleep(until deadline: Double) {
        guard deadline > now else { return }
        MonotonicClock.sleep(untilNanoseconds: UInt64(exactly: (deadline * 1000).rounded()) ?? .max)
    }
}
