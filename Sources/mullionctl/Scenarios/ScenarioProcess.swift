// A scenario in a process of its own.

import Glibc
import JSON5
import MullionControl
import MullionSystem

/// A mullionctl that runs one scenario, with all that it reports.
final class ScenarioProcess {
    /// How many bytes are kept of what it writes to standard error: the end.
    private static let mostErrors = 128 << 10

    let index: Int
    let scenario: SelectedScenario
    let process: Process
    /// How many steps are done, of how many; none before the first report.
    private(set) var progress: (done: Int, steps: Int) = (0, 0)
    private let start = ContinuousClock.now
    /// Where it reports, and where its messages and the output of its programs go.
    private let (output, errors): (OwnedDescriptor, OwnedDescriptor)
    private var (isOutputOpen, isErrorOpen) = (true, true)
    private var line: [UInt8] = []
    private var errorText: [UInt8] = []
    private var failure = JSON.null

    /// - Parameter words: the arguments of mullionctl.
    init(
        _ index: Int, _ scenario: SelectedScenario, _ words: [String], environment: [String: String]
    ) throws(CommandError) {
        (self.index, self.scenario) = (index, scenario)
        let (output, errors) = (try Pipe(), try Pipe())
        self.output = OwnedDescriptor(output.readEnd)
        self.errors = OwnedDescriptor(errors.readEnd)
        defer {
            output.closeWriteEnd()
            errors.closeWriteEnd()
        }
        for end in [output.readEnd, errors.readEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let words = [Process.ownPath] + words
        // In the background, reading from a terminal would stop it. In a group of its own: signals of the terminal are
        // passed on, so that nothing is interrupted twice.
        let program = ChildProcess(
            words, environment: environment, descriptors: [1: output.writeEnd, 2: errors.writeEnd],
            hasEmptyInput: scenario.path != StandardInput.path, group: 0)
        do throws(SystemError) {
            process = try Process(program)
        } catch {
            throw .refused("\(words[0]): \(error)")
        }
    }

    /// What to wait for.
    var descriptors: [pollfd] {
        [(output, isOutputOpen), (errors, isErrorOpen)].filter(\.1).map {
            pollfd(fd: $0.0.rawValue, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Reads what it has written.
    /// - Returns: its new reports.
    func read() -> [JSON] {
        var reports: [JSON] = []
        isOutputOpen = isOutputOpen && Self.read(output) { reports += take($0) }
        isErrorOpen =
            isErrorOpen
            && Self.read(errors) { bytes in
                errorText += bytes
                guard errorText.count > 2 * Self.mostErrors else { return }
                errorText.removeFirst(errorText.count - Self.mostErrors)
            }
        return reports
    }

    /// How it has ended, once all that it has written is read.
    func result(_ ending: Process.Ending, isInterrupted: Bool) -> ScenarioResult {
        ScenarioResult(
            scenario.path, ending, seconds: (ContinuousClock.now - start) / .seconds(1),
            errors: String(decoding: errorText, as: UTF8.self), failure: failure, isInterrupted: isInterrupted)
    }

    private func take(_ bytes: ArraySlice<UInt8>) -> [JSON] {
        var reports: [JSON] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if let report = try? JSON(parsing: String(decoding: line, as: UTF8.self)) {
                note(report)
                reports.append(report)
            }
            line.removeAll(keepingCapacity: true)
        }
        return reports
    }

    private func note(_ report: JSON) {
        if report["place"] != .null {
            failure = report
        } else if let index = report["index"].number, let steps = report["steps"].number {
            progress = (Int(index) + 1, Int(steps))
        }
    }

    /// Reads all that there is; returns false at the end.
    private static func read(_ descriptor: OwnedDescriptor, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe Glibc.read(descriptor.rawValue, chunk.baseAddress, chunk.count) }
            }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            take(chunk[..<count])
        }
    }
}
