// A program that a scenario starts.

import Glibc
import MullionControl
import MullionSystem
import MullionWayland
import Synchronization

/// A started program. What it writes is passed on to standard error, after its name.
final class ScenarioProgram {
    let name: String
    let process: Process
    private let output: ProgramOutput
    /// How it has ended; nil: it runs.
    private(set) var ending: Process.Ending?
    /// The signals that it received from here.
    private var signals: Set<Int32> = []

    /// - Throws: why it cannot be started.
    init(_ start: ScenarioStart, environment: [String: String]) throws(ScenarioFailure) {
        name = start.name
        func failure(_ reason: String) -> ScenarioFailure {
            ScenarioFailure(
                place: "program \(start.name)", expected: "to start", seen: "\(start.command[0]): \(reason)")
        }
        let pipe: Pipe
        do throws(CommandError) { pipe = try Pipe() } catch { throw failure(error.message ?? "") }
        do throws(SystemError) {
            defer { pipe.closeWriteEnd() }
            process = try Process(
                ChildProcess(
                    start.command, environment: environment, descriptors: [1: pipe.writeEnd, 2: pipe.writeEnd],
                    hasEmptyInput: true, group: 0, directory: start.directory))
        } catch {
            close(pipe.readEnd)
            let isFolderMissing = start.directory.map { unsafe access($0, X_OK) != 0 } ?? false
            throw failure(
                isFolderMissing ? "its directory \(start.directory ?? "") cannot be entered" : error.description)
        }
        output = ProgramOutput(name: name, pipe.readEnd)
    }

    /// Looks whether it has ended.
    /// - Returns: whether it has.
    @discardableResult
    func reap() -> Bool {
        if ending == nil { ending = process.ending() }
        return ending != nil
    }

    /// Signals it and what it has started, unless those have left its process group.
    func send(_ signal: Int32) {
        signals.insert(signal)
        kill(-process.id, signal)
        // A stopped process would not receive it.
        if signal == SIGTERM { kill(-process.id, SIGCONT) }
    }

    /// Why it has crashed; nil: it has not. It may end by the signals that it received from here.
    var crash: ScenarioFailure? {
        guard case .killed(let signal)? = ending, !signals.contains(signal) else { return nil }
        return failure(expected: "to run")
    }

    /// How it has ended, with its last messages.
    func failure(expected: String) -> ScenarioFailure {
        output.waitForEnd()
        var seen = ""
        switch ending {
        case .killed(let signal)?:
            seen = "ended by \(SignalName.text(signal))"
        case .exited(let status)?: seen = "ended with exit status \(status)"
        case nil: seen = "it runs"
        }
        let lines = output.lastLines
        return ScenarioFailure(
            place: "program \(name)", expected: expected,
            seen: seen + (lines.isEmpty ? "" : "; its last messages: " + lines.joined(separator: " | ")))
    }

    /// Waits until everything that it wrote was passed on, at most a moment: what it has started may live on.
    func flush() { output.waitForEnd() }
}

/// Passes a program's output on, line by line, and keeps the last lines.
private final class ProgramOutput: Sendable {
    /// Longer lines are broken.
    private static let maximumLine = 4096
    private static let kept = 8

    private let name: String
    private let last = Mutex<[String]>([])
    private let done: Pipe?

    /// - Parameter descriptor: the read end of a pipe, which is closed at its end.
    init(name: String, _ descriptor: Int32) {
        self.name = name
        let done = try? Pipe()
        self.done = done
        let isRunning = DetachedThread.start { [self] in
            pass(descriptor)
            close(descriptor)
            done?.closeWriteEnd()
        }
        if !isRunning {
            close(descriptor)
            done?.closeWriteEnd()
        }
    }

    deinit {
        if let done { close(done.readEnd) }
    }

    var lastLines: [String] { last.withLock { $0 } }

    func waitForEnd() { _ = done?.waitForEnd(milliseconds: 200) }

    private func pass(_ descriptor: Int32) {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe read(descriptor, chunk.baseAddress, chunk.count) }
            }
            guard count > 0 else { break }
            for byte in chunk[..<count] {
                if byte != UInt8(ascii: "\n") { line.append(byte) }
                guard byte == UInt8(ascii: "\n") || line.count >= Self.maximumLine else { continue }
                write(line)
                line.removeAll(keepingCapacity: true)
            }
        }
        if !line.isEmpty { write(line) }
    }

    private func write(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).printable()
        last.withLock { lines in
            if text.contains(where: { !$0.isWhitespace }) { lines.append(text) }
            if lines.count > Self.kept { lines.removeFirst() }
        }
        Terminal.error("\(name): \(text)")
    }
}
