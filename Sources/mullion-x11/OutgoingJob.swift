// Content of a Wayland program, put into a property of an X11 program's window.

import EventLoop
import Glibc
import MullionSystem
import X11

/// One transfer. It ends when the X11 program has everything, and when one of the two programs does nothing for a while.
final class OutgoingJob {
    var onEnd: (() -> Void)?
    private let session: Session
    private let atoms: Atoms
    private let request: XSelectionRequest
    private let property: XAtom
    private let relay: Relay
    private var conversion: TextConversion
    private var transfer = OutgoingTransfer()
    private var source: IOSource?
    private var timer: Timer?
    private var hasAnswered = false
    private var isWatching = false

    /// - Returns: the transfer and the end of a pipe for the program that writes; nil when the system has no room.
    static func make(
        _ session: Session, _ atoms: Atoms, _ request: XSelectionRequest, _ property: XAtom,
        _ conversion: TextConversion.Kind
    ) -> (OutgoingJob, OwnedDescriptor)? {
        guard let (relay, end) = Relay.reading() else { return nil }
        let job = OutgoingJob(session, atoms, request, property, relay, conversion)
        guard let source = try? IOSource(session.loop, descriptor: relay.socket.rawValue) else { return nil }
        job.source = source
        source.onReadable = { [unowned job] in job.read() }
        source.wantsRead = true
        return (job, end)
    }

    private init(
        _ session: Session, _ atoms: Atoms, _ request: XSelectionRequest, _ property: XAtom,
        _ relay: Relay, _ conversion: TextConversion.Kind
    ) {
        self.session = session
        self.atoms = atoms
        self.request = request
        self.property = property
        self.relay = relay
        self.conversion = TextConversion(conversion)
        timer = Timer(session.loop) { [unowned self] _, _ in end() }
        wait()
    }

    func propertyDeleted(_ window: XWindowID, _ atom: XAtom) {
        guard window == request.requestor, atom == property, source != nil else { return }
        perform(transfer.propertyDeleted())
    }

    func requestorEnded(_ window: XWindowID) {
        if window == request.requestor { end() }
    }

    private func wait() { timer?.arm(at: session.loop.now + IncomingJob.patience) }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: OutgoingTransfer.piece)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            retryingWhenInterrupted { unsafe Glibc.read(relay.socket.rawValue, bytes.baseAddress, bytes.count) }
        }
        if count > 0 {
            perform(transfer.add(conversion.convert(Array(bytes[..<count]))))
        } else if count == 0 {
            perform(transfer.end())
        } else if errno != EAGAIN {
            end()
        }
    }

    private func perform(_ action: OutgoingTransfer.Action?) {
        let x = session.x
        switch action {
        case .answer(let bytes):
            put(bytes)
            x.answer(request, property: property)
            hasAnswered = true
            return end()
        case .announce(let size):
            session.watch(request.requestor)
            isWatching = true
            x.setProperty(request.requestor, property, type: atoms[.incr], [UInt32(clamping: size)])
            x.answer(request, property: property)
            hasAnswered = true
        case .put(let bytes): put(bytes)
        case .finish: return end()
        case nil: break
        }
        source?.wantsRead = transfer.wantsInput
        wait()
    }

    private func put(_ bytes: [UInt8]) {
        session.x.setProperty(request.requestor, property, type: request.target, format: 8, bytes)
    }

    private func end() {
        guard source != nil else { return }
        if !hasAnswered { session.x.answer(request, property: .none) }
        if isWatching { session.unwatch(request.requestor) }
        source?.cancel()
        source = nil
        timer = nil
        relay.process.end()
        relay.socket.close()
        let onEnd = onEnd
        self.onEnd = nil
        session.loop.runInNextTurn { [self] in
            withExtendedLifetime(self) { onEnd?() }
        }
    }
}
