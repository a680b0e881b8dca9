// The file of a video, which another program writes.

import Glibc
import MullionControl
import MullionSystem

/// A file that gets its name, and replaces the one that had it, when it is complete.
///
/// Until then it has none, so that nothing of it is left when this program is killed. Where the file system has no such
/// files, it is named FILE.PID.tmp.
final class VideoFile {
    /// The file behind links.
    private let path: String
    private let temporary: String
    /// The file without a name, which the other program inherits as descriptor 3.
    let unnamed: OwnedDescriptor?

    /// - Throws: why it cannot be created.
    init(_ file: String) throws(CommandError) {
        var status = stat()
        let exists = unsafe stat(file, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            throw .refused("\(file) is not a regular file; use another name")
        }
        do throws(SystemError) {
            let path = exists ? try Picture.target(of: file) : file
            self.path = path
            temporary = "\(path).\(getpid()).tmp"
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            let unnamed = unsafe OwnedDescriptor(open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0o666))
            guard unsafe unnamed.rawValue < 0 || access(Self.name(of: unnamed), F_OK) != 0 else {
                self.unnamed = unnamed
                return
            }
            self.unnamed = nil
            let named = unsafe OwnedDescriptor(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
            guard named.rawValue >= 0 else { throw .last }
        } catch {
            throw .refused("\(file): \(error)")
        }
    }

    /// The path to which the other program writes.
    var target: String { unnamed == nil ? temporary : "/proc/self/fd/3" }

    /// Gives it its name. The other program must have ended.
    func save() throws(SystemError) {
        if let unnamed {
            if link(unnamed, to: path) { return }
            guard errno == EEXIST, link(unnamed, to: temporary) else { throw .last }
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = SystemError.last
            unsafe unlink(temporary)
            throw error
        }
    }

    /// Removes what was written.
    func remove() {
        if unnamed == nil { unsafe unlink(temporary) }
    }

    private func link(_ file: OwnedDescriptor, to path: String) -> Bool {
        unsafe linkat(AT_FDCWD, Self.name(of: file), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    private static func name(of file: OwnedDescriptor) -> String { "/proc/self/fd/\(file.rawValue)" }
}
