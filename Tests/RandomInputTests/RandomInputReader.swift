// One client of the random event streams: what it reads on its socket, in order.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

/// The events that a client received, or should receive; each kind of input object has a stream of its own.
struct InputStreams: Equatable {
    enum Touch: Equatable {
        case down(Int32, ObjectID, Point)
        case motion(Int32, Point)
        case up(Int32)
        case cancel
    }

    enum Keyboard: Equatable {
        case enter(ObjectID, [UInt32])
        case leave(ObjectID)
        case key(UInt32, isDown: Bool)
    }

    /// Without motion, which moving windows cause as well. The final position is compared instead.
    enum Pointer: Equatable {
        case enter(ObjectID, Point)
        case leave(ObjectID)
        case button(UInt32, isDown: Bool)
        case axis(Double)
        case axisStop
    }

    enum Gesture: Equatable {
        case begin(ObjectID)
        case update(Double)
        case end(isCancelled: Bool)
    }

    var touch: [Touch] = []
    var keyboard: [Keyboard] = []
    var pointer: [Pointer] = []
    var gesture: [Gesture] = []
}

/// A client, and what it reads of each seat.
final class RandomInputReader {
    let client: TestClient
    /// Indexed by seat.
    private(set) var seats: [RandomSeatReader] = []
    fileprivate var stamps = InputStamps()
    /// Buffers that all its plain windows and pop-ups share.
    let windowBuffer: Proxy<WlBuffer>
    let popupBuffer: Proxy<WlBuffer>

    init(_ client: TestClient, seats count: Int) throws {
        self.client = client
        windowBuffer = try client.buffer(0xff00_ff00, width: 120, height: 90)
        popupBuffer = try client.buffer(0xff00_00ff, width: 60, height: 50)
        seats = try (0..<count).map { try RandomSeatReader(self, $0) }
    }

    func add(_ surface: ObjectID) { for seat in seats { seat.grammar.add(surface) } }
    func remove(_ surface: ObjectID) { for seat in seats { seat.grammar.remove(surface) } }

    /// The first fault that the grammar found.
    var fault: String? { seats.lazy.compactMap { $0.fault ?? $0.grammar.unfinished }.first }
}

/// One object of each kind of input of a seat; all events go through the grammar.
final class RandomSeatReader {
    private unowned let reader: RandomInputReader
    /// Since the last comparison.
    private var received = InputStreams()
    fileprivate(set) var grammar = InputGrammar()
    /// The first fault that the grammar found.
    fileprivate var fault: String?
    let seat: Proxy<WlSeat>
    private let pointer: Proxy<WlPointer>
    private let keyboard: Proxy<WlKeyboard>
    private let touch: Proxy<WlTouch>
    private let swipe: Proxy<ZwpPointerGestureSwipeV1>

    fileprivate init(_ reader: RandomInputReader, _ index: Int) throws {
        self.reader = reader
        let client = reader.client
        seat = try client.seat(index)
        pointer = Proxy(client.connection, version: seat.version)
        seat.send(.getPointer(id: pointer.id))
        keyboard = Proxy(client.connection, version: seat.version)
        seat.send(.getKeyboard(id: keyboard.id))
        touch = Proxy(client.connection, version: seat.version)
        seat.send(.getTouch(id: touch.id))
        let manager = try client.bind(ZwpPointerGesturesV1.self)
        swipe = Proxy(client.connection, version: manager.version)
        manager.send(.getSwipeGesture(id: swipe.id, pointer: pointer.id))
        touch.onEvent = { [unowned self] in read($0) }
        keyboard.onEvent = { [unowned self] in read($0) }
        pointer.onEvent = { [unowned self] in read($0) }
        swipe.onEvent = { [unowned self] in read($0) }
    }

    /// Takes the events received since the last call.
    func take() -> InputStreams {
        defer { received = InputStreams() }
        return received
    }

