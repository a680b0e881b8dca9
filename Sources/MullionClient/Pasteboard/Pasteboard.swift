// What programs copy and paste.

import MullionWayland

/// Data that programs exchange by copying and pasting (UIKit: UIPasteboard): `Application.pasteboard` is the general
/// one, `Application.primaryPasteboard` holds what is selected and is pasted with the middle button.
///
/// The server lets a program replace the content, and says what other programs have copied, only while one of its windows
/// has keyboard focus, which is usually the key window (a rule of Wayland). A program that has never had it reads nil;
/// one that lost it can still read what it was offered last; and what a program sets without it is soon taken back. What
/// this application set itself is read without the server. Data of other programs come from these programs
/// directly: `loadString()` and `loadData(forType:)` wait for them without blocking anything; `string` and
/// `data(forType:)` block the main actor for at most `blockingPatience`.
@MainActor public final class Pasteboard {
    /// The most bytes that are accepted from another program: 64 MiB.
    public nonisolated static let maximumSize = 64 << 20
    /// How many seconds another program may let pass without giving or taking data before it is given up, unless a call
    /// says otherwise.
    public nonisolated static let patience = 5.0
    /// How many seconds reading without `await` takes at most.
    public nonisolated static let blockingPatience = 1.0

    /// The types of text that are offered, and read in this order.
    private static let textTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]

    /// Increases whenever the content may have changed, also when this application gets the keyboard back and the server
    /// says again what there is.
    public private(set) var changeCount = 0

    private weak var application: Application?
    private weak var seat: Seat?
    /// Nil without a seat or if the server has no such selection.
    private let link: (any SelectionLink)?
    private let observers = Observers<Void>()
    /// What this application set; nil: another program's, or nothing.
    private var own: [(type: String, data: [UInt8])]?
    /// The types of another program's content.
    private var offered: [String] = []
    /// The types that the server offered last, which may be this application's own.
    private var latest: [String] = []
    /// How many times content was set that the server has yet to handle: what it offers may be older.
    private var unsettled = 0

    init(_ application: Application, _ seat: Seat?, _ link: (any SelectionLink)?) {
        self.application = application
        self.seat = seat
        self.link = link
        link?.onOffer = { [weak self] types in
            self?.latest = types
            self?.settle(isNew: true)
        }
        link?.onReplace = { [weak self] in
            self?.own = nil
            self?.didChange()
        }
        link?.onWanted = { [weak self] type, descriptor in
            guard let data = self?.own?.first(where: { $0.type == type })?.data else { return }
            PipeWriter.write(data, to: descriptor)
        }
    }

    // MARK: Content

    /// The types of the content, as MIME types such as text/plain;charset=utf-8; the best ones come first.
    public var types: [String] { own.map { $0.map(\.type) } ?? offered }

    /// Whether the content is text, or offers it.
    public var hasStrings: Bool { types.contains { Self.textTypes.contains($0) } }

    /// The text; nil when there is none, or this application may not read it. Setting it replaces the content; nil
    /// removes it. Reading another program's text blocks for at most `blockingPatience`.
    public var string: String? {
        get { textType.flatMap { data(forType: $0) }.flatMap { Self.text($0) } }
        set {
            guard let newValue else { return setContent([]) }
            let bytes = [UInt8](newValue.utf8)
            setContent(Self.textTypes.dropLast().map { ($0, bytes) })
        }
    }

    /// Data of one of `types`; nil when there are none of this type, this application may not read them, they have more
    /// than `maximumSize` bytes, or their program writes nothing, or not all within `blockingPatience`.
    public func data(forType type: String) -> [UInt8]? {
        if let own { return own.first { $0.type == type }?.data }
        guard let pipe = request(type) else { return nil }
        return pipe.read(patience: Self.blockingPatience, atMost: Self.blockingPatience)
    }

    /// Replaces the content by data of one type.
    public func setData(_ data: [UInt8], forType type: String) { setContent([(type, data)]) }

    /// Replaces the content by the same thing in several types, the best one first; empty removes it. Data are kept in
    /// memory until something else is copied; other programs read them from there.
    public func setData(_ data: KeyValuePairs<String, [UInt8]>) { setContent(data.map { ($0.key, $0.value) }) }

    private func setContent(_ content: [(type: String, data: [UInt8])]) {
        guard let application else { return }
        own = content.isEmpty ? nil : content
        offered = []
        if let seat { link?.offer(content.map(\.type.forWire), serial: seat.keyboardSerial) }
        unsettled += 1
        let callback = Proxy<WlCallback>(application.connection, version: 1)
        callback.onEvent = { [weak self] _ in
            guard let self else { return }
            self.unsettled -= 1
            self.settle(isNew: false)
        }
        application.connection.display.send(.sync(callback: callback.id))
        didChange()
        application.wake?()
    }

    // MARK: Reading other programs' content

    /// The text, once another program has written it; nil when there is none, this application may not read it, the
    /// program writes nothing, or nothing for `patience` seconds, or the task is cancelled.
    public func loadString(patience: Double = patience) async -> String? {
        guard let type = textType else { return nil }
        return await loadData(forType: type, patience: patience).flatMap { Self.text($0) }
    }

    /// Data of one of `types`, once another program has written them; nil when there are none of this type, this
    /// application may not read them, they have more than `maximumSize` bytes, the program writes nothing, or nothing for
    /// `patience` seconds, or the task is cancelled.
    public func loadData(forType type: String, patience: Double = patience) async -> [UInt8]? {
        if let own { return own.first { $0.type == type }?.data }
        guard let pipe = request(type) else { return nil }
        return await pipe.read(patience: min(max(patience, 0), 86_400))
    }

    private var textType: String? { Self.textTypes.first { types.contains($0) } }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    /// Asks the program that has the content to write it.
    private func request(_ type: String) -> ReadingPipe? {
        guard let application, offered.contains(type), let pipe = ReadingPipe(), let end = pipe.takeWritingEnd() else {
            return nil
        }
        link?.receive(type, end)
        // A failure is thrown by the loop, and the pipe ends.
        try? application.flush()
        return pipe
    }

    // MARK: Events

    /// Calls `body` when the content may have changed.
    @discardableResult
    public func onChange(_ body: @escaping () -> Void) -> Observation { observers.add(body) }

    private func didChange() {
        changeCount += 1
        application?.enqueue { [weak self] in self?.observers.notify(()) }
    }

    private func settle(isNew: Bool) {
        guard unsettled == 0 else { return }
        guard own == nil else {
            // The server offers its own content to an application, too.
            latest = []
            link?.forgetOffer()
            return
        }
        guard latest != offered || (isNew && !latest.isEmpty) else { return }
        offered = latest
        didChange()
    }
}

