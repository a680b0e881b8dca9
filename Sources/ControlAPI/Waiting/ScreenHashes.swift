// What the pictures of screens that are watched for stillness have shown.

import Compositor
import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

extension Bitmap {
    /// Equal pictures have equal ones, and others practically never.
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(width)
        unsafe pixels.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        return hasher.finalize()
    }
}

/// Draws screens for all waits together, when they may have changed and only then.
final class ScreenHashes {
    /// What is known of a screen. Times are in microseconds of the server's clock.
    struct Seen {
        fileprivate var hash: Int
        /// `ScreenOutput.pictureNumber` of the last picture.
        fileprivate var number: UInt64
        /// The moment of the last picture.
        fileprivate(set) var time: UInt64
        /// When its pixels changed last, as far as pictures have shown.
        fileprivate(set) var changedAt: UInt64
        /// How many pictures differed from the one before.
        fileprivate(set) var changes = 0
    }

    private let server: DisplayServer
    private let worker: Worker
    private let onChange: () -> Void
    private var seen: [Screen.ID: Seen] = [:]
    private var paces: [Screen.ID: DrawingPace] = [:]

    /// - Parameter onChange: called when there is a new picture, and when one can be drawn.
    init(_ server: DisplayServer, worker: Worker, _ onChange: @escaping () -> Void) {
        self.server = server
        self.worker = worker
        self.onChange = onChange
    }

    /// What the last picture showed; nil before the first one.
    subscript(screen: Screen.ID) -> Seen? { seen[screen] }

    /// Whether the last picture shows what the screen shows now.
    func isCurrent(_ screen: Screen.ID) -> Bool {
        seen[screen].map { $0.number == server.output(of: screen)?.pictureNumber } ?? false
    }

    /// Whether a picture is being drawn, or will be soon.
    func isBusy(_ screen: Screen.ID) -> Bool { paces[screen]?.isBusy ?? false }

    /// Draws the screen, now or soon, unless that is already under way.
    func update(_ screen: Screen.ID) {
        let pace = paces[screen] ?? DrawingPace(server.loop, onChange)
        paces[screen] = pace
        guard pace.begin() else { return }
        var moment = Seen(hash: 0, number: 0, time: 0, changedAt: 0)
        let done = server.loop.completion(of: Int?.self) { [weak self] hash in
            guard let self else { return }
            pace.end()
            moment.hash = hash ?? 0
            if hash != nil { note(moment, of: screen) }
            forgetUnplugged()
            onChange()
        }
        server.captures.capture([screen]) { [server] in
            let (now, output) = (server.clock.now, server.output(of: screen))
            moment.number = output?.pictureNumber ?? 0
            moment.time = now
            // Manual time stands still during a wait: what has passed before counts.
            moment.changedAt = server.clock.mode == .manual ? output?.lastChange ?? now : now
        } _: { [worker] pictures in
            worker.perform { done(pictures.first?.1.contentHash) }
        }
    }

    private func note(_ new: Seen, of screen: Screen.ID) {
        var new = new
        if let old = seen[screen] {
            let isSame = old.hash == new.hash
            new.changes = old.changes + (isSame ? 0 : 1)
            if isSame { new.changedAt = old.changedAt }
        }
        seen[screen] = new
    }

    private func forgetUnplugged() {
        guard seen.count > server.model.screens.count else { return }
        for screen in seen.keys where server.model.screen(screen) == nil { (seen[screen], paces[screen]) = (nil, nil) }
    }
}
