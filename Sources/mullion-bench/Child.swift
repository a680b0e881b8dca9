// A child process and its resource usage.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland

/// A process that is ended when its owner is released.
final class Child {
    let id: pid_t

    /// Starts a program with these descriptors, numbered from 3 on, and only these variables in addition to PATH and
    /// LD_LIBRARY_PATH.
    init(_ words: [String], environment: [String: String] = [:], descriptors: [Int32]) throws {
        let inherited = ChildProcess.environment.filter { ["PATH", "LD_LIBRARY_PATH"].contains($0.key) }
        // Out of reach of the terminal's Ctrl-C: it is stopped after its clients.
        let program = ChildProcess(
            words, environment: inherited.merging(environment) { $1 },
            descriptors: ChildProcess.numbered(descriptors), group: 0)
        do throws(SystemError) {
            id = try program.start()
        } catch {
            throw MeasurementError.system(words[0], error.code)
        }
    }

    deinit {
        kill(id, SIGTERM)
        let deadline = Clock.now + 5
        while waitpid(id, nil, WNOHANG) == 0 {
            if Clock.now > deadline { kill(id, SIGKILL) }
            poll(nil, 0, 1)
        }
    }

    /// Whether it has ended.
    var hasEnded: Bool {
        var information = unsafe siginfo_t()
        return unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo != 0
    }

    /// This program's executable.
    static func ownProgram() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    // MARK: Resource usage

    /// CPU time used by all its threads, in seconds.
    func cpuTime() throws -> Double {
        var clock = clockid_t()
        let failure = unsafe clock_getcpuclockid(id, &clock)
        guard failure == 0 else { throw MeasurementError.system("clock_getcpuclockid", failure) }
        return Clock.read(clock)
    }

    /// How often its threads have gone to sleep: once for every wake-up.
    func voluntarySwitches() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task").reduce(0) { sum, thread in
            sum + (try number("voluntary_ctxt_switches", in: "task/\(thread)/status"))
        }
    }

    /// Resident bytes, and how many of them are anonymous.
    func memory() throws -> (resident: Double, anonymous: Double) {
        let file = "smaps_rollup"
        return (Double(try number("Rss", in: file)) * 1024, Double(try number("Anonymous", in: file)) * 1024)
    }

    /// The number of open descriptors.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
    }

    private func number(_ name: String, in file: String) throws -> Int {
        let path = "/proc/\(id)/\(file)"
        guard let data = FileManager.default.contents(atPath: path) else { throw MeasurementError.system(path) }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name + ":") {
            let words = line.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }
            if let word = words.first, let number = Int(word) { return number }
        }
        throw MeasurementError("\(path) has no \(name)")
    }
}