extension Application {
    /// What was copied; of the first seat (K1).
    public var pasteboard: Pasteboard {
        if let keptPasteboard { return keptPasteboard }
        let pasteboard = makePasteboard(Clipboard.self)
        keptPasteboard = pasteboard
        return pasteboard
    }

    /// What is selected, to be pasted with the middle button; of the first seat (K1).
    public var primaryPasteboard: Pasteboard {
        if let keptPrimaryPasteboard { return keptPrimaryPasteboard }
        let pasteboard = makePasteboard(PrimarySelection.self)
        keptPrimaryPasteboard = pasteboard
        return pasteboard
    }

    /// The pasteboard learns immediately what there is.
    private func makePasteboard<Kind: SelectionProtocol>(_: Kind.Type) -> Pasteboard {
        let seat = firstSeat
        var link: ClientSelection<Kind>?
        if let seat, let manager = globals.bindOptional(Kind.Manager.self) {
            link = ClientSelection<Kind>(manager, seat: seat.proxy)
        }
        let pasteboard = Pasteboard(self, seat, link)
        // A failure is thrown by the loop.
        if failure == nil { try? collect() }
        return pasteboard
    }

    /// The seat that was announced first.
    var firstSeat: Seat? { seats.min { $0.key < $1.key }?.value }
}
