// How X11 programs end.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// Watches the processes of X11 programs, and writes a line of JSON when one ends.
final class ProgramEnds {
    /// The most processes: as many as Xwayland allows programs.
    private static let most = 256
    /// The most lines.
    private static let mostLines = 10_000

    private final class Process {
        let id: Int32
        let name: String
        let descriptor: OwnedDescriptor
        /// In microseconds.
        let begin: UInt64
        var end: UInt64?
        /// Nil once it has ended.
        var source: IOSource?
        /// How many connections to X servers it has.
        var connections = 1
        /// What was known of its end when it closed a connection.
        var exit: ProcessExit?

        init(_ id: Int32, _ descriptor: OwnedDescriptor) {
            (self.id, self.descriptor) = (id, descriptor)
            begin = MonotonicClock.nanoseconds / 1000
            name = ProcessName.of(id)
        }

        var hasEnded: Bool { DescriptorIO.wait(for: POLLIN, on: descriptor.rawValue, milliseconds: 0) }

        /// Its parent may collect it at any time: until then /proc has its status, and from then on the descriptor, on
        /// Linux 6.15 and later.
        var ending: ProcessExit? { collected ?? ProcessExit(ofEnding: id) ?? collected ?? exit }

        private var collected: ProcessExit? {
            ((try? UnixSocket.exitCode(of: descriptor)) ?? nil).map(ProcessExit.init(code:))
        }
    }

    private let loop: EventLoop
    /// Nil once the reader has closed its end.
    private var output: OwnedDescriptor?
    private var lines = 0
    private var processes: [Process] = []

    /// - Parameter descriptor: is closed at the end, except for the standard streams.
    init(_ loop: EventLoop, descriptor: Int32) throws(Failure) {
        self.loop = loop
        let name = "--ends-fd \(descriptor)"
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0 else { throw Failure(description: "\(name): \(SystemError.last)") }
        guard flags & O_ACCMODE != O_RDONLY else { throw Failure(description: "\(name) cannot be written to") }
        let own = descriptor > 2 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        // The X server would inherit it.
        guard own >= 0, fcntl(own, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Failure(description: "\(name): \(SystemError.last)")
        }
        output = OwnedDescriptor(own)
    }

    /// A process has connected to an X server.
    func connected(_ id: Int32) {
        if let known = processes.first(where: { $0.id == id && !$0.hasEnded }) {
            known.connections += 1
            return
        }
        // Those that have no connection any more make room.
        if processes.count >= Self.most,
            let index = processes.firstIndex(where: { $0.connections == 0 || $0.source == nil })
        {
            let old = processes.remove(at: index)
            old.source?.cancel()
            if old.hasEnded { write(old) }
        }
        guard output != nil, processes.count < Self.most, let descriptor = try? RunningProcess.descriptor(of: id) else {
            return
        }
        let process = Process(id, descriptor)
        process.source = try? IOSource(loop, descriptor: descriptor.rawValue) { [unowned self, unowned process] in
            ended(process)
        }
        processes.append(process)
    }

    /// A process has closed a connection: it may be about to end. The kernel closes its files before it notifies the
    /// parent, so its exit status can still be read now.
    func disconnected(_ id: Int32) {
        guard let process = processes.first(where: { $0.id == id && $0.source != nil }) else { return }
        process.connections -= 1
        process.exit = ProcessExit(ofEnding: id) ?? process.exit
    }

    /// Writes the ends that are known, and stops watching.
    func finish() {
        for process in processes {
            process.source?.cancel()
            if process.hasEnded { write(process) }
        }
        processes = []
        output = nil
    }

    private func ended(_ process: Process) {
        process.source?.cancel()
        process.source = nil
        process.end = MonotonicClock.nanoseconds / 1000
        // The kernel may tell how when its parent has collected it.
        guard process.ending != nil else { return }
        processes.removeAll { $0 === process }
        write(process)
    }

    private func write(_ process: Process) {
        // A reader that is slow loses lines; a writer that waits would hold up all X11 programs.
        guard let output, lines < Self.mostLines, DescriptorIO.wait(for: POLLOUT, on: output.rawValue, milliseconds: 0)
        else { return }
        lines += 1
        var line = "{\"name\":\"\(Self.escaped(process.name))\",\"pid\":\(process.id)"
        line += ",\"since\":\(process.begin),\"until\":\(process.end ?? MonotonicClock.nanoseconds / 1000)"
        if let exit = process.ending {
            line += exit.signal != 0 ? ",\"signal\":\(exit.signal)" : ",\"status\":\(exit.status)"
        }
        do throws(SystemError) {
            try DescriptorIO.write(Array("\(line)}\n".utf8), to: output.rawValue)
        } catch {
            self.output = nil
        }
    }

    /// Escapes a text for a JSON string: quotation marks and backslashes first, then control characters.
    private static func escaped(_ text: String) -> String {
        text.replacingAll("\\", with: "\\\\").replacingAll("\"", with: "\\\"").printable()
    }
}
