// The control API: HTTP and JSON on a Unix socket and, if enabled, on TCP.

import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Serves `/v1` for one display server. It can see and change everything: each route states the rights it needs.
///
/// Requests are atomic: a refused request has no effect, and its answer names the violated rule. (409 with mustHit reports
/// events that were injected and that no client received.)
public final class ControlServer {
    /// The largest body of any request, in bytes: evhttp has one limit for all; routes have their own below it.
    static let bodyBytes = 64 << 20
    /// The same over TCP.
    static let webBodyBytes = 16 << 20
    /// All incomplete requests over TCP, in bytes.
    static let webIncompleteBytes = 64 << 20
    /// Simultaneous TCP connections, and the unauthenticated ones among them: any local user can open some, and must
    /// not keep others out.
    static let webConnections = 64
    static let webStrangers = 16

    let server: DisplayServer
    /// Encodes pictures.
    let worker = Worker()
    /// What users share.
    let limits: ControlLimits
    let pictures: AnswerQueue
    /// Encodes long documents, so that they do not wait for pictures.
    let documentWorker = Worker()
    let documents: AnswerQueue
    /// Monotonic microseconds.
    let startedAt: UInt64
    /// The scenario being run.
    var scenario: ScenarioRunner?
    /// The stream of its reports.
    weak var scenarioReports: HTTPStream?
    /// How long the steps of a scenario let clients take to settle, and expectations to be met, in microseconds of real
    /// time.
    public var scenarioPatience: UInt64 = 5_000_000
    private(set) lazy var events = EventStreams(server, limits.eventReaders) { [unowned self] in observeEffects() }
    /// The open waits for conditions.
    var waits: ConditionWaits {
        if let begunWaits { return begunWaits }
        let waits = ConditionWaits(server, worker: worker, limits.waits) { [unowned self] in observeEffects() }
        begunWaits = waits
        observeFlushes()
        return waits
    }
    /// Nil until a condition is first waited for. The end of this object must not make them: they refer to it.
    private var begunWaits: ConditionWaits?
    /// Requests for pictures that wait until something changes.
    private(set) lazy var frameWaits = FrameWaits(server, limits.frameWaits)
    /// The address on TCP; nil if not served there.
    public private(set) var webAddress: LoopbackAddress?
    let http: HTTPServer
    /// Serves clients that authenticate with a token.
    private(set) var web: HTTPServer?
    private(set) lazy var router = Router(
        routes: statusRoutes + clientRoutes + screenRoutes + windowRoutes + conversionRoutes + treeRoutes
            + hitTestRoutes + inputRoutes + eventRoutes + pictureRoutes + comparisonRoutes + clockRoutes + settleRoutes
            + waitRoutes + scenarioRoutes + keyboardRoutes + seatRoutes + lockRoutes + metricsRoutes
            + openAPIRoutes)

    /// The description of the API.
    private(set) lazy var openAPI = HTTPResponse(
        headers: HTTPResponse.jsonHeaders, body: Array("\(OpenAPI.document(version: DisplayServer.version))\n".utf8))

    /// Serves the clients of `socket` from now on.
    /// - Throws: when libevent or the kernel refuses.
    public convenience init(_ server: DisplayServer, socket: ListeningSocket) throws(EventLoopError) {
        try self.init(server, socket: socket, limits: ControlLimits())
    }

    /// - Parameter limits: what users share.
    package init(
        _ server: DisplayServer, socket: ListeningSocket, limits: ControlLimits
    ) throws(EventLoopError) {
        self.server = server
        startedAt = server.loop.now
        self.limits = limits
        pictures = AnswerQueue(limits.pictureBytes, limits)
        documents = AnswerQueue(limits.documentBytes, limits)
        var bounds = HTTPServer.Limits()
        bounds.bodyBytes = Self.bodyBytes
        (bounds.connections, bounds.incompleteBytes) = (limits.connections, limits.incompleteBytes)
        http = try HTTPServer(server.loop, limits: bounds)
        http.onError = { [unowned server] in server.log(.warning, "cannot accept a control connection: \($0)") }
        http.handler = { [unowned self] in serve($0, .credentials) }
        try http.listen(on: socket)
    }

    /// Before the first request, nothing waits for the end of a turn.
    private func observeFlushes() {
        guard server.afterFlush == nil else { return }
        server.afterFlush = { [unowned self] in serverDidFlush() }
    }

    private func serverDidFlush() {
        events.flush()
        scenario?.serverDidFlush()
        begunWaits?.serverDidFlush()
        frameWaits.serverDidFlush()
    }

    /// Serves the clients of another socket too.
    public func listen(on socket: ListeningSocket) throws(EventLoopError) {
        try http.listen(on: socket)
    }

