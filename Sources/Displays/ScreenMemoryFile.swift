// Stores the settings of displays between runs of the server (S10).

import Glibc
import JSON5
import MullionSystem
import Synchronization

/// `screens.json` in the state directory. It is replaced atomically; an unusable one is set aside.
package final class ScreenMemoryFile: Sendable {
    private let folder: String
    private let path: String
    private let written = Mutex(UInt64(0))
    private let given = Atomic(UInt64(0))

    /// - Parameter folder: created when the file is first written.
    package init(folder: String) {
        self.folder = folder
        path = folder + "/screens.json"
    }

    /// Reads the stored records into `memory`, which stays as it is when there is no file.
    /// - Returns: a warning when the file cannot be used.
    package func load(into memory: ScreenMemory) -> String? {
        // The entry itself, even if it is a dangling link.
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        do {
            guard status.st_mode & S_IFMT != S_IFLNK else { throw JSON5Error(description: "it is a link") }
            try memory.restore(NamedFile.contents(of: path, atMost: JSON5.mostBytes))
            return nil
        } catch {
            let aside = path + ".corrupt"
            let moved = unsafe rename(path, aside) == 0 ? "set aside as \(aside)" : "cannot be set aside"
            return "\(path): \(moved): \(error)"
        }
    }

    /// The contents of the file for the records to store.
    package static func encode(_ memory: ScreenMemory) -> [UInt8] {
        let contents = ScreenMemory.Contents(screens: memory.kept)
        return (try? JSONWriter.encode(contents, end: "\n")).map(JSONText.indented) ?? []
    }

    /// The next generation; older contents never overwrite newer ones.
    package func nextGeneration() -> UInt64 { given.add(1, ordering: .relaxed).newValue }

    /// Whether there are contents that are not in the file; waits for a write in progress.
    package var isBehind: Bool { written.withLock { $0 < given.load(ordering: .relaxed) } }

    /// Replaces the file. May be called from any thread.
    /// - Returns: the reason of a failure, or nil.
    package func write(_ bytes: [UInt8], _ generation: UInt64) -> String? {
        written.withLock { written in
            guard generation > written, !bytes.isEmpty else { return nil }
            do throws(SystemError) {
                try Folder.create(folder, permissions: 0o700)
            } catch {
                return "\(folder): \(error)"
            }
            do throws(AtomicFileError) {
                try AtomicFile.replace(path, with: bytes, by: path + ".new", permissions: 0o600, syncs: true)
            } catch {
                return "\(error)"
            }
            written = generation
            return nil
        }
    }
}

extension ScreenMemory {
    /// Records as they are stored and handed over.
    fileprivate struct Contents: Codable {
        static let version = 1
        var version = Self.version
        var screens: [Record]
        /// The names of those that are from the configuration; nil in the file, which omits them.
        var configured: [String]?
    }

    /// Everything, for a server that takes over, whether there is a file or not.
    package var state: [UInt8] {
        (try? JSONWriter.encode(Contents(screens: records, configured: configured.sorted()))) ?? []
    }

    /// Adds stored or handed-over records to those that are known already, which are newer.
    /// - Throws: why they cannot be used; then nothing is added.
    package func restore(_ bytes: [UInt8]) throws {
        let contents = try JSON5Document(bytes, .json).decode(Contents.self)
        guard contents.version == Contents.version else {
            throw JSON5Error(description: "its version is \(contents.version), not \(Contents.version)")
        }
        for record in contents.screens { try record.validate() }
        var names: Set<String> = []
        guard contents.screens.allSatisfy({ names.insert($0.name).inserted }) else {
            throw JSON5Error(description: "two screens have the same name")
        }
        restore(contents.screens, configured: contents.configured ?? [])
    }
}
