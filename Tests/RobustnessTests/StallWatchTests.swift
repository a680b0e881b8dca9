// The built-in watchdog: it reports what the loop is doing when it stalls, and nothing else.

import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DisplayServer
@testable import MullionWayland

@Suite struct StallWatchTests {
    /// The reports, which another thread makes.
    private final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        /// A pipe that has a byte for each report.
        private let read: Int32
        private let write: Int32

        init() throws {
            let ends = try TestPipe.make()
            (read, write) = (ends.read.release(), ends.write.release())
        }

        deinit {
            close(read)
            close(write)
        }

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) {
            lines.withLock { $0.append(line) }
            _ = Glibc.write(write, [1], 1)
        }

        func removeAll() {
            lines.withLock { $0 = [] }
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = Glibc.read(read, &bytes, bytes.count)
        }

        /// Blocks the thread until there is a report, 20 s at most.
        func wait() {
            var descriptor = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, 20_000)
        }
    }

    private let fixture: ServerFixture
    private let reports: Reports

    init() throws {
        reports = try Reports()
        fixture = try ServerFixture()
        fixture.server.watchStalls { [reports] in reports.add($0) }
    }

    /// Runs `body` in a turn of the loop.
    private func turn(_ body: @escaping () -> Void) throws {
        let timer = Timer(fixture.loop) { _, _ in body() }
        timer.arm(at: fixture.loop.now)
        try fixture.wait(for: "the turn") { !timer.isArmed }
    }

    /// Computes until the watchdog reports it, 20 s at most.
    private func compute() {
        let deadline = fixture.loop.now + 20_000_000
        while reports.all.isEmpty, fixture.loop.now < deadline {}
    }

    @Test("a turn that waits or computes for long is reported while it lasts, with its cause, and when it is over")
    func stalls() throws {
        let work = fixture.server.work
        for isBusy in [false, true] {
            reports.removeAll()
            try turn {
                work.begin("being slow")
                if isBusy { compute() } else { reports.wait() }
            }
            #expect(reports.all.first?.hasPrefix("the loop has been stalled for ") == true, "\(reports.all)")
            #expect(reports.all.first?.hasSuffix(" ms: being slow") == true, "\(reports.all)")
            try fixture.wait(for: "its end") { reports.all.count == 2 }
            #expect(reports.all[1].hasPrefix("the loop continues, after about "), "\(reports.all)")
        }
    }

    @Test("a slow request is reported with its client and its kind, a slow response of the control API with its route")
    func causes() throws {
        let client = try fixture.connect("slow")
        client.surface().send(.commit)
        try fixture.pump()
        let work = fixture.server.work
        #expect(work.now == (0, "a timer, a signal or a new connection"))
        work.begin(3, of: ShmResource.self, by: 7)
        #expect(work.now == (7, "request 3 of ShmResource"))
        try turn {
            fixture.server.stallWatch?.beginRoute("GET", ["v1", "tree"])
            reports.wait()
        }
        #expect(reports.all.first?.hasSuffix("answering the control API: GET /v1/tree") == true, "\(reports.all)")
    }
}
