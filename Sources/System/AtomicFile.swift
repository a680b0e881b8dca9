// Replaces files atomically.

import Glibc

/// Replaces files so that a reader gets either the old or the new contents, even if the process or the machine stops.
package enum AtomicFile {
    /// Writes the bytes to `temporary`, which must be on the same file system, and renames it to `path`. If a step
    /// fails, `path` stays as it was and `temporary` is removed.
    /// - Parameters:
    ///   - exclusively: fail when `temporary` exists, instead of overwriting it.
    ///   - permissions: of the new file, before the umask.
    ///   - syncs: wait until the bytes are on the disk before renaming.
    package static func replace(
        _ path: String, with bytes: [UInt8], by temporary: String, exclusively: Bool = false, permissions: mode_t,
        syncs: Bool
    ) throws(AtomicFileError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (exclusively ? O_EXCL : O_TRUNC)
        let descriptor = retryingWhenInterrupted { unsafe open(temporary, flags, permissions) }
        guard descriptor >= 0 else {
            let error = SystemError.last
            // Something else is there, a link for example: the next attempt can succeed.
            if !exclusively { unsafe unlink(temporary) }
            throw AtomicFileError(path: temporary, error: error)
        }
        do throws(SystemError) {
            do throws(SystemError) {
                try DescriptorIO.write(bytes, to: descriptor)
                if syncs, retryingWhenInterrupted({ fsync(descriptor) }) != 0 { throw .last }
            } catch {
                close(descriptor)
                throw error
            }
            guard close(descriptor) == 0 else { throw .last }
        } catch {
            unsafe unlink(temporary)
            throw AtomicFileError(path: temporary, error: error)
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = SystemError.last
            unsafe unlink(temporary)
            throw AtomicFileError(path: path, error: error)
        }
    }
}

/// The step that failed, and why.
package struct AtomicFileError: Error, CustomStringConvertible {
    /// The file of that step: the one to be replaced, or the temporary one.
    package let path: String
    package let error: SystemError

    package var description: String { "\(path): \(error)" }
}