    private func check(_ fault: String?) {
        if self.fault == nil, let fault { self.fault = "\(reader.client.name): \(fault)" }
    }

    private func stamp(_ serial: UInt32?, _ time: UInt32?) -> String? { reader.stamps.follow(serial, time) }

    private func read(_ event: WlTouch.Event) {
        switch event {
        case .down(let serial, let time, let surface, let id, let x, let y):
            check(stamp(serial, time) ?? grammar.down(id, surface))
            received.touch.append(.down(id, surface, Point(x: x.double, y: y.double)))
        case .up(let serial, let time, let id):
            check(stamp(serial, time) ?? grammar.up(id))
            received.touch.append(.up(id))
        case .motion(let time, let id, let x, let y):
            check(stamp(nil, time) ?? grammar.touchMotion(id))
            received.touch.append(.motion(id, Point(x: x.double, y: y.double)))
        case .frame: check(grammar.touchFrame())
        case .cancel:
            check(grammar.cancel())
            received.touch.append(.cancel)
        default: break
        }
    }

    private func read(_ event: WlKeyboard.Event) {
        switch event {
        case .keymap, .repeatInfo: break
        case .enter(let serial, let surface, let bytes):
            let keys = Self.words(bytes)
            check(stamp(serial, nil) ?? grammar.enter(surface, keys))
            received.keyboard.append(.enter(surface, keys))
        case .leave(let serial, let surface):
            check(stamp(serial, nil) ?? grammar.leave(surface))
            received.keyboard.append(.leave(surface))
        case .key(let serial, let time, let key, .repeated):
            check(stamp(serial, time) ?? grammar.keyRepeats(key))
        case .key(let serial, let time, let key, let state):
            check(stamp(serial, time) ?? grammar.key(key, isDown: state == .pressed))
            received.keyboard.append(.key(key, isDown: state == .pressed))
        case .modifiers(let serial, _, _, _, _): check(stamp(serial, nil) ?? grammar.modifiers())
        }
    }

    private func read(_ event: WlPointer.Event) {
        switch event {
        case .enter(let serial, let surface, let x, let y):
            let place = Point(x: x.double, y: y.double)
            check(stamp(serial, nil) ?? grammar.pointerEnter(surface, place))
            received.pointer.append(.enter(surface, place))
        case .leave(let serial, let surface):
            check(stamp(serial, nil) ?? grammar.pointerLeave(surface))
            received.pointer.append(.leave(surface))
        case .motion(let time, let x, let y):
            check(stamp(nil, time) ?? grammar.motion(Point(x: x.double, y: y.double)))
        case .button(let serial, let time, let button, let state):
            check(stamp(serial, time) ?? grammar.button(button, isDown: state == .pressed))
            received.pointer.append(.button(button, isDown: state == .pressed))
        case .axis(let time, _, let value):
            check(stamp(nil, time) ?? grammar.axis())
            received.pointer.append(.axis(value.double))
        case .axisStop(let time, _):
            check(stamp(nil, time) ?? grammar.axis())
            received.pointer.append(.axisStop)
        case .axisSource: check(grammar.axisSource())
        case .axisDiscrete, .axisValue120, .axisRelativeDirection: check(grammar.axis())
        case .frame: check(grammar.frame())
        }
    }

    private func read(_ event: ZwpPointerGestureSwipeV1.Event) {
        switch event {
        case .begin(let serial, let time, let surface, _):
            check(stamp(serial, time) ?? grammar.gestureBegins(on: surface))
            received.gesture.append(.begin(surface))
        case .update(let time, let dx, _):
            check(stamp(nil, time) ?? grammar.gestureGoesOn())
            received.gesture.append(.update(dx.double))
        case .end(let serial, let time, let cancelled):
            check(stamp(serial, time) ?? grammar.gestureEnds())
            received.gesture.append(.end(isCancelled: cancelled != 0))
        }
    }

    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32($1 * 8) }
        }
    }
}
