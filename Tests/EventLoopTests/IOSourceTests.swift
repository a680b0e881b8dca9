// Watched descriptors.

import EventLoop
import Glibc
import Testing

@Suite struct IOSourceTests {
    @Test("Level-triggered: unread bytes trigger the handler again; the end of the stream counts as readable")
    func reading() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        var got = 0
        var ended = false
        let source = try IOSource(loop, descriptor: pair.left) {
            var byte: UInt8 = 0
            let count = read(pair.left, &byte, 1)
            got += max(0, count)
            ended = count == 0
        }
        write(pair.right, "abc", 3)
        shutdown(pair.right, Int32(SHUT_WR))
        try turn(loop) { ended }
        #expect(got == 3)
        source.cancel()
        #expect(try !loop.runOnce(nonblocking: true))
    }

    @Test("Write interest can be toggled without affecting reading")
    func writing() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        let source = try IOSource(loop, descriptor: pair.left) {}
        var writable = 0
        source.onWritable = { [unowned source] in
            writable += 1
            if writable == 3 {
                source.wantsWrite = false
            }
        }
        #expect(try !loop.runOnce(nonblocking: true))
        source.wantsWrite = true
        try turn(loop) { writable == 3 }
        #expect(try !loop.runOnce(nonblocking: true))
        source.onReadable = { [unowned source] in source.wantsRead = false }
        write(pair.right, "a", 1)
        #expect(try loop.runOnce(nonblocking: true))
        #expect(try !loop.runOnce(nonblocking: true))
    }

    @Test("A source may cancel or release itself in its own handler; the other handler of that turn does not run")
    func cancelInside() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        var log: [String] = []
        var source: IOSource? = try IOSource(loop, descriptor: pair.left)
        source?.onReadable = {
            log.append("read")
            source?.cancel()
            source = nil
        }
        source?.onWritable = {
            log.append("write")
            source?.cancel()
            source = nil
        }
        source?.wantsRead = true
        source?.wantsWrite = true
        write(pair.right, "a", 1)
        #expect(try loop.runOnce())
        #expect(log.count == 1)
        #expect(source == nil)
        #expect(try !loop.runOnce(nonblocking: true))
    }

    @Test("Watching an unsuitable descriptor throws a clear error")
    func bad() throws {
        let loop = try EventLoop()
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(throws: EventLoopError("epoll_ctl", "descriptor \(file)", code: EPERM)) {
            _ = try IOSource(loop, descriptor: file) {}
        }
    }

    @Test("The loop lives as long as its sources, and is freed with the last")
    func lifetime() throws {
        let pair = try Pair()
        weak var watched: EventLoop?
        do {
            var source: IOSource?
            do {
                let loop = try EventLoop()
                watched = loop
                source = try IOSource(loop, descriptor: pair.left) {}
            }
            #expect(watched != nil)
            source = nil
            #expect(source == nil)
        }
        #expect(watched == nil)
    }
}
