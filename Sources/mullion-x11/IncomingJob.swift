// Content of an X11 program, written to a Wayland program.

import EventLoop
import Glibc
import MullionSystem
import X11

/// One transfer. It ends when everything is written, when one of the two programs goes away, and when one of them does
/// nothing for a while.
final class IncomingJob {
    /// How long either program may do nothing, in microseconds.
    static let patience: UInt64 = 10_000_000

    /// The window whose property receives the content.
    let window: XWindowID
    var onEnd: (() -> Void)?
    private let session: Session
    private let atoms: Atoms
    private let relay: Relay
    private var conversion: TextConversion
    private var transfer = IncomingTransfer()
    private var source: IOSource?
    private var rest: ArraySlice<UInt8> = []
    private var timer: Timer?

    init?(_ session: Session, _ atoms: Atoms, _ descriptor: OwnedDescriptor, _ conversion: TextConversion.Kind) {
        self.session = session
        self.atoms = atoms
        self.conversion = TextConversion(conversion)
        let relay = Relay.writing(to: descriptor, patience: UInt32(Self.patience / 1_000_000))
        guard let relay, let source = try? IOSource(session.loop, descriptor: relay.socket.rawValue) else { return nil }
        self.relay = relay
        self.source = source
        window = session.x.createHelperWindow()
        source.onWritable = { [unowned self] in write() }
        timer = Timer(session.loop) { [unowned self] _, _ in giveUp() }
        wait()
    }

    deinit { session.x.destroy(window) }

    func answered(hasProperty: Bool) { perform(transfer.answered(hasProperty: hasProperty)) }

    func propertyChanged() { perform(transfer.propertyChanged()) }

    private func wait() { timer?.arm(at: session.loop.now + Self.patience) }

    private func perform(_ action: IncomingTransfer.Action) {
        switch action {
        case .wait: break
        case .read(let offset):
            wait()
            session.x.property(
                window, atoms[.ownTransfer], offset: offset, limit: IncomingTransfer.pieceWords, deletes: true
            ) { [weak self] value in
                guard let self, source != nil else { return }
                perform(transfer.didRead(value, isINCR: value?.type == atoms[.incr]))
            }
        case .write(let bytes):
            rest = conversion.convert(bytes)[...]
            write()
        case .finish: end()
        }
    }

    private func write() {
        guard let source else { return }
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                retryingWhenInterrupted { unsafe Glibc.write(relay.socket.rawValue, bytes.baseAddress, bytes.count) }
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard count < 0, errno == EAGAIN else { return giveUp() }
            source.wantsWrite = true
            return wait()
        }
        source.wantsWrite = false
        perform(transfer.written())
    }

    func giveUp() {
        relay.process.end()
        end()
    }

    /// The relay delivers what was written so far.
    private func end() {
        guard source != nil else { return }
        source?.cancel()
        source = nil
        timer = nil
        relay.socket.close()
        // The last reference may be the caller's.
        let onEnd = onEnd
        self.onEnd = nil
        session.loop.runInNextTurn { [self] in
            withExtendedLifetime(self) { onEnd?() }
        }
    }
}
