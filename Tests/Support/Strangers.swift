// Servers that every user of the machine can connect to.

import FoundationEssentials
import Glibc

public enum Strangers {
    /// A user other than root and the server's own.
    public static let user: uid_t = 65_534

    /// - Parameters:
    ///   - policy: the contents of the section of the configuration.
    ///   - hardship: what a shell does before it becomes the server.
    public static func server(
        _ policy: String = "", _ hardship: String = "", options: [String] = ["--screen", "320x200"]
    ) throws -> ServerProcess {
        let server = try ServerProcess(
            "echo '{ policy: { \(policy) } }' > \"$folder/mullion.json5\"; "
                + "set -- \"$@\" --config \"$folder/mullion.json5\"; \(hardship)",
            options: options)
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
