// The control API: HTTP and JSON on a Unix socket.

import EventLoop
import WindowModel

/// Serves `/v1` for one display server. It sees and changes everything, so that only who may administer it gets in.
///
/// Every answer is a whole one: what is refused has changed nothing, and says which rule it breaks.
public final class ControlServer {
    /// The largest body of any request, in bytes: evhttp knows one bound for all, and routes have their own below it.
    static let bodyBytes = 64 << 20

    let server: DisplayServer
    let worker = Worker()
    /// Monotonic microseconds.
    let startedAt: UInt64
    /// The one that is being carried out.
    var scenario: ScenarioRunner?
    /// How long the steps of a scenario let clients take to settle, and expectations to come true, in microseconds of
    /// real time.
    public var scenarioPatience: UInt64 = 5_000_000
    private(set) lazy var events = EventStreams(server)
    private let http: HTTPServer
    private let admission = Admission()
    private lazy var router = Router(
        routes: statusRoutes + screenRoutes + windowRoutes + treeRoutes + inputRoutes + eventRoutes
            + pictureRoutes + comparisonRoutes + clockRoutes + settleRoutes + scenarioRoutes + keyboardRoutes
            + seatRoutes)

    /// Serves the clients of `socket` from now on.
    /// - Throws: when libevent or the kernel refuses.
    public init(_ server: DisplayServer, socket: ListeningSocket) throws(EventLoopError) {
        self.server = server
        startedAt = server.loop.now
        var limits = HTTPServer.Limits()
        limits.bodyBytes = Self.bodyBytes
        http = try HTTPServer(server.loop, limits: limits)
        http.onError = { [unowned server] in server.log(.warning, "cannot accept a control connection: \($0)") }
        http.handler = { [unowned self] in serve($0) }
        server.onSettled = { [unowned self] in
            events.flush()
            scenario?.serverDidSettle()
        }
        try http.listen(on: socket)
    }

    /// Serves the clients of another socket too.
    public func listen(on socket: ListeningSocket) throws(EventLoopError) {
        try http.listen(on: socket)
    }

    /// Accepts no more connections; ends the streams of events and a scenario where it is.
    public func stop() {
        http.stopListening()
        scenario?.cancel()
        scenario = nil
        events.end()
    }

    /// Stops, and calls `done` when every client has its answer, at once when none waits for one.
    public func stop(then done: @escaping () -> Void) {
        stop()
        guard http.openRequests > 0 else { return done() }
        http.onIdle = done
    }

    deinit {
        server.onSettled = nil
        server.onEffect = nil
        server.injector.onStep = nil
        scenario?.cancel()
    }

    private func serve(_ request: HTTPRequest) {
        do {
            try admission.admit(request, by: server.peerPolicy)
            let (route, parameters) = try router.find(request.method, request.path, query: request.query.map(\.name))
            try route.check(bodyBytes: request.body.count)
            let answer = try route.handler(ControlRequest(http: request, parameters: parameters))
            if case .reply(let response) = answer { request.reply(response) }
        } catch {
            let problem = Problem(error)
            let line = "control: \(request.method.rawValue) /\(request.path.joined(separator: "/")): \(problem.detail)"
            switch problem.status {
            case 403: server.log(.warning, line)
            case 500...: server.log(.error, line)
            default: server.log(.debug, line)
            }
            request.reply(problem.response)
        }
    }
}
