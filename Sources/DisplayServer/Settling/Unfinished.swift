// What keeps the server from being settled.

import WindowModel

/// Something that a program, or the server itself, has not finished.
public struct Unfinished: Equatable, Sendable, CustomStringConvertible {
    /// The kind of work, for programs.
    public enum Kind: String, CaseIterable, Sendable {
        /// The program does not read its events.
        case notReading
        /// It reads its events, but does not answer a ping.
        case notAnswering
        /// It has not acknowledged a configure event, or not committed what it asks for.
        case configure
        /// It has made a commit whose time has not come.
        case laterCommit
        /// It has not been sent a frame callback that is due.
        case frame
        /// It sends one request after another.
        case sending
        /// It was being asked when the time was up.
        case asking
        /// The server is at work.
        case server
    }

    /// A program, as messages name it.
    public struct Program: Equatable, Sendable {
        public let application: Application.ID
        /// Its name and its process: "foot (pid 7)".
        public let name: String
    }

    public let kind: Kind
    /// Nil: the server itself.
    public let program: Program?
    /// "does not read its events"; for the server a whole sentence.
    let text: String

    /// "foot (pid 7) does not read its events".
    public var description: String { (program.map { $0.name + " " } ?? "") + text }
}

extension Unfinished {
    init(_ kind: Kind, _ client: Client, _ text: String) {
        self.init(
            kind: kind, program: Program(application: client.application, name: client.shortDescription), text: text)
    }

    /// Work of the server.
    init(server text: String) { self.init(kind: .server, program: nil, text: text) }

    init(laterCommitOf client: Client) { self.init(.laterCommit, client, "has made a commit for a later time") }
}
