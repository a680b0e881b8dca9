// How a client's connection ended.

import MullionSystem
import MullionWayland
import WindowModel

/// The end of a connection, for those who watch clients.
package struct ClientEnding {
    /// Its name at the end.
    package let name: String
    package let pid: Int32
    /// Also the causes in the metrics.
    package let cause: Counters.End
    /// What the client did wrong or what failed, as in the log; nil when it closed the connection or was disconnected
    /// without a reason.
    package let reason: String?
    /// How many windows it still had: a program that quits usually closes them first, and one that crashes cannot.
    package let windows: Int
    /// How its process ended; nil while it runs, if that is unknown, and unless `watchesProcesses` is set.
    package let exit: ProcessExit?

    /// Call it before the windows are destroyed.
    init(_ client: Client, because error: ConnectionError?) {
        name = client.server.model.application(client.application)?.name ?? ""
        pid = client.credentials.pid
        cause = Counters.End(client, because: error)
        switch (client.failure, error) {
        case (let failure?, _): reason = "\(failure)"
        case (nil, let error?) where error != .closed: reason = "\(error)"
        default: reason = nil
        }
        windows = client.server.model.windowCount(of: client.application)
        exit = client.server.watchesProcesses ? ProcessExit(ofEnding: client) : nil
    }
}

extension DisplayServer {
    /// How a client ended; known until the effects of its end are delivered.
    package func ending(of application: Application.ID) -> ClientEnding? {
        closed.first { $0.application == application }?.ending
    }
}

extension Counters.End {
    init(_ client: Client, because error: ConnectionError?) {
        switch error {
        case _ where client.failure != nil: self = .protocolError
        case .malformed: self = .protocolError
        case .limit: self = .limit
        case .system: self = .system
        case .closed, nil: self = .closed
        }
    }
}
