// Other programs, started by a test.

import Glibc
import MullionSystem

/// A child process with its output, killed when the test releases it.
public final class Program {
    public let pid: pid_t
    private let output: OwnedDescriptor
    private var text: [UInt8] = []
    private var status: Int32?

    /// Whether a program is installed.
    public static func isInstalled(_ name: String) -> Bool {
        let path = environmentValue("PATH") ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// - Parameter descriptors: its descriptors from 3 on.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], descriptors: [Int32] = []
    ) throws {
        let pipe = try ChildProcess.pipe()
        output = pipe.read
        let streams: [Int32: Int32] = [1: pipe.write.rawValue, 2: pipe.write.rawValue]
        // The last ones are options of programs built with a sanitizer.
        let inherited = ["PATH", "HOME", "LANG", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"]
        let variables = ChildProcess.environment.filter { inherited.contains($0.key) }
        var child = ChildProcess(
            [program] + arguments, environment: variables.merging(environment) { $1 },
            descriptors: streams.merging(ChildProcess.numbered(descriptors)) { $1 }, hasEmptyInput: true)
        // Shells without job control start programs in the background with SIGINT ignored, which programs inherit.
        child.defaultSignals += [SIGINT, SIGQUIT]
        do throws(SystemError) {
            pid = try withExtendedLifetime(pipe) { () throws(SystemError) in try child.start() }
        } catch {
            throw FixtureError("\(program): \(error)")
        }
    }

    deinit {
        kill(SIGKILL)
        var ignored: Int32 = 0
        if status == nil { waitpid(pid, &ignored, 0) }
    }

    public func kill(_ signal: Int32) {
        if status == nil { Glibc.kill(pid, signal) }
    }

    /// Whether it still runs.
    public var isRunning: Bool {
        if status != nil { return false }
        var now: Int32 = 0
        guard waitpid(pid, &now, WNOHANG) == pid else { return true }
        status = now
        return false
    }

    /// The exit status once it ended, -1 when a signal ended it.
    public var exitStatus: Int32? {
        guard !isRunning, let status else { return nil }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }

    /// Everything it writes, once it has ended.
    public func outputAtEnd() -> String {
        var descriptor = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
        while isRunning {
            _ = poll(&descriptor, 1, 1000)
            _ = readOutput()
        }
        return readOutput()
    }

    /// What it has written so far.
    public func readOutput() -> String {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output.rawValue, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
