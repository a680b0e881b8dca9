// Folders for files that this program writes.

import Glibc
import MullionControl
import MullionSystem

/// Makes folders; those that exist stay as they are.
enum Folder {
    /// Makes a folder, with those above it.
    static func make(_ path: String) throws(CommandError) {
        do throws(SystemError) {
            try MullionSystem.Folder.create(path, permissions: 0o777)
        } catch {
            throw .refused("\(path): cannot create the folder: \(error)")
        }
    }

    /// Makes a folder that only this user may use; those above it are as usual.
    static func makePrivate(_ path: String) throws(CommandError) {
        let above = self.above(path)
        if unsafe access(above, F_OK) != 0 { try make(above) }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .refused("\(path): \(Terminal.reason)") }
    }

    /// Checks that a folder can be made, or that files can be made in it, before the work whose results it is to contain.
    static func check(_ path: String) throws(CommandError) {
        var place = path
        while unsafe access(place, F_OK) != 0, errno == ENOENT { place = above(place) }
        guard unsafe access(place + "/", W_OK) == 0 else { throw .refused("\(path): \(Terminal.reason)") }
    }

    /// The folder that a file or folder is in.
    static func above(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }
}
