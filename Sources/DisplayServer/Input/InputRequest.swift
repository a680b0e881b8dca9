// Events with the attributes that all types share: seat and time.

import WindowModel

/// A request to inject an event.
package struct InputRequest: Equatable {
    /// The longest duration of a list, in microseconds.
    package static let longest: UInt64 = 600_000_000

    /// When an event of a list occurs, in microseconds; immediately if that has passed.
    package enum Time: Equatable {
        /// Since the list began.
        case at(UInt64)
        /// Since the scheduled time of the previous event.
        case after(UInt64)
    }

    package var event: InputEvent
    /// The window whose coordinates the event uses, resolved when it occurs; nil: it uses the screen's.
    package var window: Window.ID?
    /// The seat's name; nil: that of the screen, else the first.
    package var seat: String?
    package var time: Time?
    /// How long a key or a click lasts, in microseconds; nil: as usual.
    package var duration: UInt64?
    /// The modifiers that are held meanwhile, as in chords of keys.
    package var modifiers: [String] = []
    /// Whether the answer waits until the receivers have read the event.
    package var waits = false
    /// Whether it is an error if no client receives it; nil: the caller decides.
    package var mustHit: Bool?

    package init(
        _ event: InputEvent, in window: Window.ID? = nil, seat: String? = nil, time: Time? = nil,
        duration: UInt64? = nil, modifiers: [String] = [], waits: Bool = false, mustHit: Bool? = nil
    ) {
        self.event = event
        self.window = window
        self.seat = seat
        self.time = time
        self.duration = duration
        self.modifiers = modifiers
        self.waits = waits
        self.mustHit = mustHit
    }

    /// How long each key or button of the event stays down, in microseconds: some programs take a key that is released
    /// at once for one that is held. Manual time stands still, so there it is nothing unless requested.
    func hold(_ clock: ClockMode) -> UInt64 {
        switch event {
        case .click, .key(_, .tap), .code(_, .tap, keymap: _): duration ?? (clock == .manual ? 0 : 8000)
        case .text: clock == .manual ? 0 : 1000
        default: 0
        }
    }

    /// How many keys or buttons stay down for a requested duration, one after the other.
    private var presses: UInt64 { if case .click(_, _, let count) = event { UInt64(count) } else { 1 } }

    /// How long a list takes in manual time, in microseconds.
    /// - Throws: E9 as `schedule`.
    package static func manualDuration(of requests: [InputRequest]) throws(InputInjector.ListError) -> UInt64 {
        zip(requests, try schedule(requests)).reduce(0) { end, next in
            max(end, next.1) + next.0.hold(.manual) * next.0.presses
        }
    }

    /// When each event of a list occurs, in microseconds since it began.
    /// - Throws: E9 for an event before the previous one, and for a list that takes too long.
    package static func schedule(_ requests: [InputRequest]) throws(InputInjector.ListError) -> [UInt64] {
        var times: [UInt64] = []
        times.reserveCapacity(requests.count)
        var last: UInt64 = 0
        for (index, request) in requests.enumerated() {
            switch request.time {
            case nil: break
            case .after(let microseconds): last = last.addingReportingOverflow(microseconds).partialValue
            case .at(let microseconds):
                guard microseconds >= last else {
                    throw refusal(
                        index,
                        "its time, \(milliseconds(microseconds)) ms, is before that of the previous event, "
                            + "\(milliseconds(last)) ms; sort the list by time")
                }
                last = microseconds
            }
            guard last <= longest else {
                throw tooLong(index, "its time is after \(milliseconds(last)) ms")
            }
            times.append(last)
        }
        return times
    }

    private static func refusal(_ index: Int, _ message: String) -> InputInjector.ListError {
        InputInjector.ListError(
            index: index, reason: ModelError(kind: .invalidValue, rule: .e9, message: message))
    }

    /// E9: the list takes too long.
    static func tooLong(_ index: Int, _ reason: String) -> InputInjector.ListError {
        refusal(index, "\(reason); a list lasts at most \(milliseconds(longest)) ms")
    }

    static func milliseconds(_ microseconds: UInt64) -> Double { Double(microseconds) / 1000 }
}
