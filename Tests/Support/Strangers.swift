// Servers that every user of the machine can connect to.

import FoundationEssentials
import Glibc

public enum Strangers {
    /// A user other than root and the server's own.
    public static let user: uid_t = 65_534
    /// Another one.
    public static let other: uid_t = 65_533

    /// - Parameters:
    ///   - policy: the contents of the section of the configuration.
    ///   - hardship: what a shell does before it becomes the server.
    public static func server(_ policy: String = "", _ hardship: String = "") throws -> ServerProcess {
        let server = try ServerProcess(
            "echo '{ policy: { \(policy) } }' > \"$folder/mullion.json5\"; "
                + "set -- \"$@\" --config \"$folder/mullion.json5\"; \(hardship)",
            options: ["--screen", "320x200"])
        let modes = [
            (try server.fixture.runtimeDirectory(), 0o711), (server.folder, 0o711),
            (server.folder + "/socket", 0o777), (server.folder + "/control", 0o777),
        ]
        for (path, mode) in modes {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return server
    }
}
