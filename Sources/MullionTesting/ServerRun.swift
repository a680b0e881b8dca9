// A private server and its programs: mullionctl run, which ends all of them whatever happens to the test.

import FoundationEssentials
import Glibc
import MullionSystem
import Synchronization

/// `mullionctl run` with a shell as its command, which starts the programs.
///
/// The shell reads its script from standard input, line by line. When that ends, because the test has ended or its process
/// was killed, the shell ends, and `run` ends everything.
final class ServerRun: Sendable {
    /// What is known of the shell's programs, by number, from the lines that it writes. The shell itself is number 0.
    struct State: Sendable {
        /// `program 1 pid 4711`
        var pids: [Int: pid_t] = [:]
        /// `program 1 missing folder`: why it was not started.
        var missing: [Int: Missing] = [:]
        /// `program 1 ended 0`; 128 + the number of the signal that ended it.
        var ends: [Int: Int32] = [:]
        /// Of `mullionctl run`.
        var outcome: Subprocess.Outcome?
    }

    /// Why a program was not started.
    enum Missing: String {
        /// No program of this name is in PATH.
        case program
        /// There is no file of this path.
        case file
        /// The file is a folder or may not be executed.
        case permission
        /// The working directory cannot be entered.
        case folder
    }

    /// The path of mullionctl.
    let program: String
    private let process: Subprocess
    /// What is known of the programs.
    let state = Watched(State())
    private let variables = Mutex<[String: String]>([:])

    /// The loop of the shell; a line break is the only character that a line cannot have. `run` sends SIGTERM when the
    /// server has ended; the folder for the report, $1, exists only after a failure.
    private static let script = """
        nl=$(printf '\\nx'); nl=${nl%x}; status=1
        keep() { mkdir -p "$1"; cp "$XDG_RUNTIME_DIR"/program-*.txt "$1" 2>/dev/null; }
        trap 'keep "$1"; exit 1' TERM
        echo "program 0 pid $$"
        exec 3>&1
        while IFS= read -r line; do eval "$line"; done
        exit $status
        """

    private init(program: String, _ options: [String], artifacts: String) throws {
        self.program = program
        process = try Subprocess([program, "run"] + options + ["--", "sh", "-c", Self.script, "sh", artifacts])
    }

    /// Starts a server, and waits until it is ready.
    /// - Parameters:
    ///   - options: of `mullionctl run`.
    ///   - program: the path of mullionctl, if it is known.
    ///   - artifacts: the folder for what is kept after a failure.
    /// - Throws: `MullionError` when mullionctl or the server cannot be started.
    static func start(_ options: [String], _ program: String?, artifacts: String) async throws -> ServerRun {
        let program = program ?? ProcessInfo.processInfo.environment["MULLIONCTL"] ?? "mullionctl"
        let run: ServerRun
        do {
            run = try ServerRun(program: program, options, artifacts: artifacts)
        } catch let error as MullionError {
            throw MullionError(
                "\(error.text); install Mullion, or set MULLIONCTL to the path of its program mullionctl")
        }
        let isRead = DetachedThread.start { [run] in
            let outcome = run.process.read { run.note($0) }
            run.state.change { $0.outcome = outcome }
        }
        // Reading on this thread would last as long as the server. Without input, it ends.
        guard isRead else { throw MullionError("the server cannot be started: the system has no more threads") }
        _ = await run.state.wait { state in state.pids[0] != nil || state.outcome != nil ? true : nil }
        guard let environment = run.environment else {
            let outcome = await run.state.wait { $0.outcome }
            throw MullionError("the server did not start: \(plain(outcome?.errors ?? ""))")
        }
        run.variables.withLock { $0 = environment }
        return run
    }

