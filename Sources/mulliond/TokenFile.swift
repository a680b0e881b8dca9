// Where the token of the control API is for those who may read it.

import Glibc

/// The token's file: its owner's alone, there while the server runs.
final class TokenFile {
    let path: String
    /// Which file it is: another server may have put its own there. It is open for as long, so that no other file gets
    /// its number.
    private var file = stat()
    private let descriptor: Int32

    /// Writes the token beside its place and moves it there, so that nobody reads a part of it, and what was there
    /// before, a link too, is left alone.
    init(_ path: String, token: String) throws(Daemon.Failure) {
        self.path = path
        var template = Array((path + ".XXXXXX").utf8CString)
        // 0600 from the beginning, whatever the umask.
        let descriptor = mkstemp(&template)
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw Self.failure(path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let line = Array((token + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count, fstat(descriptor, &file) == 0,
            rename(template, path) == 0
        else {
            let failure = Self.failure(path)
            unlink(template)
            throw failure
        }
    }

    deinit { close(descriptor) }

    /// Removes it, unless another server's is there by now.
    func remove() {
        var present = stat()
        guard lstat(path, &present) == 0, present.st_ino == file.st_ino, present.st_dev == file.st_dev else { return }
        unlink(path)
    }

    private static func failure(_ path: String) -> Daemon.Failure {
        Daemon.Failure(description: "the token cannot be written to \(path): \(String(cString: strerror(errno)))")
    }
}
