// Content of a Wayland program, put into a property of an X11 program's window.

import EventLoop
import Glibc
import System
import X11

/// One transfer. It ends when the X11 program has everything, and when one of the two programs does nothing for a while.
final class OutgoingJob {
    var onEnd: (() -> Void)?
    private let session: Session
    private let atoms: Atoms
    private let request: XSelectionRequest
    private let property: XAtom
    private let descriptor: OwnedDescriptor
    private var conversion: TextConversion
    private var transfer = OutgoingTransfer()
    private var source: IOSource?
    private var timer: Timer?
    private var hasAnswered = false
    private var isWatching = false

    /// - Returns: the transfer and the end of a pipe for the program that writes; nil when there is no descriptor left.
    static func make(
        _ session: Session, _ atoms: Atoms, _ request: XSelectionRequest, _ property: XAtom,
        _ conversion: TextConversion.Kind
    ) -> (OutgoingJob, OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        let (readEnd, writeEnd) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Only the own end: programs expect a blocking one.
        readEnd.makeNonBlocking()
        let job = OutgoingJob(session, atoms, request, property, readEnd, conversion)
        guard let source = try? IOSource(session.loop, descriptor: readEnd.rawValue) else { return nil }
        job.source = source
        source.onReadable = { [unowned job] in job.read() }
        source.wantsRead = true
        return (job, writeEnd)
    }

    private init(
        _ session: Session, _ atoms: Atoms, _ request: XSelectionRequest, _ property: XAtom,
        _ descriptor: OwnedDescriptor, _ conversion: TextConversion.Kind
    ) {
        self.session = session
        self.atoms = atoms
        self.request = request
        self.property = property
        self.descriptor = descriptor
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
            retryingWhenInterrupted { unsafe Glibc.read(descriptor.rawValue, bytes.baseAddress, bytes.count) }
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
        descriptor.close()
        let onEnd = onEnd
        self.onEnd = nil
        session.loop.runInNextTurn { [self] in
            withExtendedLifetime(self) { onEnd?() }
        }
    }
}
