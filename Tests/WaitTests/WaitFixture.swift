// A server, its control API and waits for conditions.

import ControlAPI
import DisplayServer
import FoundationEssentials
import TestSupport
import Testing

/// What was received for a wait.
struct WaitReport: Decodable {
    struct Window: Decodable, Equatable { var id: UInt32, title: String, visible: Bool, applicationID: String? }
    struct Application: Decodable, Equatable { var id: UInt32, name: String }
    struct Screen: Decodable { var name: String }
    struct Pixel: Decodable, Equatable { var x: Int, y: Int, color: String }
    struct Unmet: Decodable {
        struct Candidate: Decodable { var text: String, window: UInt32?, title: String?, color: String? }
        var condition: String, reason: String, instead: [Candidate]
    }

    var condition: String?
    var elapsed: Double?
    var windows: [Window]?
    var applications: [Application]?
    var screen: Screen?
    var pixel: Pixel?
    // Of a refusal.
    var status: Int?
    var detail: String?
    var waited: Double?
    var unmet: [Unmet]?
}

final class WaitFixture {
    let fixture: ServerFixture
    let control: TestControl

    /// - Parameter isStranger: whether the requests are limited as those of another user than the server's own.
    init(screens: [String] = ["200x100,name=A"], clock: ClockMode = .real, isStranger: Bool = false) throws {
        fixture = try ServerFixture(screens: screens, clock: clock)
        var limits = ControlLimits()
        if isStranger {
            limits.waits.trustsOwner = false
            limits.frameWaits.trustsOwner = false
        }
        control = try TestControl(fixture, limits: limits)
    }

    /// Begins a wait, long enough for any machine.
    func begin(_ query: String, timeout: String = "60s") throws -> OpenRequest {
        let request = try control.open("GET", "/v1/wait?\(query)&timeout=\(timeout)")
        try fixture.pump()
        return request
    }

    /// The answer of an open wait.
    func report(_ request: OpenRequest) throws -> WaitReport {
        try fixture.wait(for: "the answer") { request.answer != nil }
        return try JSONDecoder().decode(WaitReport.self, from: Data((request.answer?.body ?? "").utf8))
    }

    /// A wait that is fulfilled, now or soon.
    func fulfilled(_ query: String) throws -> WaitReport {
        let report = try report(begin(query))
        #expect(report.status == nil && report.condition != nil, "\(query): \(report)")
        return report
    }

    /// A wait that ends without having been fulfilled.
    func unfulfilled(_ query: String, timeout: String = "0") throws -> [WaitReport.Unmet] {
        let report = try report(begin(query, timeout: timeout))
        #expect(report.status == 408 && report.waited != nil, "\(query): \(report)")
        return report.unmet ?? []
    }
}