    /// Serves local programs with the token over TCP too, from now on. Call it once.
    /// - Returns: the address with the actual port.
    /// - Throws: when the address is in use, or the kernel refuses.
    public func listen(at address: LoopbackAddress, token: ControlToken) throws(EventLoopError) -> LoopbackAddress {
        let socket = try ListeningSocket.tcp(address.description)
        let bound = LoopbackAddress(host: address.host, port: socket.port ?? address.port)
        var limits = HTTPServer.Limits()
        // Any local user can connect before the token is checked.
        limits.bodyBytes = Self.webBodyBytes
        limits.incompleteBytes = SharedLimit(Self.webIncompleteBytes)
        limits.connections = SharedLimit(Self.webConnections)
        limits.strangers = Self.webStrangers
        let web = try HTTPServer(server.loop, limits: limits)
        web.onError = http.onError
        web.handler = { [unowned self] in serve($0, .token(token, at: bound)) }
        try web.listen(on: socket)
        self.web = web
        webAddress = bound
        return bound
    }

    /// Stops accepting connections; ends event streams and a running scenario.
    public func stop() {
        http.stopListening()
        web?.stopListening()
        scenario?.cancel()
        scenario = nil
        scenarioReports?.finish()
        events.end()
        begunWaits?.end()
        frameWaits.end()
    }

    /// Passes the model's effects to those who need them now; without any, they cost nothing.
    private func observeEffects() {
        guard events.isRecording || begunWaits?.isOpen == true else {
            server.onEffect = nil
            return
        }
        server.onEffect = { [unowned self] effect in
            if events.isRecording { events.note(effect) }
            if let begunWaits, begunWaits.isOpen { begunWaits.note(effect) }
        }
    }

    /// Stops, and calls `done` when every client has its answer, immediately when none is pending.
    public func stop(then done: @escaping () -> Void) {
        stop()
        guard !isIdle else { return done() }
        for server in [http, web] { server?.onIdle = { [unowned self] in if isIdle { done() } } }
    }

    private var isIdle: Bool { http.openRequests + (web?.openRequests ?? 0) == 0 }

    deinit {
        server.afterFlush = nil
        server.onEffect = nil
        server.injector.onStep = nil
        server.injector.queue.onReports = nil
        server.onBell = nil
        scenario?.cancel()
        begunWaits?.isOpenDidChange = nil
        begunWaits?.end()
    }

    private func serve(_ request: HTTPRequest, _ admission: Admission) {
        observeFlushes()
        server.stallWatch?.beginRoute(request.method.rawValue, request.path)
        request.onAnswer = { [server] status, _ in server.counters.answered(status) }
        let report = events.watch(request, pid: Self.peer(of: request, admission)?.pid)
        do {
            try admission.checkOrigin(request)
            let (route, parameters) = try router.find(request.method, request.path, query: request.query.map(\.name))
            report?.note(needed: route.rights)
            let policy = server.peerPolicy
            let rights = try admission.admit(request, to: route, by: policy)
            try route.check(bodyBytes: request.body.count)
            let answer = try route.handler(
                ControlRequest(
                    http: request, parameters: parameters, admission: admission, rights: rights, policy: policy,
                    report: report))
            if case .reply(let response) = answer { request.reply(response) }
        } catch {
            refuse(request, admission, error)
        }
    }

    /// Answers a request with an error, and logs it.
    func refuse(_ request: HTTPRequest, _ admission: Admission, _ error: any Error) {
        let problem = Problem(error)
        log(problem, request, admission)
        request.reply(problem.response)
    }

    /// The sender of a request, if the kernel knows it.
    private static func peer(of request: HTTPRequest, _ admission: Admission) -> Credentials? {
        guard case .credentials = admission else { return nil }
        return request.peerDescriptor.map { Credentials(ofPeerOf: $0) }
    }

    /// Logs one line. Details about an invalid body are not logged, because they may contain typed text.
    private func log(_ problem: Problem, _ request: HTTPRequest, _ admission: Admission) {
        let path = "/\(request.path.joined(separator: "/"))"
        let name = "control: \(request.method.rawValue) \(path.shortened)"
        var subject = LogSubject()
        subject.isUnidentified = true
        if let peer = Self.peer(of: request, admission) { subject = peer.subject }
        subject.rule = problem.rule
        switch problem.status {
        case 401, 403: server.logRefusal(.control, name, problem.detail, about: subject)
        // What an environment lacks, or a reached limit, is not an error of the server.
        case 503: server.log(.warning, "\(name): \(problem.detail)", about: subject)
        case 500...: server.log(.error, "\(name): \(problem.detail)", about: subject)
        default: server.log(.debug, "\(name): answered \(problem.status)", about: subject)
        }
    }
}
