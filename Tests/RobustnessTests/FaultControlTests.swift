// Stalled clients of the control API do not affect others.

import Glibc
import System
import TestSupport
import Testing
import Wayland

@Suite struct FaultControlTests {
    @Test("with a hundred control clients stalled in mid-request, others and Wayland clients are served")
    func hanging() throws {
        let desk = try ServerProcess()
        let client = try desk.connect()
        let beginnings = [
            "", "GET", "GET /v1/status HTTP/1.1\r\nHo", "POST /v1/input HTTP/1.1\r\nContent-Length: 9999\r\n\r\n{",
        ]
        let before = try desk.descriptors()
        var hanging: [OwnedDescriptor] = []
        for number in 0..<100 {
            let descriptor = try desk.openControl()
            let text = beginnings[number % beginnings.count]
            #expect(write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count)
            hanging.append(descriptor)
        }
        for _ in 0..<20 {
            #expect(try desk.request("GET", "/v1/status").status == 200)
            try desk.roundTrip(client)
        }
        hanging = []
        try desk.fixture.wait(for: "their descriptors to go") { try desk.descriptors() <= before }
        client.disconnect()
        try desk.stop()
    }

    @Test("an event reader that never reads is disconnected at the limit of its backlog; the server does not grow")
    func neverRead() throws {
        let desk = try ServerProcess()
        let deaf = try (0..<4).map { _ in
            let descriptor = try desk.openControl()
            let text = "GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"
            #expect(write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count)
            return descriptor
        }
        let steps = (0..<200).map { _ in #"{"type":"tap","x":5,"y":5}"# }.joined(separator: ",")
        #expect(try desk.request("POST", "/v1/input", "[\(steps)]").status == 200)
        let memory = try desk.memory()
        for _ in 0..<100 { #expect(try desk.request("POST", "/v1/input", "[\(steps)]").status == 200) }
        // Four backlogs of 1 MiB, and what the allocator retains.
        let growth = try desk.memory() - memory
        #expect(growth < 16 * 1024, "the server grew by \(growth) KiB")
        #expect(try desk.request("GET", "/v1/status").status == 200)
        #expect(deaf.count == 4)
        try desk.stop()
    }
}
