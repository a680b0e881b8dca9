// Where the memory of displays is kept between two runs of the server (S10).

import EventLoop
import FoundationEssentials
import Glibc
import JSON5
import Synchronization
import System
import WindowModel

/// `screens.json` in the state directory. It is replaced as a whole and never seen half-written; one that cannot be
/// used is set aside with a warning.
public final class ScreenMemoryFile {
    /// Changes that follow each other are written at once, this many microseconds after the first.
    private static let delay: UInt64 = 500_000

    /// Far more than all that is kept, in bytes.
    private static let maximumSize = 16 << 20

    private struct Contents: Codable {
        static let version = 1
        var version: Int
        var screens: [ScreenMemory.Record]
    }

    private let path: String
    private unowned let server: DisplayServer
    private let writer: Writer
    private let worker = Worker()
    private var timer: Timer?

    /// Reads what was kept and keeps what changes from now on, in `folder`, which is made when it is missing.
    public init(_ server: DisplayServer, folder: String) {
        self.server = server
        path = folder + "/screens.json"
        writer = Writer(folder: folder, path: path)
        timer = Timer(server.loop) { [unowned self] _, _ in save() }
        load()
        server.memory.onChange = { [unowned self, unowned server] in
            if timer?.isArmed == false { timer?.arm(at: server.loop.now + Self.delay) }
        }
    }

    private func load() {
        // What is there, even where it leads nowhere.
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        do {
            // Others would never end, or never begin.
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize else {
                throw JSON5.Failure(description: "it is no file of at most \(Self.maximumSize) bytes")
            }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw JSON5.Failure(description: "it cannot be read")
            }
            let contents = try JSONDecoder().decode(Contents.self, from: data)
            guard contents.version == Contents.version else {
                throw JSON5.Failure(description: "it is of version \(contents.version), not \(Contents.version)")
            }
            for record in contents.screens { try record.validate() }
            var names: Set<String> = []
            guard contents.screens.allSatisfy({ names.insert($0.name).inserted }) else {
                throw JSON5.Failure(description: "a name is there twice")
            }
            server.memory.restore(contents.screens.suffix(ScreenMemory.limit))
        } catch {
            let reason = (error as? DecodingError).map(JSON5.explain) ?? "\(error)"
            let aside = path + ".corrupt"
            let moved = unsafe rename(path, aside) == 0 ? "set aside as \(aside)" : "cannot be set aside"
            server.log(.warning, "\(path): \(moved): \(reason)")
        }
    }

    private func save() {
        let bytes = encoded
        let done = server.loop.completion(of: String?.self) { [weak server] failure in
            if let failure { server?.log(.warning, "screens are not remembered: \(failure)") }
        }
        worker.perform { [writer, generation = writer.nextGeneration()] in done(writer.write(bytes, generation)) }
    }

    /// Writes what has not been written yet, before the server ends: what is being written, or could not be, as well.
    public func flush() {
        guard timer?.isArmed == true || writer.isBehind else { return }
        timer?.cancel()
        if let failure = writer.write(encoded, writer.nextGeneration()) {
            server.log(.warning, "screens are not remembered: \(failure)")
        }
    }

    private var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let contents = Contents(version: Contents.version, screens: server.memory.kept)
        return (try? encoder.encode(contents)).map { Array($0) } ?? []
    }
}

/// Replaces the file, from whatever thread; what was given later is never overwritten by what was given before.
private final class Writer: Sendable {
    private let folder: String
    private let path: String
    private let written = Mutex(UInt64(0))
    private let given = Atomic(UInt64(0))

    init(folder: String, path: String) {
        self.folder = folder
        self.path = path
    }

    func nextGeneration() -> UInt64 { given.add(1, ordering: .relaxed).newValue }

    /// Whether something that was given is not in the file; waits for a write under way.
    var isBehind: Bool { written.withLock { $0 < given.load(ordering: .relaxed) } }

    /// Returns why it failed, nil when it did not.
    func write(_ bytes: [UInt8], _ generation: UInt64) -> String? {
        written.withLock { written in
            guard generation > written, !bytes.isEmpty else { return nil }
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                return "\(folder): \(error)"
            }
            do throws(AtomicFile.Failure) {
                try AtomicFile.replace(path, with: bytes, by: path + ".new", permissions: 0o600, syncs: true)
            } catch {
                return "\(error)"
            }
            written = generation
            return nil
        }
    }
}
