// The two processes of mullionctl run.

import CMullionLinux
import Glibc
import MullionControl
import MullionSystem

/// A child process that starts the server and the command, and ends them.
///
/// The kernel makes it the parent of their orphans, so that it finds them all. It is notified when `run` itself is killed,
/// and ends everything then. When the child is killed, its descendants become those of `run`, which ends them.
struct Keeper {
    /// Milliseconds for programs to end by themselves, in general and when `run` was killed.
    static let (patience, shortPatience) = (5000, 500)

    /// The process that was started as `run`.
    private let run: pid_t

    /// Whether `run` was killed.
    var isAlone: Bool { getppid() != run }

    /// How long programs have to end by themselves, in milliseconds.
    var patience: Int { isAlone ? Self.shortPatience : Self.patience }

    /// Notifies `run` which process decides about the terminal's signals, if it is in the foreground; 0: none any more.
    func follow(_ command: pid_t) {
        if !isAlone { unsafe sigqueue(run, BlockedSignals.commandChanged, sigval(sival_int: command)) }
    }

    /// Runs `body` in the child; passes signals on to it, and returns its exit status.
    /// - Parameter folder: is removed at the end; nil: there is none.
    static func start(
        folder: String?, _ signals: BlockedSignals, _ body: (Keeper) -> Int32
    ) throws(CommandError) -> Int32 {
        let keeper = Keeper(run: getpid())
        _ = linux_adopt_orphans()
        let id = linux_fork()
        guard id >= 0 else {
            let reason = Terminal.reason
            remove(folder)
            throw .refused("no process can be started: \(reason)")
        }
        if id == 0 { Terminal.exit(keeper.work(folder, body)) }
        return wait(for: Process(id: id), folder, signals)
    }

    private func work(_ folder: String?, _ body: (Keeper) -> Int32) -> Int32 {
        // It survives when the whole group is killed.
        setpgid(0, 0)
        unsafe linux_set_process_name("mullion-run")
        _ = linux_adopt_orphans()
        _ = linux_signal_when_parent_ends(BlockedSignals.parentEnded)
        let status = isAlone ? 1 : body(self)
        // What helpers have started, such as D-Bus services.
        ProcessTree().end(patience: Self.shortPatience, reap: Process.reapAll)
        if isAlone { Self.remove(folder) }
        return status
    }

    private static func wait(for child: Process, _ folder: String?, _ signals: BlockedSignals) -> Int32 {
        while true {
            if let status = child.ended() {
                // Only a killed keeper leaves any; an X server has files outside of the folder to remove.
                ProcessTree().end(patience: shortPatience, reap: Process.reapAll)
                remove(folder)
                return status
            }
            if Process.isFirst { Process.reapOrphans(but: [child]) }
            if let signal = signals.next() { child.send(signal) }
        }
    }

    private static func remove(_ folder: String?) {
        if let folder { MullionSystem.Folder.remove(folder) }
    }
}