    /// The environment of the shell; nil when it has ended.
    private var environment: [String: String]? {
        guard let pid = state.now.pids[0], let bytes = try? DescriptorIO.contents(ofFile: "/proc/\(pid)/environ")
        else { return nil }
        return ChildProcess.variables(bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    /// The value of a variable that programs have.
    func variable(_ name: String) -> String? {
        variables.withLock { $0[name] }
    }

    /// The file with what a program has written.
    func outputFile(_ number: Int) -> String { "\(variable("XDG_RUNTIME_DIR") ?? "")/program-\(number).txt" }

    // MARK: Commands

    /// Runs a command of mullionctl.
    /// - Parameters:
    ///   - number: the program whose failure makes the command pointless, so that it ends too.
    ///   - isNoted: whether its failure is a finding of the report.
    func command(_ words: [String], while number: Int? = nil, isNoted: Bool = true) async throws -> Subprocess.Outcome {
        var environment = variables.withLock { $0 }
        if !isNoted { environment["MULLION_NOTES"] = nil }
        let command = try Subprocess([program] + words, environment: environment)
        guard let number else { return await command.outcome() }
        return await state.during(
            command.outcome, when: { $0.ends[number, default: 0] != 0 }, { command.send(SIGTERM) })
    }

    // MARK: Programs

    /// Starts a program; its number is new.
    func start(_ number: Int, _ words: [String], environment: [String: String], folder: String) {
        let variables = environment.map { Self.quoted("\($0.key)=\($0.value)") }.joined(separator: " ")
        let arguments = ([folder] + words).map(Self.quoted).joined(separator: " ")
        let output = Self.quoted(outputFile(number))
        // In a session of its own, so that it can be sent signals with all that it has started.
        process.write(
            "{ setsid env \(variables) sh -c \(Self.quoted(Self.starter(number))) \(output) \(arguments) "
                + "</dev/null 2>/dev/null; echo \"program \(number) ended $?\"; } &\n")
    }

    /// The script that becomes a program. $0 is the file for its output, $1 its folder, and its words follow.
    private static func starter(_ number: Int) -> String {
        // `command -v` would find the shell's own commands too, and files that may not be executed.
        """
        missing() { echo "program \(number) missing $1" >&3; exit 127; }
        cd "$1" || missing folder
        shift
        case $1 in
        */*)
            [ -e "$1" ] || missing file
            [ -f "$1" ] && [ -x "$1" ] || missing permission;;
        *)
            (
                set -f; IFS=:
                for folder in $PATH; do [ -f "${folder:-.}/$1" ] && [ -x "${folder:-.}/$1" ] && exit; done
                exit 1
            ) || missing program;;
        esac
        echo "program \(number) pid $$" >&3
        exec "$@" 3>&- >"$0" 2>&1
        """
    }

    /// Ends all programs and the server, and waits for that.
    /// - Parameter failure: why the test has failed, for the report; nil: it has passed, and nothing is kept.
    /// - Returns: what went wrong besides; nil: nothing.
    func end(failure: String?) async -> String? {
        if let failure {
            // Programs run on, so that the last pictures of the report show what the test saw.
            process.write("keep \"$1\"; printf '%s\\n' \(Self.quoted(failure)) >&2\n")
        } else {
            let state = state.now
            for (number, pid) in state.pids where number > 0 && state.ends[number] == nil { kill(-pid, SIGTERM) }
            process.write("status=0\n")
        }
        process.closeInput()
        // It ends programs that ignore SIGTERM after five seconds, so this is for a machine in trouble.
        guard let outcome = await state.wait(.seconds(60), { $0.outcome }) else {
            process.send(SIGKILL)
            return "the server and its programs did not end within 60 seconds, and were killed"
        }
        switch outcome.status {
        case 0: return nil
        // As the shell was asked to.
        case 1 where failure != nil: return nil
        case 125: return "the server ended before the test; its log is mulliond.log"
        default: return "mullionctl run ended with \(outcome.status): \(plain(outcome.errors))"
        }
    }

    /// As a word of the shell's.
    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''").replacing("\n", with: "'\"$nl\"'"))'"
    }

    private func note(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count >= 4, words[0] == "program", let number = Int(words[1]) else { return }
        let value = Int32(words[3])
        state.change { state in
            switch words[2] {
            case "pid": state.pids[number] = value
            case "missing": state.missing[number] = Missing(rawValue: String(words[3]))
            case "ended": state.ends[number] = value
            default: break
            }
        }
    }
}

/// What mullionctl says, without its name.
func plain(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { line in
        String(line.hasPrefix("mullionctl: ") ? line.dropFirst("mullionctl: ".count) : line)
    }
    return lines.joined(separator: "\n")
}
