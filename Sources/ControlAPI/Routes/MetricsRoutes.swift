// GET /v1/metrics

import DisplayServer
import EventLoop
import WindowModel

extension ControlServer {
    var metricsRoutes: [Route] {
        [
            Route(.getMetrics) { [unowned self] _ in
                let headers: HTTPHeaders = ["Content-Type": MetricsText.contentType, "Cache-Control": "no-store"]
                return .reply(HTTPResponse(headers: headers, body: Array(metrics.text.utf8)))
            }
        ]
    }

    /// All counters and current values.
    private var metrics: MetricsText {
        var text = MetricsText()
        addContents(to: &text)
        addTraffic(to: &text)
        addInput(to: &text)
        addControl(to: &text)
        addProcess(to: &text)
        return text
    }

    private func addContents(to text: inout MetricsText) {
        let model = server.model
        let windows = model.windows
        let visible = windows.count { model.isVisible($0) }
        text.add("mullion_clients", .gauge, "Connected clients.", Double(server.clientCount))
        text.add("mullion_screens", .gauge, "Connected screens.", Double(model.screens.count))
        text.add(
            "mullion_windows", .gauge, "Windows of all clients.", by: "state",
            [("visible", Double(visible)), ("invisible", Double(windows.count - visible))])
        text.add("mullion_surfaces", .gauge, "Surfaces of all clients.", Double(model.surfaceCount))
        text.add("mullion_pools", .gauge, "Pools of shared memory.", Double(server.pools.pools))
        text.add("mullion_pool_bytes", .gauge, "Bytes of clients' shared memory.", Double(server.pools.bytes))
        text.add(
            "mullion_framebuffers", .gauge, "Framebuffers of screens that are or recently were captured.",
            Double(server.captures.framebufferCount))
        let counters = server.counters
        text.add("mullion_frames_drawn_total", .counter, "Drawn frames of screens.", Double(counters.framesDrawn))
        text.add(
            "mullion_frame_callbacks_total", .counter, "Sent frame callbacks.", Double(counters.frameCallbacks))
    }

    private func addTraffic(to text: inout MetricsText) {
        let counters = server.counters
        var (read, sent, requests) = (counters.bytesRead, counters.bytesSent, counters.requests)
        for client in server.clients.values {
            read += client.transport.bytesRead
            sent += client.transport.bytesSent
            requests += client.requestCount
        }
        text.add(
            "mullion_connections_total", .counter, "Accepted clients.", Double(counters.connections))
        text.add(
            "mullion_clients_ended_total", .counter, "Disconnected clients, by cause.", by: "cause",
            Self.samples(counters.ended))
        text.add("mullion_requests_total", .counter, "Requests from clients.", Double(requests))
        text.add(
            "mullion_client_bytes_total", .counter, "Bytes from and to clients.", by: "direction",
            [("in", Double(read)), ("out", Double(sent))])
        text.add(
            "mullion_queued_bytes", .gauge, "Bytes queued for clients.", Double(server.queuedBytes))
        text.add(
            "mullion_refusals_total", .counter, "Refusals, by kind.", by: "kind",
            Self.samples(counters.refusals))
    }

    private func addInput(to text: inout MetricsText) {
        let counters = server.counters
        text.add("mullion_injected_steps_total", .counter, "Injected steps of input.", Double(counters.steps))
        text.add(
            "mullion_events_total", .counter, "Events delivered to applications, by type.", by: "type",
            Event.Kind.allCases.map { ("\($0)", Double(counters.delivered[Int($0.rawValue)])) })
        text.add(
            "mullion_events_dropped_total", .counter, "Steps of input that were not delivered, by reason.",
            by: "reason",
            Self.samples(counters.dropped))
    }

    private func addControl(to text: inout MetricsText) {
        let counters = server.counters
        text.add(
            "mullion_control_requests_total", .counter, "Requests of the control API, by status.", by: "status",
            counters.answers.sorted { $0.key < $1.key }.map { ("\($0.key)", Double($0.value)) })
        text.add(
            "mullion_control_connections", .gauge, "Connections of the control API.",
            Double(http.connectionCount + (web?.connectionCount ?? 0)))
        text.add("mullion_event_readers", .gauge, "Readers of the event stream.", Double(events.count))
    }

    private func addProcess(to text: inout MetricsText) {
        let lateness = server.loop.lateness
        text.add(
            "mullion_loop_lag_seconds", "How late timers fired.", bounds: Lateness.bounds.map { Double($0) / 1e6 },
            counts: lateness.counts, sum: Double(lateness.total) / 1e6)
        text.add("mullion_loop_wakeups_total", .counter, "Wake-ups of the event loop.", Double(server.loop.wakeUps))
        text.add(
            "mullion_uptime_seconds", .gauge, "Time since the control API was opened.",
            Double(server.loop.now - startedAt) / 1e6)
        text.add("mullion_info", .gauge, "The server's version.", by: "version", [(DisplayServer.version, 1)])
        let use = ProcessUse()
        text.add("process_cpu_seconds_total", .counter, "Processor time.", use.cpu)
        text.add("process_resident_memory_bytes", .gauge, "Resident memory.", Double(use.resident))
        text.add("process_virtual_memory_bytes", .gauge, "Address space.", Double(use.virtual))
        text.add("process_open_fds", .gauge, "Open descriptors.", Double(use.descriptors))
        text.add("process_max_fds", .gauge, "Limit of open descriptors.", Double(use.maximumDescriptors))
    }

    /// A sample for each label, including those that are 0.
    private static func samples<Label: RawRepresentable<String> & CaseIterable & Hashable>(
        _ counts: [Label: UInt64]
    ) -> [(String, Double)] {
        Label.allCases.map { ($0.rawValue, Double(counts[$0] ?? 0)) }
    }
}
