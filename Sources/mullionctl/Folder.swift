// Folders for files that this program writes.

import FoundationEssentials
import Glibc

/// Makes folders; those that exist stay as they are.
enum Folder {
    /// Makes a folder, with those above it.
    static func make(_ path: String) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .refused("\(path): cannot create the folder: \(Terminal.reason)")
        }
    }

    /// Makes a folder that only this user may use, in one that exists.
    static func makePrivate(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .refused("\(path): \(Terminal.reason)") }
    }
}
