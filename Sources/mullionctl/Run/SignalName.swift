// The names of signals.

import Glibc

enum SignalName {
    /// "SIGSEGV (a segmentation fault)".
    static func text(_ number: Int32) -> String {
        let names: [Int32: String] = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL (an illegal instruction)",
            SIGTRAP: "SIGTRAP (a trap)", SIGABRT: "SIGABRT (it aborted)", SIGBUS: "SIGBUS (a bus error)",
            SIGFPE: "SIGFPE (an arithmetic error)", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV (a segmentation fault)",
            SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGALRM: "SIGALRM", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
            SIGXCPU: "SIGXCPU (too much CPU time)", SIGXFSZ: "SIGXFSZ (a file grew too large)",
            SIGSYS: "SIGSYS (a forbidden system call)",
        ]
        return names[number] ?? "signal \(number)"
    }
}
