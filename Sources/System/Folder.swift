// Folders of the file system.

import Glibc

package enum Folder {
    /// Creates a folder and its missing parents. Does nothing if it exists.
    /// - Parameter permissions: of each new folder, before the umask.
    /// - Throws: the error of mkdir(2); ENOTDIR if the path exists but is not a folder.
    package static func create(_ path: String, permissions: mode_t) throws(SystemError) {
        if let isFolder = isFolder(path) {
            guard isFolder else { throw SystemError(ENOTDIR) }
            return
        }
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        let start = path.hasPrefix("/") ? "/" : ""
        if !parent.isEmpty { try create(start + parent, permissions: permissions) }
        if unsafe mkdir(path, permissions) == 0 { return }
        guard errno == EEXIST else { throw .last }
        // Another process created it first, or it is a dangling link.
        guard isFolder(path) == true else { throw SystemError(ENOTDIR) }
    }

    /// Nil if the path does not exist.
    private static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFDIR : nil
    }

    /// The names of a folder's entries, in no special order; nil if it cannot be read.
    package static func names(in path: String) -> [String]? {
        guard let folder = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a folder with everything in it, as far as this user may; links are removed, not followed.
    package static func remove(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unsafe unlink(path)
            return
        }
        for name in names(in: path) ?? [] { remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
