// Paths of files, which need not exist.

import Glibc

package enum FilePath {
    /// The same path from the root, without ".", ".." and empty parts. Links are not followed.
    package static func absolute(_ path: String) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "\(currentFolder)/\(path)").split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The file that a path leads to, behind all links; of what does not exist, the links of the folders above it.
    package static func real(_ path: String) -> String {
        if let real = unsafe realpath(path, nil) {
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        let path = absolute(path)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
        return real(String(path[..<slash])) + path[slash...]
    }

    private static var currentFolder: String {
        guard let folder = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder)
    }
}
