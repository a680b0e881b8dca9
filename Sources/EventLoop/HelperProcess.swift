// Programs that run beside the loop, for an answer that they write.

import Glibc
import MullionSystem

/// A program whose output is collected while the loop runs. It is killed when it takes too long or writes too much, and
/// when this object is cancelled; so is what it has started, unless that has left its process group. It is confined to
/// reading: see `ChildProcess.startConfined`.
public final class HelperProcess {
    /// What a program may use.
    public struct Limits {
        /// Microseconds.
        public var time: UInt64
        /// Bytes of standard output.
        public var output: Int
        /// Bytes of standard error that are kept.
        public var error = 1 << 14

        /// - Parameters:
        ///   - time: in microseconds.
        ///   - output: in bytes.
        public init(time: UInt64, output: Int) {
            (self.time, self.output) = (time, output)
        }
    }

    /// How it ended without this object's doing.
    public enum Ending: Equatable, Sendable {
        /// With this status.
        case exited(Int32)
        /// By this signal.
        case signalled(Int32)
        /// Another part of this process has waited for it, such as a process 1, which reaps all children.
        case unknown
    }

    /// The result of running it.
    public enum Outcome {
        /// It has ended; what it wrote.
        case ended(Ending, output: [UInt8], error: [UInt8])
        /// It was killed after `Limits.time`.
        case tookTooLong
        /// It was killed after `Limits.output`.
        case wroteTooMuch
        /// It was killed by `cancel()`.
        case cancelled
        /// It could not be started, or not be limited and watched, and has been killed.
        case notStarted(any Error)
    }

    /// The most descriptors that it has at once.
    private static let mostDescriptors: UInt64 = 256

    private let loop: EventLoop
    private let limits: Limits
    private var streams: [Stream] = []
    /// The start in progress; nil once it has succeeded or failed.
    private var start: (ConfinedStart, source: IOSource)?
    /// Nil before it has started, and once it was waited for.
    private var id: pid_t?
    private var deadline: Timer?
    /// A descriptor of the process, watched once it has closed its output.
    private var process: OwnedDescriptor?
    private var end: IOSource?
    /// Nil after the outcome was passed on.
    private var done: ((Outcome) -> Void)?
    /// What was decided before the program ended.
    private var verdict: Outcome?
    /// The processor time that it has used, in microseconds; 0 until it has ended.
    public private(set) var processorTime: UInt64 = 0

    private final class Stream {
        let descriptor: OwnedDescriptor
        var source: IOSource?
        var bytes: [UInt8] = []

        init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }
    }

    /// Starts the program, without waiting for that.
    /// - Parameters:
    ///   - program: its path, or a name that is looked up in PATH.
    ///   - words: its arguments, beginning with its name.
    ///   - input: its standard input; nil: it is empty.
    ///   - done: called once when it has ended, in a later turn of the loop.
    /// - Throws: `SystemError` and `EventLoopError` when there are not enough descriptors or threads.
    public init(
        _ loop: EventLoop, _ program: String, _ words: [String], input: OwnedDescriptor? = nil, limits: Limits,
        done: @escaping (Outcome) -> Void
    ) throws {
        self.loop = loop
        self.limits = limits
        self.done = done
        let pipes = try (0..<2).map { _ in try ChildProcess.pipe() }
        for pipe in pipes {
            let stream = Stream(pipe.read)
            stream.source = try IOSource(loop, descriptor: pipe.read.rawValue) { [unowned self, unowned stream] in
                read(stream)
            }
            streams.append(stream)
        }
        var descriptors: [Int32: Int32] = [1: pipes[0].write.rawValue, 2: pipes[1].write.rawValue]
        descriptors[0] = input?.rawValue
        let start = try ChildProcess(
            words, program: program, descriptors: descriptors, closesOthers: true, hasEmptyInput: input == nil, group: 0
        ).startConfined(keeping: pipes.map(\.write) + [input].compactMap(\.self)) { id throws(SystemError) in
            try RunningProcess.limitFiles(of: id, descriptors: Self.mostDescriptors)
        }
        do {
            let source = try IOSource(loop, descriptor: start.done.rawValue) { [unowned self] in didStart() }
            self.start = (start, source)
        } catch {
            end(id: start.abandon())
            throw error
        }
        deadline = Timer(loop) { [unowned self] _, _ in stop(.tookTooLong) }
        deadline?.arm(at: loop.now + limits.time)
    }

    deinit {
        start?.source.cancel()
        end?.cancel()
        end(id: start.map { $0.0.abandon() } ?? id)
    }

    /// Kills the program and waits for its end, which does not take long then.
    private func end(id: pid_t?) {
        guard let id, retryingWhenInterrupted({ waitpid(id, nil, WNOHANG) }) == 0 else { return }
        _ = Glibc.kill(-id, SIGKILL)
        _ = retryingWhenInterrupted { waitpid(id, nil, 0) }
    }

    private func didStart() {
        guard let result = start?.0.result else { return }
        start?.source.cancel()
        start = nil
        do {
            let id = try result.get()
            self.id = id
            let process = try RunningProcess.descriptor(of: id)
            self.process = process
            end = try IOSource(loop, descriptor: process.rawValue)
            end?.onReadable = { [unowned self] in reap() }
        } catch let error as SystemError where error.code == ESRCH && id != nil {
            // It has ended, and another part of this process has waited for it.
        } catch {
            end(id: id)
            id = nil
            return finish(.notStarted(error))
        }
        // It may have been stopped meanwhile, or have ended.
        if verdict != nil { kill() }
        if streams.allSatisfy({ $0.source?.isCancelled != false }) { reap() }
    }

    /// Kills the program, because its output is not needed any more.
    public func cancel() { stop(.cancelled) }

    private func read(_ stream: Stream) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe chunk.withUnsafeMutableBytes { chunk in
            retryingWhenInterrupted { unsafe Glibc.read(stream.descriptor.rawValue, chunk.baseAddress, chunk.count) }
        }
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else {
            stream.source?.cancel()
            if streams.allSatisfy({ $0.source?.isCancelled != false }) { reap() }
            return
        }
        let isOutput = stream === streams.first
        let room = (isOutput ? limits.output : limits.error) - stream.bytes.count
        stream.bytes += chunk[..<min(count, room)]
        if isOutput, count > room { stop(.wroteTooMuch) }
    }

    /// Ends it by force.
    private func stop(_ outcome: Outcome) {
        guard verdict == nil else { return }
        verdict = outcome
        for stream in streams { stream.source?.cancel() }
        kill()
        reap()
    }

    private func kill() {
        if let id { _ = Glibc.kill(-id, SIGKILL) }
    }

    /// Passes on how it has ended, as soon as it has: it may run on after it has closed its output.
    private func reap() {
        guard let id else { return }
        var status: Int32 = 0
        var usage = rusage()
        let result = retryingWhenInterrupted { unsafe wait4(id, &status, WNOHANG, &usage) }
        guard result != 0 else {
            end?.wantsRead = true
            return
        }
        self.id = nil
        processorTime = Self.microseconds(usage.ru_utime) + Self.microseconds(usage.ru_stime)
        let ending: Ending =
            result != id
            ? .unknown : status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
        finish(.ended(ending, output: streams[0].bytes, error: streams[1].bytes))
    }

    private func finish(_ outcome: Outcome) {
        deadline?.cancel()
        end?.cancel()
        let done = done
        self.done = nil
        done?(verdict ?? outcome)
    }

    private static func microseconds(_ time: timeval) -> UInt64 {
        UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(max(0, time.tv_usec))
    }
}
