// Stalled clients of the control API do not affect others.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct FaultControlTests {
    @Test("with a hundred control clients stalled in mid-request, others and Wayland clients are served")
    func hanging() throws {
        let setup = try ServerProcess()
        let client = try setup.connect()
        let beginnings = [
            "", "GET", "GET /v1/status HTTP/1.1\r\nHo", "POST /v1/input HTTP/1.1\r\nContent-Length: 9999\r\n\r\n{",
        ]
        let before = try setup.descriptors()
        var hanging: [OwnedDescriptor] = []
        for number in 0..<100 {
            let descriptor = try setup.openControl()
            let text = beginnings[number % beginnings.count]
            #expect(write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count)
            hanging.append(descriptor)
        }
        for _ in 0..<20 {
            #expect(try setup.request("GET", "/v1/status").status == 200)
            try setup.roundTrip(client)
        }
        hanging = []
        try setup.fixture.wait(for: "their descriptors to go") { try setup.descriptors() <= before }
        client.disconnect()
        try setup.stop()
    }

    @Test("an event reader that never reads is disconnected at the limit of its backlog; the server does not grow")
    func neverRead() throws {
        let setup = try ServerProcess()
        let deaf = try (0..<4).map { _ in
            let descriptor = try setup.openControl()
            let text = "GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"
            #expect(write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count)
            return descriptor
        }
        let steps = (0..<200).map { _ in #"{"type":"tap","x":5,"y":5}"# }.joined(separator: ",")
        #expect(try setup.request("POST", "/v1/input", "[\(steps)]").status == 200)
        let memory = try setup.memory()
        for _ in 0..<100 { #expect(try setup.request("POST", "/v1/input", "[\(steps)]").status == 200) }
        // Four backlogs of 1 MiB, and what the allocator retains.
        let growth = try setup.memory() - memory
        #expect(growth < 16 * 1024, "the server grew by \(growth) KiB")
        #expect(try setup.request("GET", "/v1/status").status == 200)
        #expect(deaf.count == 4)
        try setup.stop()
    }
}
