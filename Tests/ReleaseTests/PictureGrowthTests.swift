// Many simultaneous requests for pictures: the server makes a few of them at a time.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct PictureGrowthTests {
    /// Only the shipped server's memory is measured; one with a sanitizer takes seconds to encode a picture of 4K.
    private static let screen = Programs.isServerShipped ? "3840x2160" : "800x600"

    private func ask(_ server: ServerProcess) throws -> OwnedDescriptor {
        let descriptor = try server.openControl()
        let text = "GET /v1/screenshot.png HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        guard write(descriptor.rawValue, text, text.utf8.count) == text.utf8.count else {
            throw FixtureError("short write")
        }
        return descriptor
    }

    /// The status of the response, once there is one.
    private func status(_ descriptor: OwnedDescriptor) -> Int {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 16)
        guard poll(&request, 1, 60_000) == 1 else { return 0 }
        let count = recv(descriptor.rawValue, &bytes, bytes.count, 0)
        return Int(
            String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ").dropFirst().first ?? "")
            ?? 0
    }

    /// The server's peak memory, in KiB.
    private func peak(_ server: ServerProcess) throws -> Int {
        let status = try server.status()
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    @Test("sixty simultaneous requests for a large picture are answered from one drawing, in bounded memory")
    func together() throws {
        let server = try ServerProcess(options: ["--screen", Self.screen])
        let witness = try WireClient(server)
        let askers = try (0..<60).map { _ in try ask(server) }
        for asker in askers { #expect(status(asker) == 200) }
        let peak = try peak(server)
        if Programs.isServerShipped { #expect(peak < 400 << 10, "\(peak) KiB") }
        try witness.roundTrip()
        try server.stop()
    }

    @Test("clients that hang up cost nothing, those beyond the queue's limit are refused, the next one is served")
    func hangingUp() throws {
        let server = try ServerProcess(options: ["--screen", Self.screen])
        let witness = try WireClient(server)
        for _ in 0..<200 { _ = try ask(server) }
        let askers = try (0..<120).map { _ in try ask(server) }
        let statuses = askers.map { status($0) }
        // Requests of clients that have hung up may still be queued.
        #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 }, "\(statuses)")
        try server.fixture.wait(for: "room") { try server.request("GET", "/v1/screenshot.png").status == 200 }
        let peak = try peak(server)
        if Programs.isServerShipped { #expect(peak < 500 << 10, "\(peak) KiB") }
        try witness.roundTrip()
        try server.stop()
    }

    @Test("pictures with too many pixels are refused before anything is drawn")
    func large() throws {
        let screens = (0..<9).flatMap { _ in ["--screen", "3840x2160"] }
        let server = try ServerProcess(options: screens)
        let answer = try server.request("GET", "/v1/screenshot.png")
        #expect(answer.status == 409 && answer.body.contains("capture them one by one"), "\(answer)")
        let peak = try peak(server)
        if Programs.isServerShipped { #expect(peak < 100 << 10, "\(peak) KiB") }
        try server.stop()
    }
}
