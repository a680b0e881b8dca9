// Stores the settings of displays while the server runs (S10).

import Displays
import EventLoop
import MullionSystem

/// Loads the settings of displays at the start, and stores them when they change.
public final class ScreenMemoryKeeper {
    /// The delay after a change, in microseconds, to write several changes together.
    private static let delay: UInt64 = 500_000

    private unowned let server: DisplayServer
    private let file: ScreenMemoryFile
    private let worker = Worker()
    private var timer: Timer?

    /// Reads the stored records from `folder`, and stores changes there from now on.
    public init(_ server: DisplayServer, folder: String) {
        self.server = server
        file = ScreenMemoryFile(folder: folder)
        timer = Timer(server.loop) { [unowned self] _, _ in save() }
        if let warning = file.load(into: server.screenMemory) { server.log(.warning, warning) }
        server.screenMemory.onChange = { [unowned self, unowned server] in
            if timer?.isArmed == false { timer?.arm(at: server.loop.now + Self.delay) }
        }
    }

    private func save() {
        let bytes = ScreenMemoryFile.encode(server.screenMemory)
        let done = server.loop.completion(of: String?.self) { [weak server] failure in
            if let failure { server?.log(.warning, "screens are not remembered: \(failure)") }
        }
        worker.perform { [file, generation = file.nextGeneration()] in done(file.write(bytes, generation)) }
    }

    /// Writes pending changes before the server ends; waits for a write in progress.
    public func flush() {
        guard timer?.isArmed == true || file.isBehind else { return }
        timer?.cancel()
        if let failure = file.write(ScreenMemoryFile.encode(server.screenMemory), file.nextGeneration()) {
            server.log(.warning, "screens are not remembered: \(failure)")
        }
    }
}
