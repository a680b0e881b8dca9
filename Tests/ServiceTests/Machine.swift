// A machine for service tests: a throw-away copy of this one, with its own systemd.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Boots copies of this machine and runs scripts in them.
enum Machine {
    /// The package's folder.
    static let package = String(#filePath.dropLast("/Tests/ServiceTests/Machine.swift".count))
    /// The programs as users install them.
    static let binaries = Programs.shipped

    /// Why no copy can be booted here; nil when it can.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "booting a systemd needs root" }
        for program in ["unshare", "/lib/systemd/systemd", "systemctl", "runuser"] {
            let isInstalled = program.hasPrefix("/") ? access(program, X_OK) == 0 : Program.isInstalled(program)
            guard isInstalled else { return "\(program) is not installed" }
        }
        let probe = """
            mount -t tmpfs tmpfs /tmp && mkdir /tmp/u /tmp/w /tmp/r &&
            mount -t overlay -o lowerdir=/,upperdir=/tmp/u,workdir=/tmp/w overlay /tmp/r && mkdir /tmp/g &&
            mount -t cgroup2 cgroup2 /tmp/g
            """
        let words = ["--fork", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--net", "sh", "-c", probe]
        guard let program = try? Program("unshare", words) else { return "unshare cannot be started" }
        let output = program.outputAtEnd()
        return program.exitStatus == 0 ? nil : "an overlay cannot be mounted on this machine: \(output)"
    }()

    /// Whether a copy can be booted; prints once why not.
    static let canBoot: Bool = {
        if let obstacle { print("ServiceTests: the tests on a booted systemd are skipped: \(obstacle)") }
        return obstacle == nil
    }()

    /// Runs a script as root in a copy. Facts are the lines printed with `say NAME VALUE`.
    static func boot(sharing folders: [String] = [], _ script: String) throws -> Transcript {
        let shares = ([package, binaries] + folders).flatMap { ["--share", $0] }
        let all = """
            package='\(package)' binaries='\(binaries)'
            \(prelude)
            \(script)
            """
        return try Transcript("\(package)/Tests/Support/boot-systemd", shares + ["bash", "-c", all])
    }

    private static let prelude = #"""
        cd /
        say() { printf '@%s %s\n' "$1" "${*:2}"; }
        # Waits for a command to be true.
        await() {
            local end=$((SECONDS + 30))
            while [ $SECONDS -lt $end ]; do
                "$@" >/dev/null 2>&1 && return
                read -rt 0.01 <> <(:)
            done
            echo "waited in vain for: $*"
            journalctl --no-pager -n 30
            exit 1
        }
        # Runs a program as another user, with the service's socket.
        as() { runuser -u "$1" -- env -u XDG_RUNTIME_DIR WAYLAND_DISPLAY=/run/mullion/wayland-0 "${@:2}"; }
        property() { systemctl show mullion.service -P "$1"; }
        is() { [ "$(property "$1")" = "$2" ]; }
        journal() { journalctl --no-pager --output=cat --unit=mullion.service; }
        wrote() { journal | grep -q "$1"; }
        """#
}

/// A program's output and exit status.
struct Transcript: CustomStringConvertible {
    let output: String
    let status: Int32

    init(_ program: String, _ words: [String]) throws {
        let program = try Program(program, words)
        output = program.outputAtEnd()
        status = program.exitStatus ?? -1
    }

    /// The values printed for that name.
    subscript(_ name: String) -> [String] {
        output.split(separator: "\n").compactMap { line in
            line.hasPrefix("@\(name) ") ? String(line.dropFirst(name.utf8.count + 2)) : nil
        }
    }

    var description: String { "status \(status)\n\(output)" }
}
