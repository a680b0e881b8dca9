// The file with the control API's token.

import Glibc
import MullionSystem

/// The token file: readable by its owner, and optionally by a group. Exists while the server runs.
final class TokenFile {
    let path: String
    /// Identifies the file, because another server may have replaced it. It stays open, so that its inode number is not
    /// reused.
    private var file = stat()
    private let descriptor: Int32

    /// Writes the token to a temporary file and renames it, so that no reader sees a partial file, and an existing file
    /// or link is replaced, not written to.
    init(_ path: String, token: String, group: gid_t?) throws(DaemonError) {
        self.path = path
        try Self.check(group: group)
        var template = Array((path + ".XXXXXX").utf8CString)
        // The mode is 0600 from the start, whatever the umask.
        let descriptor = unsafe mkstemp(&template)
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw Self.failure(path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let line = Array((token + "\n").utf8)
        guard (try? DescriptorIO.write(line, to: descriptor)) != nil,
            group.map({ fchown(descriptor, .max, $0) == 0 && fchmod(descriptor, 0o640) == 0 }) ?? true,
            unsafe fstat(descriptor, &file) == 0, unsafe rename(template, path) == 0
        else {
            let failure = Self.failure(path)
            unsafe unlink(template)
            throw failure
        }
    }

    deinit { close(descriptor) }

    /// Checks what can be checked without leaving anything behind.
    static func check(_ path: String?, group: gid_t?) throws(DaemonError) {
        try check(group: group)
        guard let path else { return }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        if descriptor >= 0 {
            unsafe unlink(template)
            close(descriptor)
        } else if errno != ENOENT || Places.service != nil {
            // The service's folder may not exist outside the service.
            throw failure(path)
        }
    }

    /// - Throws: when this process may not change a file's group to this one.
    private static func check(group: gid_t?) throws(DaemonError) {
        guard let group, geteuid() != 0, group != getegid() else { return }
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = unsafe Int(max(0, getgroups(Int32(groups.count), &groups)))
        guard groups.prefix(count).contains(group) else {
            let name = unsafe getgrgid(group).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(group)"
            let user = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
            throw DaemonError(
                description: "http.tokenGroup: \(user) is not in the group \(name) and cannot give it a file; "
                    + "usermod -aG \(name) \(user), and restart")
        }
    }

    /// Removes the file, unless another server has replaced it.
    func remove() {
        var present = stat()
        guard unsafe lstat(path, &present) == 0, present.st_ino == file.st_ino, present.st_dev == file.st_dev else {
            return
        }
        unsafe unlink(path)
    }

    private static func failure(_ path: String) -> DaemonError {
        DaemonError(
            description: "the token cannot be written to \(path): \(SystemError.last)")
    }
}
