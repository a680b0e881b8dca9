// What is not finished, in JSON.

import DisplayServer

/// What keeps the server from being settled or idle.
struct UnfinishedPayload: Encodable, Equatable {
    var kind: String
    /// Absent for work of the server.
    var application: UInt32?
    /// Its name and its process: "foot (pid 7)".
    var program: String?
    /// For people.
    var detail: String

    init(_ unfinished: Unfinished) {
        kind = unfinished.kind.rawValue
        application = unfinished.program?.application.rawValue
        program = unfinished.program?.name
        detail = unfinished.description
    }
}
