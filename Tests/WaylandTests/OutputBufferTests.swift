// The size of an output buffer whose peer never quite catches up.

import Testing

@testable import MullionWayland

@Suite struct OutputBufferTests {
    /// Queues a message of one word that contains its number.
    private func queue(_ number: UInt32, in buffer: OutputBuffer) {
        buffer.begin(.display, opcode: 0)
        buffer.put(number)
        buffer.end()
    }

    @Test("a buffer that never drains keeps only unsent bytes")
    func compaction() {
        let buffer = OutputBuffer(capacity: 16)
        for number in 0..<UInt32(100) { queue(number, in: buffer) }
        for number in UInt32(100)..<100_000 {
            queue(number, in: buffer)
            buffer.didSend(12)
        }
        #expect(buffer.pendingBytes == 1200)
        #expect(buffer.capacity <= 1024, "room for \(buffer.capacity) words")
    }

    @Test(
        "bytes sent in pieces of any size arrive in order, whatever is queued in between", arguments: [1, 3, 4, 7, 50])
    func order(piece: Int) {
        let buffer = OutputBuffer(capacity: 16)
        let whole = OutputBuffer()
        var received: [UInt8] = []
        func send(_ bytes: Int) {
            buffer.withPending { received += $0.prefix(bytes) }
            buffer.didSend(min(bytes, buffer.pendingBytes))
        }
        for number in 0..<UInt32(500) {
            queue(number, in: buffer)
            queue(number, in: whole)
            // The rest of a partly sent word stays at the front.
            if number > 20 { send(piece) }
        }
        while buffer.pendingBytes > 0 { send(piece) }
        #expect(received == whole.withPending { Array($0) })
        #expect(buffer.isEmpty && buffer.sent == 0)
    }

    @Test("compaction moves no more bytes than were sent")
    func cost() {
        let buffer = OutputBuffer(capacity: 16)
        for number in 0..<UInt32(1000) { queue(number, in: buffer) }
        var moved = 0
        var sent = 0
        while buffer.pendingBytes > 0 {
            let before = buffer.wordCount
            buffer.didSend(min(20, buffer.pendingBytes))
            sent += 20
            if buffer.wordCount < before { moved += buffer.wordCount * 4 }
        }
        #expect(moved <= sent, "\(moved) bytes moved for \(sent) sent")
    }
}
