// Programs that mullionctl run starts beside the command.

import Glibc
import MullionControl
import MullionSystem

/// A program that runs in the background and says when it is ready.
struct HelperProgram {
    /// The longest time for a start, in milliseconds.
    private static let startLimit = 30_000

    let process: Process
    /// What it is, for messages.
    let what: String
    let log: String
    /// The line that it wrote when it was ready.
    let ready: String

    /// Starts the program next to this one, otherwise the one in PATH, and waits until it is ready.
    /// - Parameters:
    ///   - what: see the property.
    ///   - arguments: with the option that makes it write to descriptor 3 when it is ready.
    ///   - log: the file that receives its output.
    ///   - descriptors: more descriptors, by the numbers that it uses.
    init(
        _ name: String, what: String, _ arguments: [String], environment: [String: String], log: String,
        descriptors: [Int32: Int32] = [:]
    ) throws(CommandError) {
        let words = [ChildProcess.path(of: name)] + arguments
        let output = unsafe open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw .refused("\(log): \(Terminal.reason)") }
        defer { close(output) }
        let pipe = try Pipe()
        defer { close(pipe.readEnd) }
        let program = ChildProcess(
            words, environment: environment,
            descriptors: descriptors.merging([1: output, 2: output, 3: pipe.writeEnd]) { $1 }, group: 0)
        let process: Process
        do throws(SystemError) {
            defer { pipe.closeWriteEnd() }
            process = try Process(program)
        } catch {
            guard error.code == ENOENT else { throw .refused("\(words[0]): \(error)") }
            throw .refused("\(name) is not installed: it is neither next to mullionctl nor in PATH")
        }
        guard let line = Self.waitReady(pipe.readEnd) else {
            process.send(SIGKILL)
            _ = process.ended(waiting: true)
            if let signal = BlockedSignals.pendingEnd { throw .status(128 + signal) }
            throw .refused("\(what) did not start\n\(Self.text(of: log))")
        }
        self.process = process
        self.what = what
        self.log = log
        ready = line
    }

    /// What it has written.
    var output: String { Self.text(of: log) }

    /// Ends it, by force if it takes too long.
    /// - Parameter isPatient: whether to wait longer.
    func stop(while isPatient: () -> Bool) {
        guard process.ended() == nil else { return }
        process.send(SIGTERM)
        // A stopped process would not receive it.
        process.send(SIGCONT)
        repeat {
            BlockedSignals.waitForChild(milliseconds: 100)
            if process.ended() != nil { return }
        } while isPatient()
        process.send(SIGKILL)
        _ = process.ended(waiting: true)
    }

    /// Waits for the line that it writes when it is ready; nil when it has exited instead, or a signal has arrived.
    private static func waitReady(_ descriptor: Int32) -> String? {
        var line: [UInt8] = []
        let deadline = ContinuousClock.now + .milliseconds(startLimit)
        while line.last != UInt8(ascii: "\n") {
            while !DescriptorIO.wait(for: POLLIN, on: descriptor, milliseconds: 100) {
                guard BlockedSignals.pendingEnd == nil, ContinuousClock.now < deadline else { return nil }
            }
            var byte: UInt8 = 0
            guard unsafe read(descriptor, &byte, 1) == 1 else { return nil }
            line.append(byte)
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    private static func text(of file: String) -> String {
        (try? DescriptorIO.contents(ofFile: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
